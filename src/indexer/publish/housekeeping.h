// What a catalog says must be indexed again, or can be dropped. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/catalog/catalog.h"
#include "index/snapshot/snapshot.h"

namespace forge::indexer {

// Files that were never read, or were read so soon after a write that their
// stamps are not reliable.
struct Unsettled {
  std::string path;
  std::optional<std::int64_t> ctime_ns;  // empty: never read
};
std::vector<Unsettled> UnsettledFiles(const index::Catalog& catalog);

// Many small segments make every query slower. If there are more than a few,
// these are their files, to be indexed again together.
std::vector<std::string> FilesOfSmallSegments(const index::Snapshot& snapshot);

// Removes segments that no row refers to, and returns their numbers.
std::vector<index::SegmentId> DropUnused(const index::Catalog& catalog, index::Segments& segments);

}  // namespace forge::indexer
