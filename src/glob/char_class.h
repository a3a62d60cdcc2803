// One bracket expression of a wildcard pattern, as git reads it: ranges, `!` or
// `^` for "not", backslash escapes, and classes like [:alpha:]. A `]` that
// comes first stands for itself. No class has '/'.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/byte_set.h"

namespace forge {

struct GlobClass {
  enum class Problem { kNone, kUnclosed, kUnknownName };
  Problem problem = Problem::kNone;
  std::size_t end = 0;  // just after the closing ']'
  ByteSet bytes;
  bool backwards = false;  // has a range like z-a, which holds its first byte only
};

// Reads the class whose '[' is at `open`. With `fold`, `bytes` is for texts in
// lower case (and as in git, ranges and [:upper:] then ignore case while single
// letters do not: [A] has no 'a').
GlobClass ReadClass(std::string_view pattern, std::size_t open, bool fold = false);

}  // namespace forge
