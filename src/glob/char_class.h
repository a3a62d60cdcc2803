// One bracket expression of a wildcard pattern, as git reads it: ranges, `!` or
// `^` for "not", backslash escapes, and classes like [:alpha:]. A `]` that
// comes first stands for itself.
#pragma once

#include <cstddef>
#include <string_view>

namespace forge {

struct ClassResult {
  enum class Problem { kNone, kUnclosed, kUnknownName };
  Problem problem = Problem::kNone;
  std::size_t end = 0;  // just after the closing ']'
  bool matches = false;
};

// Reads the class whose '[' is at `open` and tries it on one byte.
ClassResult MatchClass(std::string_view pattern, std::size_t open, unsigned char byte);

}  // namespace forge
