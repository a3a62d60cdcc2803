// What the index contributes to one request.
#pragma once

#include <string>

#include "backend/backend.h"
#include "indexer/index_set.h"
#include "search/eligible_stream.h"
#include "search/request.h"

namespace forge {

struct IndexShare {
  IndexUse use;
  bool trusted = false;  // the catalog replaces a walk
  indexer::View view;
  indexer::Bypass bypass = indexer::Bypass::kNone;  // why nothing is excluded
};

// `indexes` may be null. `folder` is the search root. Fuzzy plans are proved for
// the native metric only; `native` says that it decides.
IndexShare AskIndex(indexer::IndexSet* indexes, const std::string& folder, const CheckedRequest& request,
                    const Query& query, bool native, const Deadline& deadline);

// Fills in what the response's stats say about the index.
void DescribeIndex(const IndexShare& share, std::uint64_t excluded, SearchStats& stats);

}  // namespace forge
