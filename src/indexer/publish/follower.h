// Follows the tree: brings what is published up to date with what the tracker
// reports.
//
// The rule for reading one's own writes (R1): a change that completed before a
// request is among the events that Follow() takes. From then on its file is a
// candidate until an update has indexed it again, and its text is not in memory.
// Indexing may lag; answers do not.
//
// A turn that is too short leaves the rest of the changes: events in the
// tracker, rows in Contents::pending. The next turn first applies those rows, for
// the tracker compares with the catalog.
//
// Its methods take the contents by reference, so their caller holds the mutex.
#pragma once

#include "backend/text_cache.h"
#include "indexer/publish/contents.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"
#include "os/wake.h"

namespace forge::indexer {

// How far a search may believe the snapshot.
enum class Trust {
  kNone,
  kValidate,  // of a file whose state it has compared with its row
  kFull,
};

class Follower {
 public:
  // All must outlive this.
  Follower(const RootSetup& setup, TreeTracker& tracker, TextCache& texts, StoreLink& store, os::Wake& wake)
      : setup_(setup), tracker_(tracker), texts_(texts), store_(store), wake_(wake) {}

  Trust trust(const Contents& now) const;

  // Applies what the watcher has queued. Requires a snapshot. In doubt it is
  // done: a scan comes, and sees everything.
  TurnEnd Follow(Contents& now, const Turn& turn);
  // The same for the background thread, in any state, until a search waits.
  TurnEnd FollowUntilAsked(Contents& now, const std::atomic<int>& waiting);

  // This row differs from its file, and no event says so.
  void Doubt(const std::string& path) { tracker_.Doubt(path); }
  // Whether an ignore file is another than at the last scan.
  bool RuleFilesDiffer() const { return tracker_.RuleFilesDiffer(); }

 private:
  void Take(Contents& now, const Turn& turn);
  TurnEnd Apply(Contents& now, const Turn& turn);
  void ApplyNext(Contents& now, const Turn& turn);

  const RootSetup& setup_;
  TreeTracker& tracker_;
  TextCache& texts_;
  StoreLink& store_;
  os::Wake& wake_;
};

}  // namespace forge::indexer
