#include "tree/path_order.h"

#include <algorithm>

#include "base/unicode.h"

namespace forge {
namespace {

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

int ComparePaths(std::string_view a, std::string_view b) {
  // An ASCII path is its own key.
  if (IsAscii(a) && IsAscii(b)) return a.compare(b);
  if (const int order = SortKey(a).compare(SortKey(b)); order != 0) return order;
  return a.compare(b);
}

}  // namespace forge
