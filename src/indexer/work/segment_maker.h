// Reads files of a root and makes segments of them, which are kept in the store
// or in memory. Builds and updates share it.
//
//   SegmentMaker::Outcome made = maker.Make({.rows = rows, .deadline = ...}, progress, segments);
//
// For the background thread alone, which uses several threads for a while.
#pragma once

#include <cstdint>
#include <vector>

#include "index/snapshot/snapshot.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"
#include "indexer/work/tokenize.h"

namespace forge::indexer {

inline constexpr const char* kOverMemory = "the index needs more memory than index_max_memory_bytes";
inline constexpr const char* kOverDisk = "the index is larger than index_max_db_bytes";

class SegmentMaker {
 public:
  struct Job {
    std::vector<index::CatalogRow*> rows;
    Deadline deadline;
    bool one_thread = false;
    std::uint64_t most_bytes = 0;  // of text; 0: no limit
    std::uint64_t held = 0;        // memory of the index beside `segments`
  };
  struct Outcome {
    TokenizeEnd end = TokenizeEnd::kFinished;
    Error error;              // for kFailed
    bool over_limit = false;  // kFailed, because index_max_memory_bytes or index_max_db_bytes is reached
    std::vector<index::SegmentId> made;
  };

  SegmentMaker(const RootSetup& setup, Throttle& throttle, StoreLink& store);

  // For the start of a scan: there may be another folder at the root's path by
  // now.
  void Reopen();
  bool is_open() const { return files_.ok(); }
  // Opens the root if that failed before: it may have been missing for a
  // moment.
  Status EnsureOpen();

  // Fills in the rows and adds to `segments`. Requires is_open().
  Outcome Make(const Job& job, TokenizeProgress& progress, index::Segments& segments);

 private:
  TokenizeOptions OptionsOf(const Job& job) const;

  const RootSetup& setup_;
  Throttle& throttle_;
  StoreLink& store_;
  os::OsResult<SearchRoot> files_;
};

}  // namespace forge::indexer
