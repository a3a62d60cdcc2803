// The layout of a segment with postings.
//
//   header | postings | dictionary | blocks | checksums
//
// Opening a segment loads all sections but the postings; one checksum covers
// these and the header. Postings have a checksum for each stripe of 64 KiB, in
// the last section. They come first because the dictionary says where each list
// is: so a segment can be written from start to end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

struct PostingsHeader {
  std::uint32_t docs = 0;
  std::uint32_t keys = 0;
  std::uint64_t postings_size = 0;
  std::uint64_t dictionary_size = 0;
  std::uint64_t blocks_size = 0;
  std::uint64_t checksum = 0;  // of the header with a zero here, and of the loaded sections

  static constexpr std::size_t kSize = 56;
  static constexpr std::uint64_t kStripeSize = 64 * 1024;  // of postings, for one checksum

  std::uint64_t stripes() const { return (postings_size + kStripeSize - 1) / kStripeSize; }
  std::uint64_t loaded_at() const { return kSize + postings_size; }
  std::uint64_t loaded_size() const { return dictionary_size + blocks_size + stripes() * sizeof(std::uint64_t); }

  std::string Encode() const;  // kSize bytes

  // False unless it fits into `image_size` bytes and the limits of a segment.
  static Result<PostingsHeader> Read(const SegmentBytes& bytes);
};

// What the member `checksum` must be, given the loaded sections.
std::uint64_t ChecksumOf(PostingsHeader header, std::string_view loaded);

}  // namespace forge::index
