// The part of an index that a search holds while it runs: catalog and segments.
//
// Immutable and shared: a writer makes a new one and swaps it in, and no search
// waits.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "index/catalog/catalog.h"
#include "index/segment/segment.h"
#include "index/snapshot/key.h"

namespace forge::index {

using Segments = std::map<SegmentId, std::shared_ptr<const Segment>>;

struct Snapshot {
  IndexKey key;
  Catalog catalog;
  Segments segments;

  std::size_t memory() const {
    std::size_t bytes = catalog.memory();
    for (const auto& [id, segment] : segments) bytes += segment->memory();
    return bytes;
  }
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace forge::index
