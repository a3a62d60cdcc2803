// A set of bytes, as bits.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace forge {

class ByteSet {
 public:
  constexpr bool Has(unsigned char byte) const { return (words_[byte / 64] >> (byte % 64) & 1) != 0; }
  constexpr void Add(unsigned char byte) { words_[byte / 64] |= std::uint64_t{1} << (byte % 64); }
  constexpr void Remove(unsigned char byte) { words_[byte / 64] &= ~(std::uint64_t{1} << (byte % 64)); }
  // None if `last` is before `first`.
  constexpr void AddRange(unsigned char first, unsigned char last) {
    for (unsigned word = 0; word < words_.size(); ++word) {
      const unsigned begin = word * 64;
      if (first > last || last < begin || first >= begin + 64) continue;
      const unsigned low = first > begin ? first - begin : 0;
      const unsigned high = last < begin + 63 ? last - begin : 63;
      words_[word] |= (~std::uint64_t{0} >> (63 - high)) & (~std::uint64_t{0} << low);
    }
  }
  constexpr void Add(const ByteSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  constexpr void Invert() {
    for (std::uint64_t& word : words_) word = ~word;
  }
  constexpr bool Includes(const ByteSet& other) const {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) missing |= other.words_[i] & ~words_[i];
    return missing == 0;
  }

  friend constexpr bool operator==(const ByteSet&, const ByteSet&) = default;
  friend constexpr std::strong_ordering operator<=>(const ByteSet&, const ByteSet&) = default;

 private:
  std::array<std::uint64_t, 4> words_ = {};
};

}  // namespace forge
