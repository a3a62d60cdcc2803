// The Bloom filter of Appendix F.3, to the bit.
//
//   m = ceil(-n ln p / (ln 2)^2),  hashes = max(1, floor(m / n ln 2 + 0.5))
//   bit i of an n-gram = (xxh64(bytes, 0) + i * xxh64(bytes, seed)) mod 2^64 mod m
//
// The sum wraps at 64 bits. The specification does not say so; arithmetic
// without a limit would set other bits (E10). n is half of the largest file in
// bytes, for every file, so all filters of an index have one shape
// (FR-LSI-CAND-LIT-04).
// With the defaults m is 5025332; the specification's example is wrong (E9).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/bloom/tokenizer.h"

namespace forge::index {

// Greater than 2^63. A store that has only signed integers keeps the same bits.
inline constexpr std::uint64_t kBloomSeed = 0x9E3779B97F4A7C15;

struct BloomParams {
  std::uint32_t ngram = 3;
  double target_fp_rate = 0.01;
  std::uint64_t max_tokenized_bytes = 1'048'576;
  Casefold casefold = Casefold::kAscii;
};

// The parameters that decide which bits an n-gram sets.
struct BloomShape {
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;
  std::uint64_t seed = kBloomSeed;

  std::uint64_t bytes() const { return (bits + 7) / 8; }
  friend bool operator==(const BloomShape&, const BloomShape&) = default;
};
BloomShape ShapeFor(std::uint64_t basis_ngrams, double target_fp_rate);
BloomShape ShapeFor(const BloomParams& params);

// "ngram3-xxh64-nfc-crlf-v1-unicode14.0.0-m5025332-h7": part of the index key,
// so that other parameters or other Unicode tables give another index.
std::string TokenizerId(const BloomParams& params);

// The numbers of one n-gram's bits.
class NgramBits {
 public:
  NgramBits(std::string_view ngram, const BloomShape& shape);
  std::uint64_t operator[](std::uint32_t i) const { return (first_ + i * second_) % bits_; }

 private:
  std::uint64_t first_;
  std::uint64_t second_;
  std::uint64_t bits_;
};

class BloomFilter {
 public:
  explicit BloomFilter(const BloomShape& shape);

  void Add(std::string_view ngram);
  void AddAll(std::string_view text, std::size_t ngram);
  bool MayHave(std::string_view ngram) const;

  // FR-LSI-BLOOM-03: bit i is bit i % 8, counted from the lowest, of byte i / 8; those from `bits` on are 0.
  const std::string& bytes() const { return bytes_; }

 private:
  BloomShape shape_;
  std::string bytes_;
};

}  // namespace forge::index
