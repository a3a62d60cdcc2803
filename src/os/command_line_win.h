// The one line of text that a program for Windows gets instead of a list of words.
#pragma once

#include <string>
#include <string_view>

namespace forge::os {

// Appends a word so that the C runtime of the program takes it out again as it was.
void AppendQuoted(std::wstring_view word, std::wstring& line);

// A path of ours in the system's form.
std::wstring Backslashes(std::wstring path);

}  // namespace forge::os
