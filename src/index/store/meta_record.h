// The root of what is stored: one row that confirms all the rest.
//
// It names every sheet of the catalog with its checksum, in order, and has a
// digest of the segments; its own checksum covers all of that. So if a reader
// finds every checksum right, it has exactly what one commit wrote: no sheet is
// missing, from another commit, or out of order, even if SQLite's own trees are
// damaged.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/store/store.h"

namespace forge::index {

struct SheetEntry {
  std::uint64_t id = 0;
  std::uint64_t checksum = 0;
  std::uint64_t rows = 0;

  friend bool operator==(const SheetEntry&, const SheetEntry&) = default;
};

struct SegmentRecord {
  SegmentId id = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;        // of the whole file
  std::uint64_t edges_checksum = 0;  // of its beginning and end: quick to compare

  friend bool operator==(const SegmentRecord&, const SegmentRecord&) = default;
};

struct MetaRecord {
  IndexMeta meta;
  std::uint64_t generation = 0;  // counts commits
  std::vector<SheetEntry> sheets;
  std::uint64_t segments_digest = 0;

  std::uint64_t files() const;
};

std::string PackSheets(std::span<const SheetEntry> sheets);
bool UnpackSheets(std::string_view bytes, std::vector<SheetEntry>& sheets);

std::uint64_t ChecksumOf(const MetaRecord& record);
std::uint64_t SheetChecksum(std::uint64_t id, std::string_view content);
std::uint64_t DigestOf(std::span<const SegmentRecord> segments);

}  // namespace forge::index
