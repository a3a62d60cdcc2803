// What the index contributes to one request.
#pragma once

#include <optional>
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
  index::TokenQuery tokens;            // what was asked of it
  std::optional<BypassReason> bypass;  // why nothing is excluded
};

struct IndexQuestion {
  bool counted = true;      // see SearchOptions
  bool every_file = false;  // a file without a match is part of the answer, too
};

// `indexes` may be null. `folder` is the search root.
IndexShare AskIndex(indexer::IndexSet* indexes, const std::string& folder, const CheckedRequest& request,
                    const Query& query, const Backend& backend, const Deadline& deadline,
                    const IndexQuestion& question);

// For a request that names a single file in `folder`: the file is read whatever
// the index says, so only the state of the index is of interest.
IndexShare LookAtIndex(indexer::IndexSet* indexes, const std::string& folder, const Deadline& deadline);

// How many files each part of the question leaves.
Result<IndexExplanation> Explain(const IndexShare& share);

// Fills in what the response's stats say about the index.
void DescribeIndex(const IndexShare& share, SearchStats& stats);

}  // namespace forge
