#include "index/bloom/bloom.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/unicode.h"
#include "base/xxhash64.h"

namespace forge::index {

BloomShape ShapeFor(std::uint64_t basis_ngrams, double target_fp_rate) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(basis_ngrams, 1));
  const double ln2 = std::numbers::ln2;
  const double m = std::max(1.0, std::ceil(-n * std::log(target_fp_rate) / (ln2 * ln2)));
  const double hashes = std::max(1.0, std::floor(m / n * ln2 + 0.5));
  return {.bits = static_cast<std::uint64_t>(m), .hashes = static_cast<std::uint32_t>(hashes)};
}

BloomShape ShapeFor(const BloomParams& params) {
  return ShapeFor(params.max_tokenized_bytes / 2, params.target_fp_rate);
}

std::string TokenizerId(const BloomParams& params) {
  const BloomShape shape = ShapeFor(params);
  return "ngram" + std::to_string(params.ngram) + "-xxh64-nfc-crlf-v1-unicode" + std::string(UnicodeVersion()) + "-m" +
         std::to_string(shape.bits) + "-h" + std::to_string(shape.hashes);
}

NgramBits::NgramBits(std::string_view ngram, const BloomShape& shape)
    : first_(XxHash64(ngram, 0)), second_(XxHash64(ngram, shape.seed)), bits_(shape.bits) {}

BloomFilter::BloomFilter(const BloomShape& shape) : shape_(shape), bytes_(shape.bytes(), '\0') {}

void BloomFilter::Add(std::string_view ngram) {
  const NgramBits bits(ngram, shape_);
  for (std::uint32_t i = 0; i < shape_.hashes; ++i) {
    char& byte = bytes_[bits[i] / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << bits[i] % 8);
  }
}

void BloomFilter::AddAll(std::string_view text, std::size_t ngram) {
  ForEachNgram(text, ngram, [this](std::string_view gram) { Add(gram); });
}

bool BloomFilter::MayHave(std::string_view ngram) const {
  const NgramBits bits(ngram, shape_);
  for (std::uint32_t i = 0; i < shape_.hashes; ++i) {
    if ((static_cast<unsigned char>(bytes_[bits[i] / 8]) >> bits[i] % 8 & 1) == 0) return false;
  }
  return true;
}

}  // namespace forge::index
