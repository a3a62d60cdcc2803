// What searches see of the index of one root, under one mutex.
//
//   const Lock lock(published.mutex);
//   published.now.Happen(index::Trigger::kEvicted);
//
// Long work happens without the mutex, on copies or on data that no search
// touches meanwhile; then a short step publishes the outcome. Three classes have
// the steps, one for each kind of caller:
//
//   Views         what a search asks
//   ScanSteps     how a scan of the whole tree begins and ends, and what goes wrong
//   UpdateSteps   how changed files are taken from the queue and published again
//
//   background                           a search
//   StartBuild()   state BUILDING        Begin(): no snapshot, the search walks
//   ... walks and reads, for minutes ...
//   Activate()     swaps the snapshot in,
//                  then applies what happened meanwhile (F1)
//   EndBuild()     state COMPLETE        Begin(): drains events, snapshot, trusted
//
// A search waits for the mutex no longer than its share of the time
// (FR-LSI-BUD-MAINT-01). The background thread catches up in steps, and gives way
// to a search that waits.
//
// Thread-safe. The mutexes of TreeTracker and StoreLink are taken while this one
// is held, never the other way round.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "backend/text_cache.h"
#include "base/mutex.h"
#include "forge/index.h"
#include "indexer/publish/contents.h"
#include "indexer/publish/follower.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"
#include "os/wake.h"

namespace forge::indexer {

class Published {
 public:
  // All must outlive this.
  Published(const RootSetup& setup, TreeTracker& tracker, TextCache& texts, StoreLink& store, os::Wake& wake)
      : follower(setup, tracker, texts, store, wake), now(setup), setup_(setup) {}

  Follower follower;  // thread-safe: it works on what it is given
  mutable Mutex mutex;
  Contents now GUARDED_BY(mutex);
  std::atomic<int> waiting = 0;  // searches that want the mutex, or have it

  // Applies what the watcher has queued; for the background thread.
  void CatchUp() EXCLUDES(mutex);

  // What the background thread has to do next, and how long it may wait before
  // it asks again, at most `most`.
  Need NextNeed(std::int64_t now_ns) const EXCLUDES(mutex);
  std::int64_t WaitMs(std::int64_t now_ns, std::int64_t most) const EXCLUDES(mutex);

  index::SnapshotPtr snapshot() const EXCLUDES(mutex);
  index::Safety safety() const EXCLUDES(mutex);
  std::string problem() const EXCLUDES(mutex);
  // State, sizes and problem.
  void Describe(IndexStatus& out) const EXCLUDES(mutex);

 private:
  const RootSetup& setup_;
};

}  // namespace forge::indexer
