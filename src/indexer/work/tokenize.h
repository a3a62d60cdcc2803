// Makes segments from files.
//
// TokenizeRows cuts the rows into ranges of neighbours, one segment each, and a
// few threads work on them. So documents are numbered in path order, and a page
// of the catalog refers to few segments.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/size_limit.h"
#include "index/catalog/catalog_row.h"
#include "indexer/setup/throttle.h"
#include "scope/search_root.h"

namespace forge::indexer {

struct TokenizeOptions {
  std::function<std::unique_ptr<index::SegmentBuilder>()> make_builder;
  unsigned threads = 1;
  bool low_priority = false;
  SizeLimit size_limit;                   // larger files stay candidates
  std::int64_t stamp_granularity_ns = 0;  // E17
  const os::Clocks* clocks = &os::Clocks::System();
  Deadline deadline;
  std::uint64_t max_bytes = 0;  // of text in all; 0: no limit
};

// Takes a finished segment and gives it a number. One thread at a time calls it.
using SegmentSink = std::function<Result<index::SegmentId>(std::string image)>;

struct TokenizeProgress {
  std::atomic<std::uint64_t> files_done = 0;
  std::atomic<std::uint64_t> bytes_done = 0;
};

enum class TokenizeEnd { kFinished, kOutOfTime, kBudget, kStopped, kFailed };

// Fills in the rows and gives the segments with their documents to `sink`. Rows
// that it did not reach stay as they were. After kFailed `error` says why. Looks
// at the limits and at throttle.Stop() before each file (FR-LSI-BUD-INIT-01).
TokenizeEnd TokenizeRows(const SearchRoot& root, const std::vector<index::CatalogRow*>& rows,
                         const TokenizeOptions& options, Throttle& throttle, const SegmentSink& sink,
                         TokenizeProgress& progress, Error& error);

}  // namespace forge::indexer
