// Small text helpers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

// Removes what could drive a terminal: the control characters U+0000 to U+001F
// except \n and \t, and U+007F to U+009F. Every escape sequence begins with one
// of them. U+2028 and U+2029, which some readers take for the end of a line,
// become spaces. For human-readable text only (FR-LSI-ENC-02); `text` must be
// valid UTF-8. Names have ShownName.
std::string Sanitize(std::string_view text);
void AppendSanitized(std::string_view text, std::string& out);

// A file name or path as readable text on one line. A control character, a line
// or paragraph separator, and what changes the direction of the text are shown
// as \n or \u202e: no name can look like a line of results, or like
// another name. If one is there, a backslash is shown as two. A name without
// any of them is shown as it is. `name` may be any bytes; what is not UTF-8 is
// U+FFFD.
std::string ShownName(std::string_view name);

// What a request or a tree said, for a message: on one line as ShownName, cut
// with "..." after about `most` bytes.
std::string Echo(std::string_view text, std::size_t most = 200);

std::vector<std::string_view> Split(std::string_view text, char separator);

// "1 file", "2 files".
std::string Count(std::uint64_t n, std::string_view noun);

// Whether a regular expression is the text that it finds: no character in it has
// a special meaning.
bool IsPlainText(std::string_view pattern);

// The word of `known` that is nearest to `word`, or "". Near means within two
// edits, and within one if the word has at most four letters: --sort is not
// meant to be --root.
std::string_view NearestWord(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace forge
