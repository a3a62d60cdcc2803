// What a catalog says should be indexed again, or thrown away. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/catalog/catalog.h"
#include "index/snapshot/snapshot.h"

namespace forge::indexer {

// Files that were never read, or were read too soon after they were written for
// their stamps to be believed.
struct Unsettled {
  std::string path;
  std::optional<std::int64_t> ctime_ns;  // empty: never read
};
std::vector<Unsettled> UnsettledFiles(const index::Catalog& catalog);

// Many small segments make every query slower. When there are more than a few,
// these are their files, to be indexed again together.
std::vector<std::string> FilesOfSmallSegments(const index::Snapshot& snapshot);

// Takes segments away that no row refers to, and names them.
std::vector<index::SegmentId> DropUnused(const index::Catalog& catalog, index::Segments& segments);

}  // namespace forge::indexer
