// Makes the n-grams of the bloom structure from the bytes of a file (Appendix
// F.2).
//
//   bytes -> lossy UTF-8 -> NFC -> CRLF to LF -> (folded) -> every k characters in a row
//
// A query may exclude a file only if its n-grams say everything about it. They
// do if NFC changed nothing. Then a pattern that is NFC, valid UTF-8 and free
// of CR and LF, and that occurs in the bytes, occurs in the text too. The
// reason: lossy decoding never swallows a valid character, and the CR of a CRLF
// is never inside the occurrence. All other files stay candidates, and all
// other patterns do not use the filters (E1 to E4).
//
// Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace forge::index {

enum class Casefold : std::uint8_t { kAscii, kUnicodeSimple };

// Why the n-grams of a file may not exclude it.
enum class Incomplete {
  kNo,
  kTooLarge,
  kBinary,         // UTF-16 or UTF-32 by its byte order mark, or more than half of it is not UTF-8
  kNotNormalized,  // NFC changed the text (E1)
  kTooShort,       // less than one n-gram (E7)
};

struct TokenText {
  Incomplete incomplete = Incomplete::kNo;
  std::string text;  // valid UTF-8, NFC, no CRLF; empty if too large or binary
};
TokenText TextOf(std::string_view bytes, std::size_t ngram, std::uint64_t max_bytes);

// `text` is valid UTF-8.
std::string Folded(std::string_view text, Casefold casefold);

// Whether the n-grams of a pattern say something about files: valid UTF-8, NFC,
// without CR and LF, at least one n-gram long.
bool HasUsableNgrams(std::string_view pattern, std::size_t ngram);

// Calls `use` with each n-gram of valid UTF-8 as bytes, in order, repetitions included.
template <typename Use>
void ForEachNgram(std::string_view text, std::size_t ngram, const Use& use) {
  const auto next = [&text](std::size_t i) {  // the start of the next character
    do ++i;
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80);
    return i;
  };
  std::size_t end = 0;
  for (std::size_t i = 0; i < ngram; ++i) {
    if (end == text.size()) return;
    end = next(end);
  }
  for (std::size_t begin = 0;; begin = next(begin), end = next(end)) {
    use(text.substr(begin, end - begin));
    if (end == text.size()) return;
  }
}

}  // namespace forge::index
