// The pattern as it will be matched.
//
// We write ASCII case-insensitivity into the pattern, because PCRE2's own
// follows Unicode (R3): a letter becomes [xX], a class gets the other case of
// its letters, and the result is matched case-sensitively.
//
//   foo_[a-c]\x41   ->   [fF][oO][oO]_[a-cA-C][Aa]
//
// It also resolves \Q..\E and comments, so that the result can be wrapped in a
// group.
#pragma once

#include <string>
#include <string_view>

#include "forge/result.h"
#include "pattern/lexer.h"

namespace forge {

// ExecutionFailed for patterns without an ASCII-insensitive form:
// back-references (which compare exactly), negated properties that distinguish
// cases.
Result<std::string> RewritePattern(std::string_view pattern, const TokenStream& stream, bool fold);

// Appends a character in a form that PCRE2 reads literally.
void AppendEscaped(char32_t code, std::string& out);

}  // namespace forge
