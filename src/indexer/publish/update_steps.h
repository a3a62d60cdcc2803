// The two moments of an update that searches see: changed files are taken from
// the queue, and published when they are indexed again.
//
//   if (auto update = updates.Start(now)) {
//     ... reads update->rows, makes segments ...
//     updates.End(std::move(*update), segments);
//   }
//
// Each takes the mutex for a moment. For the background thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "index/snapshot/snapshot.h"
#include "index/store/store.h"
#include "indexer/publish/published.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"

namespace forge::indexer {

class UpdateSteps {
 public:
  // Changed files that are being indexed again.
  struct Update {
    std::vector<index::CatalogRow> rows;           // in path order
    std::map<std::string, std::uint64_t> numbers;  // under which each was queued
  };

  // All must outlive this.
  UpdateSteps(const RootSetup& setup, StoreLink& store, Published& published)
      : setup_(setup), store_(store), published_(published) {}

  // Nothing if no file is due, or a scan has to come first.
  std::optional<Update> Start(std::int64_t now_ns);
  // Publishes what the update read. Returns what to store; nothing if doubts
  // arose. Leaves out the rows of files that changed meanwhile.
  std::optional<index::StoreChange> End(Update update, index::Segments segments);
  // Empty if the queue is empty; else the time until the files that settle soon
  // have settled.
  std::optional<std::int64_t> SettlesInNs() const;

 private:
  std::optional<index::StoreChange> Publish(Update update, index::Segments segments, std::set<std::string>& removed);
  bool TakeOffQueue(Contents& now, const index::CatalogRow& row, std::uint64_t number) const;

  const RootSetup& setup_;
  StoreLink& store_;
  Published& published_;
};

// Many small segments make every query slower. If there are more than a few,
// these are their files, to be indexed again together.
std::vector<std::string> FilesOfSmallSegments(const index::Snapshot& snapshot);

// Removes segments that no row refers to, and returns their numbers.
std::vector<index::SegmentId> DropUnused(const index::Catalog& catalog, index::Segments& segments);

}  // namespace forge::indexer
