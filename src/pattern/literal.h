// Finds a byte string, at the speed of memory.
//
// It compares the two rarest bytes of the needle with 32 (AVX2) or 16 (SSE2)
// or, on arm64, 16 (NEON) places of the text at once. Where both are equal, it compares the whole
// needle. Measured against glibc's memmem on 1.3 GB of source: 13 to 18 GB/s
// against 1.3 to 11, whatever the needle is. Ignoring ASCII case costs one OR
// for each instruction. At run time we ask which instructions the machine has.
//
// A needle such as aaa...b...aaa nearly occurs at every place of a text of that
// kind. When comparing has become expensive, Knuth, Morris and Pratt take over,
// whose time depends on the size of the text alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forge {

// Immutable, so thread-safe.
class LiteralFinder {
 public:
  // `needle` must not be empty. With `fold`, ASCII letters match both cases.
  LiteralFinder(std::string_view needle, bool fold);

  // The first occurrence at or after `from`, or npos.
  std::size_t Find(std::string_view text, std::size_t from) const;

  std::size_t size() const { return needle_.size(); }
  double bits() const { return bits_; }  // how rare it is

  enum class Simd { kNone, kSse2, kAvx2, kNeon };
  static Simd Best();  // what this machine has
  // For tests: the same, by a given instruction set. One that this kind of processor
  // does not have counts as kNone.
  std::size_t FindWith(Simd simd, std::string_view text, std::size_t from) const;

 private:
  // How many bytes of the needle stand at `at`.
  std::size_t CommonBytes(const char* at) const;
  template <typename Scan>
  std::size_t FindBy(Scan scan, std::string_view text, std::size_t from) const;
  std::size_t FindLinear(std::string_view text, std::size_t from) const;

  std::string needle_;  // in lower case with fold_
  bool fold_;
  // Two positions in the needle, the rarest byte and the next rarest, with the
  // bit that makes upper case lower (0 where case matters).
  std::size_t first_ = 0;
  std::size_t second_ = 0;
  char first_case_ = 0;
  char second_case_ = 0;
  double bits_ = 0;
};

}  // namespace forge
