#include "tree/folder.h"

#include <algorithm>

namespace forge {
namespace {

// The byte at `at`, with a '/' behind a folder's name. 0 at the end: no name
// holds a NUL.
unsigned char ByteAt(const Item& item, std::string_view key, std::size_t at) {
  if (at < key.size()) return static_cast<unsigned char>(key[at]);
  return item.is_folder && at == key.size() ? '/' : 0;
}

int CompareKeys(const Item& a, const Item& b) {
  const std::string_view x = a.key();
  const std::string_view y = b.key();
  const std::size_t common = std::min(x.size(), y.size());
  if (const int order = x.substr(0, common).compare(y.substr(0, common)); order != 0) return order;
  return static_cast<int>(ByteAt(a, x, common)) - static_cast<int>(ByteAt(b, y, common));
}

}  // namespace

bool ComesBefore(const Item& a, const Item& b) {
  const int order = CompareKeys(a, b);
  return order != 0 ? order < 0 : a.name < b.name;
}

bool MustMerge(const Item& a, const Item& b) { return a.is_folder && b.is_folder && a.key() == b.key(); }

}  // namespace forge
