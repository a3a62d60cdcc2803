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
  indexer::RootIndex* root = nullptr;  // of the folder; null: it has none
  IndexUse use;
  bool trusted = false;  // the catalog replaces a walk
  indexer::View view;
  index::TokenQuery tokens;            // what was asked of it
  std::optional<BypassReason> bypass;  // why nothing is excluded
};

// What is asked of an index, and by which search.
struct IndexQuestion {
  indexer::IndexSet* indexes = nullptr;  // may be null
  const std::string& folder;             // the search root
  bool names_file = false;               // the request names a single file in `folder`
  const CheckedRequest& request;
  const Query& query;
  const Backend& backend;
  bool counted = true;      // see SearchOptions
  bool peek = false;        // see ViewRequest
  bool every_file = false;  // a file without a match is part of the answer, too
};

// A file that is named is read whatever the index says: of the index, only its
// state is of interest then.
IndexShare AskIndex(const IndexQuestion& question, const Deadline& deadline);

// After the search. If it met damage, it has read all that it could not judge; every
// other search goes on without the index until that is built anew.
void EndShare(IndexShare& share);

// How many files each part of the question leaves.
Result<IndexExplanation> Explain(const IndexShare& share);

// Fills in what the response's stats say about the index.
void DescribeIndex(const IndexShare& share, SearchStats& stats);

}  // namespace forge
