// Builds and reconciles: scans of a whole tree.
//
// A scan walks the tree, reuses the rows of files that have not changed, reads
// the other files, stores the result and publishes it:
//
//   Build      with the budgets of a build; what it cannot finish is kept, and
//              the next one reuses it
//   Reconcile  resolves doubts about an existing index; it has a small budget, and
//              if that is not enough, a Build does the work (F8)
//
// Only for the background thread. Ends soon when the throttle is stopped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/snapshot/snapshot.h"
#include "indexer/publish/scan_steps.h"
#include "indexer/setup/root_setup.h"
#include "indexer/setup/throttle.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"
#include "indexer/work/scan_progress.h"
#include "indexer/work/segment_maker.h"

namespace forge::indexer {

// How a build ended, for a command that waits for it.
enum class BuildEnd {
  kStored,      // a whole index; what is not stored yet is stored by the next commit
  kInMemory,    // a whole index, and no store is configured
  kNotStored,   // a whole index, but the store is lost, or another process writes it
  kTooSmall,    // auto mode: the tree is below the thresholds and gets no index
  kOverBudget,  // it stopped at a limit of a build, and keeps what it has
  kOverLimit,   // over index_max_memory_bytes or index_max_db_bytes: it keeps nothing
  kFailed,
  kStopped,
};

class Builder {
 public:
  // The parts it works with, all of one root.
  struct Parts {
    const RootSetup& setup;
    const Throttle& throttle;
    TreeTracker& tracker;
    SegmentMaker& maker;
    StoreLink& store;
    ScanSteps& scans;
    const Published& published;
    ScanProgress& progress;
  };

  explicit Builder(const Parts& parts) : parts_(parts) {}

  // With `thresholds`, ends DISABLED if the tree is small (auto mode).
  BuildEnd Build(bool thresholds);
  // False if the budget was not enough.
  bool Reconcile();
  // Whether a tree that was over the budget of a build fits it by now. Walks
  // the tree and reads no file.
  void Measure();

 private:
  struct Scan;

  Deadline BuildDeadline() const;
  bool FitsWithin(std::uint64_t files, std::uint64_t bytes) const;
  BuildEnd RunBuild(Scan& scan);
  BuildEnd WholeEnd() const;
  bool RunReconcile(Scan& scan);
  bool Enumerate(Scan& scan, const Deadline& deadline, std::uint64_t most_files);
  void ReuseRows(Scan& scan) const;
  TokenizeEnd Tokenize(Scan& scan, const Deadline& deadline);
  TokenizeEnd ReadFiles(Scan& scan, const Deadline& deadline);
  ScanProgress::Amount KeptBy(const Scan& scan) const;
  bool FitsMemory(const Scan& scan);
  BuildEnd GiveUp(const std::string& why);
  bool Persist(Scan& scan, TokenizeEnd end);
  void Activate(Scan& scan);
  BuildEnd Fail(const Error& error, bool partial);
  BuildEnd StopAtBudget(bool by_time, const std::string& why);

  const Parts parts_;
};

}  // namespace forge::indexer
