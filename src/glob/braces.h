// Expands {a,b}: one pattern that stands for several.
//
//   "*.{c,h}"      ->  "*.c" "*.h"
//   "{a,b{1,2},}"  ->  "a" "b1" "b2" ""
//
// A backslash keeps its meaning and stays in the result; braces and commas
// inside [..] are members of the class.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"

namespace forge {

inline constexpr std::size_t kMaxAlternatives = 1000;
inline constexpr std::size_t kMaxBraceDepth = 100;
// Bytes that are copied to expand one pattern: a bound on its memory and time.
inline constexpr std::size_t kMaxExpandedBytes = 1 << 20;

// Checks the whole syntax of a filter pattern and expands its braces.
Result<std::vector<std::string>> ExpandBraces(std::string_view pattern);

}  // namespace forge
