// The index of one root: opens it, builds it, keeps it up to date, answers.
//
//   background thread        Open, Work, CatchUp, Close       may take long
//   any request              Begin                            takes moments
//
// A façade over its parts, each of which can be tested alone:
//
//   Published     what searches see, under one mutex; holds the Schedule
//   Views         what a search asks of it
//   ScanSteps     what a scan tells it, and what goes wrong
//   UpdateSteps   what an update tells it
//   Schedule      what is needed next, and when: a pure value
//   Builder       scans of the whole tree
//   Updater       changed files, indexed again
//   Sweeper       rows, compared with their files, because some changes cause no event
//   StoreLink     the store, its loss and its limits
//   TreeTracker   the files as they are, and how they change
//
// We believe only what is proved. A change that completed before a request is
// among the events that Begin drains. From then on its file is a candidate
// until an update has indexed it again (R1).
//
// Any thread may call anything. Requests do not wait for work: one thread at a time
// works on the index, and another one that wants to (a caller of the library that
// builds or clears, beside the background thread) waits for the end of that step.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/text_cache.h"
#include "base/mutex.h"
#include "forge/index.h"
#include "indexer/publish/published.h"
#include "indexer/publish/scan_steps.h"
#include "indexer/publish/update_steps.h"
#include "indexer/publish/view.h"
#include "indexer/publish/views.h"
#include "indexer/setup/root_setup.h"
#include "indexer/setup/throttle.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"
#include "indexer/work/builder.h"
#include "indexer/work/scan_progress.h"
#include "indexer/work/segment_maker.h"
#include "indexer/work/sweeper.h"
#include "indexer/work/updater.h"
#include "os/wake.h"

namespace forge::indexer {

class RootIndex {
 public:
  explicit RootIndex(RootSetup setup);

  const std::string& root() const { return setup_.root; }
  const os::Clocks& clocks() const { return *setup_.clocks; }
  bool automatic() const { return setup_.config.mode == IndexMode::kAuto; }

  // --- requests, on any thread ---
  View Begin(const ViewRequest& request, const Deadline& deadline);
  // State and storage alone, for a request that does not need the index.
  View Look(const Deadline& deadline) { return views_.Look(deadline); }
  // The snapshot of a view turned out to be damaged.
  void ReportDamage(const Error& error) { views_.ReportDamage(error); }
  IndexStatus status() const;
  index::SnapshotPtr snapshot() const { return published_.snapshot(); }
  // What the tree has below the folder `relative` and the index has not.
  std::vector<LeftOutEntry> LeftOut(std::string_view relative, LeftOutBy by) const {
    return tracker_.left_out().Below(relative, by);
  }
  index::Safety safety() const { return published_.safety(); }
  IndexStorage storage() const { return store_.storage(); }
  Status HasNoOtherWriter() const { return store_.HasNoOtherWriter(); }

  // --- the background thread, the command line, tests: work, one thread at a time ---
  // Loads what is stored, if anything is.
  void Open() EXCLUDES(working_);
  // Enumerates, indexes what is new or changed, and publishes. With
  // `thresholds`, ends DISABLED if the tree is small (auto mode).
  BuildEnd Build(bool thresholds) EXCLUDES(working_) {
    const Lock lock(working_);
    return builder_.Build(thresholds);
  }
  // A bounded Build that resolves doubts; false if it did not fit.
  bool Reconcile() EXCLUDES(working_) {
    const Lock lock(working_);
    return builder_.Reconcile();
  }
  // Indexes changed files again; `now_ns` is the file clock.
  void Maintain(std::int64_t now_ns) EXCLUDES(working_) {
    const Lock lock(working_);
    updater_.Maintain(now_ns);
  }
  // Reads everything that is stored again. Damage has the same effect as when a
  // search meets it.
  void CheckIntegrity() EXCLUDES(working_);
  // Indexes files again that were read too soon after they were written, until
  // all have settled or have had their chance. It waits for that. For the
  // command line.
  UpdateEnd SettleNow() EXCLUDES(working_) {
    const Lock lock(working_);
    return updater_.SettleNow();
  }
  // Forgets everything, including the stored index.
  Status Clear() EXCLUDES(working_);
  // Writes what is worth keeping. Afterwards only requests may be made.
  void Close() EXCLUDES(working_);

  // What the background thread has to do next.
  Need need(std::int64_t now_ns) const { return published_.NextNeed(now_ns); }
  // Does it; false if there is nothing to do.
  bool Work(std::int64_t now_ns, bool thresholds) EXCLUDES(working_);
  // Logs what has gone wrong, once (FR-LSI-BG-22, FR-LSI-STOR-FALLBACK-01).
  void LogProblem();
  // How long the thread may wait before it asks again, at most `most`.
  std::int64_t NextLookMs(std::int64_t now_ns, std::int64_t most) const;
  // Applies what the watcher has queued.
  void CatchUp() { published_.CatchUp(); }
  int watch_fd() const { return tracker_.watch_fd(); }
  // Wakes the background thread when a request finds work to do.
  os::Wake& wake() { return wake_; }

  // --- any thread ---
  // Ends what runs, soon.
  void Stop() { throttle_.Stop(); }
  bool stopped() const { return throttle_.stopped(); }
  // Stop() took too long: from now on it writes nothing.
  void Abandon() { store_.Seal(); }
  bool abandoned() const { return store_.sealed(); }

 private:
  void OfferTexts(View& view);
  // Memory that searches have freed stays with their threads' heaps: after eight at once,
  // 40 MB beside the 47 that a server with the index of 78,000 files needs. So it goes
  // back when none came for a while. Not sooner: the next search would fetch it again.
  static constexpr std::chrono::seconds kQuietBeforeReturn{30};
  bool OwesMemory() const { return throttle_.last_search() != returned_after_.load(); }
  std::int64_t ReturnInMs() const;
  void ReturnMemoryAfterSearches();
  void CheckStored() REQUIRES(working_);
  void StoreAgain(bool thresholds) REQUIRES(working_);
  bool IsSmall(const index::Catalog& catalog) const;
  void DropIfSmall();

  Mutex working_;
  std::string logged_;                                                   // the last problem; for the background thread
  std::atomic<Clock::time_point> returned_after_ = Clock::time_point();  // the search after which memory was returned
  RootSetup setup_;
  Throttle throttle_;
  os::Wake wake_;
  TreeTracker tracker_;
  ScanProgress progress_;
  TextCache texts_;
  StoreLink store_;
  Published published_;
  Views views_;
  ScanSteps scans_;
  UpdateSteps updates_;
  SegmentMaker maker_;
  Builder builder_;
  Updater updater_;
  Sweeper sweeper_;
};

}  // namespace forge::indexer
