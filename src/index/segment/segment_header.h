// How every segment begins: magic bytes, version, kind.
//
//   "forgeseg" | version u8 | kind u8 | what belongs to the kind
//
// See postings/postings_header.h and bloom/bloom_segment.h for the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

inline constexpr std::string_view kSegmentMagic = "forgeseg";
inline constexpr std::size_t kSegmentVersionAt = 8;
inline constexpr std::size_t kSegmentKindAt = 9;
inline constexpr std::uint8_t kSegmentVersion = 1;
inline constexpr std::uint8_t kPostingsKind = 1;
inline constexpr std::uint8_t kBloomKind = 2;

// A header of `size` bytes: magic bytes, version and `kind`, then zeros.
std::string SegmentStart(std::uint8_t kind, std::size_t size);

// The kind of a segment, after a look at magic and version.
Result<std::uint8_t> SegmentKind(const SegmentBytes& bytes);

}  // namespace forge::index
