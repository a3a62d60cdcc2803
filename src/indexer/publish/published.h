// What searches see of the index of one root, and what the background thread
// tells them: snapshot, safety state, queue of changed files, schedule.
//
// One mutex guards it all. Long work happens without the mutex, on copies or on
// data that no search touches meanwhile; then one short method publishes the
// outcome. A search waits for the mutex and for events no longer than its share
// of the time (FR-LSI-BUD-MAINT-01); the background thread catches up in steps, and
// gives way to a search that waits:
//
//   background                           a search
//   StartBuild()   state BUILDING        Begin(): no snapshot, the search walks
//   ... walks and reads, for minutes ...
//   Activate()     swaps the snapshot in,
//                  then applies what happened meanwhile (F1)
//   EndBuild()     state COMPLETE        Begin(): drains events, snapshot, trusted
//
// The rule for reading one's own writes (R1): a change that completed before a
// request is among the events that Begin() drains. From then on its file is a
// candidate until an update has indexed it again. Indexing may lag; answers do
// not.
//
// The tracker is used under the mutex while the state is COMPLETE, and by the
// background thread alone in any other state. The compiler cannot check that; the
// state can, and StartBuild(), StartReconcile() and Activate() are the borders.
//
// Thread-safe. Takes the mutex of StoreLink while it holds its own, never the
// other way round.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "forge/index.h"
#include "index/snapshot/snapshot.h"
#include "indexer/publish/change_queue.h"
#include "indexer/publish/view.h"
#include "indexer/safety/safety.h"
#include "indexer/safety/schedule.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"
#include "os/wake.h"

namespace forge::indexer {

class Published {
 public:
  Published(const RootSetup& setup, TreeTracker& tracker, StoreLink& store, os::Wake& wake);

  // --- searches, on any thread ---
  // Fills in all of the view except its build.
  View Begin(const ViewRequest& request, const Deadline& deadline) EXCLUDES(mutex_);
  // State and storage alone, for a request that does not need the index.
  View Look(const Deadline& deadline) EXCLUDES(mutex_);
  // The snapshot of a view, or the stored index, turned out to be damaged.
  void ReportDamage(const Error& error) EXCLUDES(mutex_);
  index::SnapshotPtr snapshot() const EXCLUDES(mutex_);
  index::Safety safety() const EXCLUDES(mutex_);
  std::string problem() const EXCLUDES(mutex_);  // what went wrong last; empty for nothing
  // State, sizes and problem.
  void Describe(IndexStatus& out) const EXCLUDES(mutex_);

  // --- the background thread: what to do ---
  Need NextNeed(std::int64_t now_ns) const EXCLUDES(mutex_);
  std::int64_t WaitMs(std::int64_t now_ns, std::int64_t most) const EXCLUDES(mutex_);
  // Applies what the watcher has queued.
  void CatchUp() EXCLUDES(mutex_);

  // --- sweeps ---
  // How many rows the sweep that is due looks at.
  std::uint64_t StartSweep(std::int64_t now_ns) EXCLUDES(mutex_);
  // These rows differ from their files. Each that no event explains counts as
  // unreported, and as changed.
  void EndSweep(const std::vector<index::CatalogRow>& differing) EXCLUDES(mutex_);

  Schedule::Budget budget() const EXCLUDES(mutex_);

  // --- after the stored index was opened ---
  void Opened(StoreLink::Loaded loaded) EXCLUDES(mutex_);
  void OpenedNothing() EXCLUDES(mutex_);
  void OpenFailed(const Error& error) EXCLUDES(mutex_);

  // --- scans ---
  // Both return a snapshot that the scan may reuse; it may be null.
  index::SnapshotPtr StartBuild() EXCLUDES(mutex_);
  index::SnapshotPtr StartReconcile() EXCLUDES(mutex_);
  void FoundSmall() EXCLUDES(mutex_);  // DISABLED: not worth an index
  void NoteProblem(const std::string& problem) EXCLUDES(mutex_);

  struct ScanResult {
    index::Catalog catalog;
    index::Segments segments;
    bool errors = false;      // a folder could not be listed
    bool racy_rules = false;  // an ignore file may have changed unseen
  };
  // Swaps the result in. Only the state at the end of the scan says whether a
  // search may trust it. What happened during the scan is applied now or by the
  // next search, in any case before one trusts the result (F1).
  void Activate(ScanResult result) EXCLUDES(mutex_);
  void EndBuild() EXCLUDES(mutex_);
  void EndReconcile(bool done) EXCLUDES(mutex_);
  // The build stopped; a tree of at most this size would fit.
  void StopAtBudget(Schedule::Budget fits, const std::string& why) EXCLUDES(mutex_);
  void Measured(bool fits) EXCLUDES(mutex_);

  // --- updates ---
  // Changed files that are being indexed again.
  struct Update {
    std::vector<index::CatalogRow> rows;           // in path order
    std::map<std::string, std::uint64_t> numbers;  // under which each was queued
  };
  // Nothing if no file is due, or a scan has to come first.
  std::optional<Update> StartUpdate(std::int64_t now_ns) EXCLUDES(mutex_);
  // Publishes what the update read. Returns what to store; nothing if doubts
  // arose. Leaves out the rows of files that changed meanwhile.
  std::optional<index::StoreChange> EndUpdate(Update update, index::Segments segments) EXCLUDES(mutex_);
  // Empty if the queue is empty; else the time until the files that settle soon
  // have settled.
  std::optional<std::int64_t> SettlesInNs() const EXCLUDES(mutex_);

  // --- what goes wrong ---
  // Drops everything; the next attempt comes later each time.
  void Fail(const Error& error, bool partial) EXCLUDES(mutex_);
  void GiveUp(const std::string& why) EXCLUDES(mutex_);  // over a limit: DISABLED
  void Evicted() EXCLUDES(mutex_);
  void StoreLost(const Error& error, bool building) EXCLUDES(mutex_);
  void StoreFound() EXCLUDES(mutex_);  // all is built and stored again
  void Stored() EXCLUDES(mutex_);
  void Checked() EXCLUDES(mutex_);

  // What Close() writes; empty if there is no index.
  std::optional<index::StoreChange> Checkpoint() const EXCLUDES(mutex_);

 private:
  // The files that changed and were not indexed again, as rows that exclude
  // nothing and that the next scan indexes (FR-LSI-BG-41).
  std::vector<index::CatalogRow> ChangedRows() const REQUIRES(mutex_);
  enum class Trust { kNone, kValidate, kFull };

  Trust trust() const REQUIRES(mutex_);
  Situation situation() const REQUIRES(mutex_);
  std::optional<BypassReason> BypassOf(const ViewRequest& request) const REQUIRES(mutex_);
  void Happen(index::Trigger trigger) REQUIRES(mutex_);
  bool LockWithin(const Deadline& deadline) TRY_ACQUIRE(true, mutex_);
  View BusyView() const;
  View BeginLocked(const ViewRequest& request, const Deadline& share) REQUIRES(mutex_);
  Deadline ShareOf(const Deadline& deadline) const;
  // True if nothing is left of what the watcher has queued.
  bool CatchUpFor(const Turn& turn) REQUIRES(mutex_);
  bool CatchUpStep() REQUIRES(mutex_);
  void Apply(const TreeChanges& changes) REQUIRES(mutex_);
  void Damage(const Error& error) REQUIRES(mutex_);
  void Publish(index::Catalog catalog, index::Segments segments) REQUIRES(mutex_);
  void Queue(const std::string& path, std::int64_t not_before_ns) REQUIRES(mutex_);
  std::optional<index::StoreChange> PublishUpdate(Update update, index::Segments segments,
                                                  std::set<std::string>& removed) EXCLUDES(mutex_);
  bool TakeOffQueue(const index::CatalogRow& row, std::uint64_t number) REQUIRES(mutex_);
  void StartScan(index::Trigger trigger) REQUIRES(mutex_);
  void LeaveDisabled() REQUIRES(mutex_);
  void Drop(const std::string& why) REQUIRES(mutex_);
  std::int64_t SettlesAt(std::int64_t ctime_ns) const;
  std::int64_t now_ns() const { return setup_.clocks->FileNs(); }

  const RootSetup& setup_;
  TreeTracker& tracker_;
  StoreLink& store_;
  os::Wake& wake_;
  std::atomic<int> waiting_ = 0;  // searches that want the mutex, or have it

  mutable Mutex mutex_;
  index::Safety safety_ GUARDED_BY(mutex_);
  index::SnapshotPtr snapshot_ GUARDED_BY(mutex_);
  ChangeQueue queue_ GUARDED_BY(mutex_);
  std::set<std::string> removed_ GUARDED_BY(mutex_);  // files that are gone and may still be stored
  std::uint64_t unreported_ GUARDED_BY(mutex_) = 0;
  Schedule schedule_ GUARDED_BY(mutex_);
  std::string problem_ GUARDED_BY(mutex_);
};

}  // namespace forge::indexer
