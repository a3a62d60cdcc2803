// The set of trigrams of a block.
//
// A trigram is three successive bytes with ASCII letters in lower case, as the
// number b0 b1 b2 (24 bits). None goes on after a line feed, but the last byte
// may be one, and the text is read as if a line feed followed. So the two bytes
// `xy` occur within a line exactly if some trigram `xy?` does. Every other byte
// is ordinary, NUL and CR included.
//
// The set is a bitmap of 2^24 bits with the list of what was set. Trigrams that
// must not be found are marked as seen for ever, so the loop over bytes has no
// branches: a new trigram is one that was not marked, and the list grows by
// that bit.
//
// One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forge::index {

inline constexpr std::uint32_t kTrigrams = 1U << 24U;

inline constexpr std::uint32_t TrigramKey(std::uint8_t b0, std::uint8_t b1, std::uint8_t b2) {
  return std::uint32_t{b0} << 16U | std::uint32_t{b1} << 8U | b2;
}

inline constexpr char FoldByte(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

class TrigramExtractor {
 public:
  TrigramExtractor();

  // Each trigram of the text once, in order of first occurrence; valid until
  // the next call. The text consists of whole lines.
  std::span<const std::uint32_t> Extract(std::string_view text);

  std::size_t memory() const;

 private:
  void Fold(std::string_view text);

  std::vector<std::uint64_t> seen_;
  std::string folded_;
  std::vector<std::uint32_t> found_;
};

}  // namespace forge::index
