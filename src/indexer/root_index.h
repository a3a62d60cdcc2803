// The index of one root: opened, built, kept up to date, asked.
//
//   background thread        Open, Build, Maintain, Close     may take long
//   any request              Begin                            takes moments
//
// One mutex guards what both use: safety state, snapshot, the tree tracker
// while the state is COMPLETE, the queue of changed files. Long work happens
// outside it, on a tracker that no request touches meanwhile because the state
// is not COMPLETE, or on copies.
//
// Nothing is believed that was not proved: a change that completed before a
// request is among the events that Begin drains, and from then on its file is a
// candidate until Maintain has indexed it again (R1). Indexing may lag; answers
// do not.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "forge/config.h"
#include "forge/index.h"
#include "index/snapshot/snapshot.h"
#include "index/store/store.h"
#include "indexer/safety/safety.h"
#include "indexer/tokenize.h"
#include "indexer/tree_tracker.h"
#include "indexer/view.h"
#include "os/wake.h"

namespace forge::indexer {

struct RootSetup {
  std::shared_ptr<const Sandbox> sandbox;
  std::string root;  // canonical
  IndexConfig config;
  std::uint64_t max_file_size = 0;
  index::IndexKey key;
  std::string policy_hash;
  std::shared_ptr<const GitEnvironment> git;  // null: the process environment
  std::unique_ptr<os::Watcher> watcher;       // null: none
  std::unique_ptr<index::Store> store;        // null: in memory
  index::StoreOptions store_options;
  std::string store_folder;
  std::string storage_fallback;    // why it is in memory (F27); empty for none
  bool trustworthy_stamps = true;  // else nothing is ever excluded (remote file systems)
  std::int64_t stamp_granularity_ns = 50'000'000;
  std::function<std::unique_ptr<index::SegmentBuilder>()> make_builder;
  ThrottleOptions throttle;
  unsigned threads = 2;
  bool low_priority = false;
};

class RootIndex {
 public:
  explicit RootIndex(RootSetup setup);
  ~RootIndex();

  const std::string& root() const { return setup_.root; }

  // --- requests, on any thread ---
  View Begin(const ViewRequest& request, const Deadline& deadline);
  // The snapshot of a view turned out to be damaged.
  void ReportDamage(const Error& error);
  IndexStatus status() const;
  index::SnapshotPtr snapshot() const;

  // --- the background thread, the command line, tests ---
  // Loads what is stored, if anything is.
  void Open();
  // Enumerates, indexes what is new or changed, and publishes. With
  // `thresholds`, ends DISABLED if the tree is small (auto mode).
  void Build(bool thresholds);
  // A bounded Build that resolves doubts; false if it did not fit.
  bool Reconcile();
  // Indexes changed files again; `now_ns` is the file clock.
  void Maintain(std::int64_t now_ns);
  // Reads all that is stored again; damage is treated as when a search meets it.
  void CheckIntegrity();
  // Indexes again what was read too soon after it was written, until all is
  // settled or has had its chance; waits for that. For the command line.
  void SettleNow();
  // Forgets everything, also what is stored.
  Status Clear();
  // Writes what is worth keeping. Afterwards only requests may be made.
  void Close();

  // What the background thread should do next.
  enum class Need { kNothing, kBuild, kReconcile, kMaintain, kReevaluate, kStoreAgain, kCheck, kMeasure };
  Need need(std::int64_t now_ns) const;
  // Does it; false if there is nothing to do.
  bool Work(std::int64_t now_ns, bool thresholds);
  // How long the thread may wait before it asks again, at most `most`.
  std::int64_t NextLookMs(std::int64_t now_ns, std::int64_t most) const;

  // Ends a Build or Maintain that runs, soon.
  void Stop() {
    throttle_.Stop();
    stop_.Cancel();
  }
  bool stopped() const { return throttle_.stopped(); }

  int watch_fd() const { return watch_fd_; }
  // Applies what the watcher has queued.
  void CatchUp();
  // Rung when a request finds something to do.
  os::Wake& wake() { return wake_; }

 private:
  struct Pending {
    std::uint64_t sequence = 0;
    std::int64_t queued_ns = 0;
    std::int64_t not_before_ns = 0;
  };
  // The file of a segment as it was when it was opened.
  struct SegmentFile {
    std::string path;
    os::OsResult<os::FileInfo> info = os::OsError{};
  };
  enum class Trust { kNone, kValidate, kFull };
  struct Scan;    // one Build on its way
  struct Update;  // one Maintain

  // With mutex_ held.
  Trust trust() const;
  bool IsCheckDue() const;
  void NoteSegmentLocked(index::SegmentId id);
  void ForgetSegmentsLocked();
  void CheckSegmentFilesLocked();
  void DamageLocked(const Error& error);
  void CatchUpLocked(const Deadline& deadline);
  void ApplyLocked(const TreeChanges& changes);
  void RaiseLocked(index::Trigger trigger);
  void StartScanLocked(index::Trigger trigger);
  void LeaveDisabledLocked();
  void StopAtBudgetLocked(bool walked, const std::string& why);
  void Measure();
  bool IsSmall();
  void EnforceLimits();
  void GiveUpLocked(const std::string& why);
  void GiveBackLocked(const std::string& why);
  // Whether what is built is written to the store.
  bool Stores() const { return setup_.store && setup_.store->writable() && !store_lost_; }
  bool IsStored() const { return setup_.store && !store_lost_; }
  void LoseStore(const Error& error);
  void StoreAgain(bool thresholds);
  std::int64_t NextScanLocked() const;
  void QueueLocked(const std::string& path, std::int64_t not_before_ns);
  void PublishLocked(index::Catalog catalog, index::Segments segments);
  std::string BypassOf(const ViewRequest& request) const;

  void Phase(const std::string& phase);
  Deadline BuildDeadline() const;
  bool EnumerateInto(Scan& scan, const Deadline& deadline, std::uint64_t most_files);
  void ReuseRows(Scan& scan) const;
  TokenizeEnd TokenizeInto(Scan& scan, const Deadline& deadline);
  Result<index::SegmentId> Keep(std::string image, index::Segments& segments);
  Status Persist(const Scan& scan, bool complete);
  Status Commit(const index::StoreChange& change);
  void Activate(Scan& scan);
  void Fail(const Error& error, bool partial);
  void QueueUnsettledLocked(const index::Catalog& catalog);
  std::vector<index::CatalogRow> TakePendingLocked(std::int64_t now_ns, std::map<std::string, std::uint64_t>& taken);
  void AddSmallSegmentsLocked();
  bool BeginUpdate(std::int64_t now_ns, Update& update);
  bool TokenizeUpdate(Update& update);
  bool PublishUpdate(Update& update);
  bool TakeOffQueueLocked(const index::CatalogRow& row, std::uint64_t sequence);
  std::int64_t SettlesAt(const os::FileInfo& info) const;
  std::vector<index::CatalogRow> ChangedRowsLocked() const;
  index::IndexMeta MetaLocked(bool complete) const;
  TokenizeOptions Tokenizing(const Deadline& deadline) const;

  RootSetup setup_;
  Throttle throttle_;
  CancelSource stop_;
  os::Wake wake_;
  TreeTracker tracker_;
  const int watch_fd_;
  os::OsResult<SearchRoot> files_;
  TokenizeProgress progress_;

  mutable std::mutex mutex_;
  index::Safety safety_;
  index::SnapshotPtr snapshot_;
  std::map<std::string, Pending> pending_;
  std::uint64_t sequence_ = 0;
  std::int64_t last_change_ns_ = 0;
  index::SegmentId next_segment_ = 1;
  std::map<index::SegmentId, SegmentFile> segment_files_;
  std::atomic<bool> store_lost_ = false;  // nothing more is written
  std::string store_problem_;
  std::int64_t store_again_ns_ = 0;
  std::int64_t store_cooldown_ms_ = 0;
  std::string problem_;
  std::string phase_;
  std::uint64_t files_total_ = 0;
  std::uint64_t bytes_total_ = 0;
  Clock::time_point phase_began_;
  std::int64_t elapsed_ms_ = 0;
  std::int64_t created_ms_ = 0;
  std::int64_t updated_ms_ = 0;
  std::int64_t calls_below_threshold_ = 0;
  std::int64_t calls_since_check_ = 0;
  std::int64_t disabled_until_ns_ = 0;
  std::int64_t cooldown_ms_ = 0;
  std::int64_t reconcile_after_ns_ = 0;  // not before, after one that failed
  bool reconcile_failed_ = false;
  // A build stopped at its budget: when to look whether the tree fits (0: never),
  // and what does.
  std::int64_t measure_at_ns_ = 0;
  std::uint64_t fitting_files_ = 0;
  std::uint64_t fitting_bytes_ = 0;
  bool root_gone_ = false;
};

}  // namespace forge::indexer
