// Small text helpers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

// Removes what could drive a terminal: the control characters U+0000 to U+001F
// except \n and \t, and U+007F to U+009F. Every escape sequence begins with one
// of them. For human-readable text only (FR-LSI-ENC-02); `text` must be valid
// UTF-8.
std::string Sanitize(std::string_view text);

std::vector<std::string_view> Split(std::string_view text, char separator);

// "1 file", "2 files".
std::string Count(std::uint64_t n, std::string_view noun);

// Whether a regular expression is the text that it finds: no character in it has
// a special meaning.
bool IsPlainText(std::string_view pattern);

// The word of `known` that is nearest to `word` within two edits, or "".
std::string_view NearestWord(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace forge
