// How every segment begins, and the layout of one with postings.
//
//   header | postings | dictionary | blocks | checksums
//
// The sections but the postings are loaded when a segment is opened, and one
// checksum covers header and these. Postings have a checksum for each 64 KiB,
// in the last section. They come first because their place must be known when
// the dictionary is written: so a segment is written in one go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "forge/result.h"
#include "index/segment.h"

namespace forge::index {

// All kinds: the magic bytes, a byte for the version, a byte for the kind.
inline constexpr std::string_view kSegmentMagic = "forgeseg";
inline constexpr std::size_t kSegmentVersionAt = 8;
inline constexpr std::size_t kSegmentKindAt = 9;
inline constexpr std::uint8_t kSegmentVersion = 1;
inline constexpr std::uint8_t kPostingsKind = 1;
inline constexpr std::uint8_t kBloomKind = 2;

// The kind of a segment, after a look at magic and version.
Result<std::uint8_t> SegmentKind(const SegmentBytes& bytes);

struct PostingsHeader {
  std::uint32_t docs = 0;
  std::uint32_t keys = 0;
  std::uint64_t postings_size = 0;
  std::uint64_t dictionary_size = 0;
  std::uint64_t blocks_size = 0;
  std::uint64_t checksum = 0;  // of the header with a zero here, and of the loaded sections

  static constexpr std::size_t kSize = 56;
  static constexpr std::uint64_t kChunkSize = 64 * 1024;  // of postings, for one checksum

  std::uint64_t chunks() const { return (postings_size + kChunkSize - 1) / kChunkSize; }
  std::uint64_t loaded_at() const { return kSize + postings_size; }
  std::uint64_t loaded_size() const { return dictionary_size + blocks_size + chunks() * sizeof(std::uint64_t); }

  std::string Encode() const;  // kSize bytes

  // Only what fits into `image_size` bytes and within the limits of a segment.
  static Result<PostingsHeader> Read(const SegmentBytes& bytes);
};

// What the member `checksum` must be, given the loaded sections.
std::uint64_t ChecksumOf(PostingsHeader header, std::string_view loaded);

}  // namespace forge::index
