#include "os/command_line_win.h"

#include <algorithm>
#include <cstddef>

namespace forge::os {

// Backslashes count only before a quote.
void AppendQuoted(std::wstring_view word, std::wstring& line) {
  if (!line.empty()) line += L' ';
  line += L'"';
  std::size_t slashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') line.append(slashes + 1, L'\\');
    slashes = c == L'\\' ? slashes + 1 : 0;
    line += c;
  }
  line.append(slashes, L'\\');
  line += L'"';
}

std::wstring Backslashes(std::wstring path) {
  std::replace(path.begin(), path.end(), L'/', L'\\');
  return path;
}

}  // namespace forge::os
