// One bracket expression of a wildcard pattern, as git reads it: ranges, `!` or
// `^` for "not", backslash escapes, and classes like [:alpha:]. A `]` that
// comes first stands for itself. No class has '/'.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace forge {

class ByteSet {
 public:
  bool Has(unsigned char byte) const { return (words_[byte / 64] >> (byte % 64) & 1) != 0; }
  void Add(unsigned char byte) { words_[byte / 64] |= std::uint64_t{1} << (byte % 64); }
  void Remove(unsigned char byte) { words_[byte / 64] &= ~(std::uint64_t{1} << (byte % 64)); }
  // None if `last` is before `first`.
  void AddRange(unsigned char first, unsigned char last);
  void Invert();

 private:
  std::array<std::uint64_t, 4> words_ = {};
};

struct GlobClass {
  enum class Problem { kNone, kUnclosed, kUnknownName };
  Problem problem = Problem::kNone;
  std::size_t end = 0;  // just after the closing ']'
  ByteSet bytes;
  bool backwards = false;  // has a range like z-a, which holds its first byte only
};

// Reads the class whose '[' is at `open`. With `fold`, `bytes` is for texts in
// lower case (and as in git, ranges and [:upper:] then ignore case while single
// letters do not: [A] has no 'a').
GlobClass ReadClass(std::string_view pattern, std::size_t open, bool fold = false);

}  // namespace forge
