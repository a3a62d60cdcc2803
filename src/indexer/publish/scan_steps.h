// The moments of a scan that searches see: it begins, its result is swapped in,
// it ends; and the moments at which the index, or its store, is lost or found.
//
//   scans.StartBuild();
//   ... walks and reads ...
//   scans.Activate({.catalog = ..., .segments = ...});
//   scans.EndBuild();
//
// Each takes the mutex for a moment. For the background thread; StoreLost() may
// come from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forge/result.h"
#include "index/snapshot/snapshot.h"
#include "index/store/store.h"
#include "indexer/publish/published.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"

namespace forge::indexer {

class ScanSteps {
 public:
  // All must outlive this.
  ScanSteps(const RootSetup& setup, const TreeTracker& tracker, StoreLink& store, Published& published)
      : setup_(setup), tracker_(tracker), store_(store), published_(published) {}

  // --- after the stored index was opened ---
  void Opened(StoreLink::Loaded loaded);
  void OpenedNothing();
  void OpenFailed(const Error& error);

  // --- scans ---
  // Both return a snapshot that the scan may reuse; it may be null.
  index::SnapshotPtr StartBuild();
  index::SnapshotPtr StartReconcile();
  void FoundSmall();  // DISABLED: not worth an index
  void NoteProblem(const std::string& problem);

  struct Outcome {
    index::Catalog catalog;
    index::Segments segments;
    bool errors = false;      // a folder could not be listed
    bool racy_rules = false;  // an ignore file may have changed unseen
  };
  // Swaps the result in. Only the state at the end of the scan says whether a
  // search may trust it. What happened during the scan is applied now or by the
  // next search, in any case before one trusts the result (F1).
  void Activate(Outcome outcome);
  void EndBuild();
  void EndReconcile(bool done);
  // The build stopped; a tree of at most this size would fit.
  void StopAtBudget(Schedule::Budget fits, const std::string& why);
  Schedule::Budget budget() const;
  void Measured(bool fits);

  // --- what goes wrong ---
  // Drops everything; the next attempt comes later each time.
  void Fail(const Error& error, bool partial);
  void GiveUp(const std::string& why);  // over a limit: DISABLED
  void Evicted();
  void StoreLost(const Error& error, bool building);
  void StoreFound();  // all is built and stored again
  void Stored();
  void Checked();

  // What Close() writes; empty if there is no index.
  std::optional<index::StoreChange> Checkpoint() const;

 private:
  void StartScan(Contents& now, index::Trigger trigger);
  void NoteWatches(Contents& now) const;
  std::int64_t now_ns() const { return setup_.clocks->FileNs(); }

  const RootSetup& setup_;
  const TreeTracker& tracker_;
  StoreLink& store_;
  Published& published_;
};

// Files that were never read, or were read so soon after a write that their
// stamps are not reliable.
struct Unsettled {
  std::string path;
  std::optional<std::int64_t> ctime_ns;  // empty: never read
};
std::vector<Unsettled> UnsettledFiles(const index::Catalog& catalog);

}  // namespace forge::indexer
