// One bracketed character class of a PCRE2 pattern.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pattern/lexer.h"

namespace forge {

struct CharClass {
  std::size_t end = 0;  // one past the closing bracket
  bool negated = false;
  std::vector<ClassItem> items;
  bool certain = true;
  std::optional<std::size_t> line_feed;  // where an item is exactly that character
  std::optional<std::size_t> nul;
};

// Reads the class whose opening bracket is at `at`. With `skip_blanks`, (?xx),
// spaces and tabs do not count.
CharClass ReadCharClass(std::string_view pattern, std::size_t at, bool skip_blanks);

}  // namespace forge
