// The pattern as it will be matched.
//
// ASCII case-insensitivity is written into the pattern, because PCRE2's own is
// Unicode's (R3): a letter becomes [xX], a class gets the other case of its
// letters, and the result runs case-sensitively.
//
//   foo_[a-c]\x41   ->   [fF][oO][oO]_[a-cA-C][Aa]
//
// \Q..\E and comments are resolved on the way, so that the result can be
// wrapped in a group.
#pragma once

#include <string>
#include <string_view>

#include "forge/result.h"
#include "pattern/lexer.h"

namespace forge {

// ExecutionFailed for what has no ASCII-insensitive form: back-references
// (which compare exactly), negated properties that tell cases apart.
Result<std::string> RewritePattern(std::string_view pattern, const TokenStream& stream, bool fold);

// Appends a character so that PCRE2 takes it literally.
void AppendEscaped(char32_t code, std::string& out);

}  // namespace forge
