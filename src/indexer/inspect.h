// Examines an index: is it right, and what would it do?
//
//   IndexVerification found = Verify(root, *snapshot, cancel);   // problems: what is wrong
//   auto steps = Explain(snapshot, query);                       // how many files each part leaves
//
// Both only read a snapshot that never changes, so any thread may call them.
#pragma once

#include "forge/cancel.h"
#include "forge/index.h"
#include "index/snapshot/snapshot.h"
#include "scope/search_root.h"

namespace forge::indexer {

// Reads every file that the index could exclude, and checks that each gram of
// the file finds it (see segment_proof.h). Reads every byte of the segments. A
// file that changed since it was indexed is counted, not compared.
IndexVerification Verify(const SearchRoot& root, const index::Snapshot& snapshot, const CancelToken& cancel);

// How many files each part of a plan leaves, and how many the whole plan
// leaves.
Result<IndexExplanation> Explain(const index::SnapshotPtr& snapshot, const index::TokenQuery& query);

}  // namespace forge::indexer
