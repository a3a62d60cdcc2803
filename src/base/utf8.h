// UTF-8: decoding, lossy conversion, encoding.
//
// "Lossy" is the maximal-subpart rule of Unicode and the WHATWG, which is also
// what Rust's to_string_lossy does (FR-LS-ENC-01): each longest prefix of a
// well-formed sequence that is cut short becomes one U+FFFD, and a byte that
// starts nothing becomes one U+FFFD. No valid byte is ever swallowed.
//
//   "a\xE2\x82z"  ->  "a" U+FFFD "z"        (E2 82 is one cut sequence)
//   "\xED\xA0\x80" ->  three U+FFFD          (a surrogate is not UTF-8)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forge {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code = 0;     // kReplacement if not valid
  std::size_t size = 0;  // bytes consumed; for invalid input, the maximal subpart
  bool valid = false;
};

// Decodes the character at the front of a non-empty `bytes`.
Decoded DecodeOne(std::string_view bytes);

// The number of leading bytes that are valid UTF-8.
std::size_t ValidUtf8Prefix(std::string_view bytes);
inline bool IsValidUtf8(std::string_view bytes) { return ValidUtf8Prefix(bytes) == bytes.size(); }

std::string LossyUtf8(std::string_view bytes);

// Appends `code` as UTF-8; a surrogate or a value over U+10FFFF as U+FFFD.
void AppendUtf8(char32_t code, std::string& out);

}  // namespace forge
