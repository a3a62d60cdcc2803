#include <algorithm>

#include "match/count_lines.h"

namespace forge {

std::uint64_t CountLineFeeds(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace forge
