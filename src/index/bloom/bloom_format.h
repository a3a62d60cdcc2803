// The header of a segment with Bloom filters, in bytes. See bloom_segment.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/bloom/bloom.h"

namespace forge::index {

struct BloomHeader {
  static constexpr std::size_t kSize = 48;
  static constexpr std::size_t kEntrySize = 12;  // of the directory

  std::uint8_t ngram = 0;
  Casefold casefold = Casefold::kAscii;
  std::uint32_t docs = 0;
  BloomShape shape;
  std::uint64_t checksum = 0;

  std::string Encode() const;

  // False if Encode() did not write these bytes, or if they are not within the
  // limits.
  bool Decode(std::string_view bytes);
};

// Checksum of the header, with a zero for its own checksum, and the directory.
std::uint64_t ChecksumOf(BloomHeader header, std::string_view directory);

// Checksum of the packed filter with this number.
std::uint64_t ChecksumOfFilter(std::string_view packed, std::size_t number);

}  // namespace forge::index
