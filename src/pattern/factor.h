// Finds what every match must contain.
//
// A factor is a short sequence of character sets; a factor set says that every
// match contains at least one of its factors as a substring. It is computed
// from the pattern's structure and may only be too generous:
//
//   mutex_lock.*->lock      mutex_lock            (the rarer of two runs)
//   \w+_lock\(              [\w]_lock\(           (the last \w belongs to it)
//   (foo|bar)+x?            foo|bar
//   x*                      everything            (no factor: any line may match)
//
// Factors have no anchors, no repetition and no look-around. So every regex
// engine reads them in the same way, and none becomes slow on them. That makes
// an external searcher a safe line finder (R2): it reports the lines that
// contain a factor, and PCRE2 decides in-process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pattern/lexer.h"

namespace forge {

// One character of a factor: exactly `code`, or one of `set`.
struct Atom {
  bool single = true;
  char32_t code = 0;
  CharSet set;
  // All characters that `set.other` stands for, if they are few. Empty: any of
  // them.
  std::vector<char32_t> others;
};

using Factor = std::vector<Atom>;

// Empty: no factor is known, every line may match.
using FactorSet = std::vector<Factor>;

struct Node;  // pattern/tree.h
FactorSet FactorsOf(const Node& tree);

// With `fold`, ASCII letters stand for both cases.
FactorSet FactorsOfLiteral(std::string_view literal, bool fold);

// In the syntax that PCRE2 and Rust's regex share. Never matches a line feed.
std::string ToRegex(const FactorSet& factors);

// The factor as bytes, if there is exactly one and all its atoms are single.
// With `fold`, letters of both cases count as single, in lower case.
bool AsLiteral(const FactorSet& factors, bool fold, std::string& literal);

}  // namespace forge
