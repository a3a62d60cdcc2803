// One backslash sequence of a PCRE2 pattern.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pattern/lexer.h"

namespace forge {

struct Escape {
  enum class Kind {
    kChar,
    kSet,
    kZeroWidth,
    kBackref,
    kOpaque,
    kLineEnd,     // \R
    kQuoteBegin,  // \Q
    kQuoteEnd,    // \E
    kUnknown,
  };
  Kind kind = Kind::kUnknown;
  std::size_t end = 0;  // one past its last byte
  char32_t code = 0;
  CharSet set;
};

// Reads the escape whose backslash is at `at`. `groups` is the number of
// capturing groups opened before it: it decides whether \12 is a reference or
// an octal number.
Escape ReadEscape(std::string_view pattern, std::size_t at, bool in_class, unsigned groups);

// Writes one: \x{6b}, which PCRE2 and Rust's regex both read.
void AppendHex(char32_t code, std::string& out);

// The set of a POSIX class name ("alpha"), or nothing for an unknown one.
std::optional<CharSet> PosixSet(std::string_view name, bool negated);

}  // namespace forge
