// What is published of the index of one root: the snapshot, whether a search may
// believe it, the changed files that wait, and what is needed next.
//
// A value; Published guards it. Functions that work on it take it by reference
// and need no lock of their own: clang checks that the place where
// Published::now is passed on holds the mutex.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "index/snapshot/snapshot.h"
#include "indexer/publish/change_queue.h"
#include "indexer/safety/safety.h"
#include "indexer/safety/schedule.h"
#include "indexer/setup/root_setup.h"
#include "indexer/track/catalog_edits.h"

namespace forge::indexer {

// Changes of the tree, the first of which the catalog has already.
struct PendingChanges {
  TreeChanges changes;
  std::size_t rows_done = 0;
  std::size_t removed_done = 0;

  std::span<const index::CatalogRow> rows() const { return std::span(changes.rows).subspan(rows_done); }
  std::span<const std::string> removed() const { return std::span(changes.removed).subspan(removed_done); }
  bool empty() const { return rows().empty() && removed().empty(); }
};

struct Contents {
  explicit Contents(const RootSetup& setup);

  index::Safety safety;
  index::SnapshotPtr snapshot;  // null: none
  PendingChanges pending;       // found, and not in the snapshot yet
  ChangeQueue queue;
  std::set<std::string> removed;  // files that are gone and may still be stored
  std::uint64_t unreported = 0;
  Schedule schedule;
  std::string problem;  // what went wrong last; empty for nothing

  void Happen(index::Trigger trigger) { safety = index::Next(safety, trigger); }
  // One look at the tree found all of these; their order is not known (P1 to P4).
  void Happen(std::span<const index::Trigger> triggers) { safety = index::Next(safety, triggers); }
  // Swaps in the next version of the snapshot.
  void Swap(const index::IndexKey& key, index::Catalog catalog, index::Segments segments);
  // No index is left, and nothing waits for one.
  void Drop();
  void Drop(std::string_view why) {
    Drop();
    problem = why;
  }

  Situation situation() const;
};

// When to read a file again that was read too soon after it was written. If it
// was written while the clock was ahead, it waits for that time; otherwise we
// would read it again and again until then.
std::int64_t SettlesAt(const RootSetup& setup, std::int64_t ctime_ns);

}  // namespace forge::indexer
