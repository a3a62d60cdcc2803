// The pattern as it will be matched.
//
// We write ASCII case-insensitivity into the pattern, because PCRE2's own
// follows Unicode (R3): a letter becomes [xX], a class gets the other case of
// its letters, (?i) and (?-i) lose their i, and the result is matched
// case-sensitively.
//
//   foo_[a-c]\x41   ->   [fF][oO][oO]_[a-cA-C][Aa]
//   (?i:a)b\1       ->   (?:[aA])b\1
//
// Only a back-reference cannot be expanded: it becomes (?i:\1), which compares
// as Unicode does.
//
// It also resolves \Q..\E and comments, so that the result can be wrapped in a
// group.
#pragma once

#include <string>
#include <string_view>

#include "forge/result.h"
#include "pattern/lexer.h"

namespace forge {

// The number of a callout before a back-reference, whose cost is not known before.
inline constexpr unsigned kBeforeReference = 200;

struct RewrittenPattern {
  std::string plain;
  // The same with callouts, at which a match can be ended (regex.h). Empty: the
  // library puts them everywhere, which is slower.
  std::string watched;
};

// ExecutionFailed for patterns without an ASCII-insensitive form: classes with
// negated properties that distinguish cases.
Result<RewrittenPattern> RewritePattern(std::string_view pattern, const TokenStream& stream, bool fold);

// Appends a character in a form that PCRE2 reads literally.
void AppendEscaped(char32_t code, std::string& out);

}  // namespace forge
