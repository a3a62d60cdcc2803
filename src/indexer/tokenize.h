// From files to segments.
//
// Rows are cut into ranges of neighbours, one segment each, and worked on by a
// few threads: so documents are numbered in path order, and a page of the
// catalog refers to few segments.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "index/catalog/catalog_row.h"
#include "indexer/throttle.h"
#include "scope/search_root.h"

namespace forge::indexer {

struct TokenizeOptions {
  std::function<std::unique_ptr<index::SegmentBuilder>()> make_builder;
  unsigned threads = 1;
  bool low_priority = false;
  std::uint64_t max_file_size = 0;        // larger files stay candidates
  std::int64_t stamp_granularity_ns = 0;  // E17
  Deadline deadline;
  std::uint64_t max_bytes = 0;  // of text in all; 0: no limit
};

// Takes a finished segment and gives it a number; called by one thread at a time.
using SegmentSink = std::function<Result<index::SegmentId>(std::string image)>;

struct TokenizeProgress {
  std::atomic<std::uint64_t> files_done = 0;
  std::atomic<std::uint64_t> bytes_done = 0;
};

enum class TokenizeEnd { kFinished, kBudget, kStopped, kFailed };

// Fills in the rows, whose documents are in segments given to `sink`. Rows that
// were not reached stay as they were. After kFailed `error` says why.
TokenizeEnd TokenizeRows(const SearchRoot& root, const std::vector<index::CatalogRow*>& rows,
                         const TokenizeOptions& options, Throttle& throttle, const SegmentSink& sink,
                         TokenizeProgress& progress, Error& error);

}  // namespace forge::indexer
