#include <windows.h>

#include <string_view>

#include "base/environment.h"

namespace forge {
namespace {

std::string Utf8(std::wstring_view wide) {
  const int size = static_cast<int>(wide.size());
  const int length = WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(length), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, out.data(), length, nullptr, nullptr);
  return out;
}

// To Windows, "Path" and "PATH" are one variable.
std::string Upper(std::string name) {
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c;
  return name;
}

}  // namespace

Environment Environment::FromProcess() {
  Variables variables;
  wchar_t* const block = GetEnvironmentStringsW();
  for (const wchar_t* at = block; at != nullptr && *at != L'\0';) {
    const std::wstring_view text = at;
    at += text.size() + 1;
    const std::size_t equals = text.find(L'=', 1);  // "=C:=C:\a" is a current folder, not a variable
    if (equals == std::wstring_view::npos || text.front() == L'=') continue;
    variables.emplace(Upper(Utf8(text.substr(0, equals))), Utf8(text.substr(equals + 1)));
  }
  if (block != nullptr) FreeEnvironmentStringsW(block);
  // Programs that came from Unix, git among them, call the user's folder HOME.
  const auto profile = variables.find("USERPROFILE");
  if (profile != variables.end()) variables.emplace("HOME", profile->second);
  return Environment(std::move(variables));
}

}  // namespace forge
