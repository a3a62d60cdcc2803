// ASCII letters and their case, in every locale.
#pragma once

namespace forge {

constexpr bool IsAsciiLetter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// For a letter.
constexpr char32_t OtherCase(char32_t c) { return c ^ 0x20U; }

}  // namespace forge
