// The files of one root as they are, and how they change.
//
// Enumerate() walks the tree. If there is a watcher, it watches every folder
// before it lists it: so a change that the listing does not show is an event
// (F2). Drain() turns events into changes of a catalog. To judge an entry that
// appeared or went, it lists that folder again, with the ignore rules of that
// folder. So a change costs its folder, not the tree.
//
//   events ── EventSorter ──► Backlog ── BacklogWorker ──► TreeChanges
//
// Drain() works in steps: what its turn is too short for stays in the backlog,
// and the next call continues. The changes of a catalog are complete only when
// has_backlog() is false.
//
// Some changes cause no event: a store through a shared mapping, a write through
// a hard link outside, a mount. A sweep reports the first two by Doubt(); for the
// third, Drain() compares the mounts below the root.
//
// A tree with more folders than the user may watch is not watched at all: the watches
// of a part help no search, and other programs need them.
//
// Thread-safe, by a mutex of its own. Enumerate() holds it as long as it walks,
// and that may be minutes. No search waits for that: searches ask only while the
// index is COMPLETE, and a scan begins by ending that state. Callers take the
// mutex of Published first, if they need both.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/mutex.h"
#include "index/catalog/catalog.h"
#include "indexer/track/backlog.h"
#include "indexer/track/catalog_edits.h"
#include "indexer/track/event_sorter.h"
#include "indexer/track/former_names.h"
#include "indexer/track/rule_inputs.h"
#include "indexer/track/turn.h"
#include "indexer/track/watched_folders.h"
#include "os/mounts.h"
#include "os/watch.h"
#include "scope/sandbox.h"
#include "tree/walk.h"

namespace forge::indexer {

struct Enumeration {
  std::vector<index::CatalogRow> rows;  // in order; files with their state, nothing indexed
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> errors;  // what could hide files
  bool finished = false;            // else: the deadline, or a limit
};

class TreeTracker {
 public:
  // `watcher` may be null: then Drain() finds nothing, and a request that wants to
  // trust the catalog has to walk. Without `mounts` nothing is known of mounts.
  TreeTracker(std::shared_ptr<const Sandbox> sandbox, std::string root, Traversal traversal,
              std::shared_ptr<const GitEnvironment> git, std::unique_ptr<os::Watcher> watcher,
              std::unique_ptr<os::Mounts> mounts = nullptr);

  // Stops after `most_files` files or `most_bytes` bytes (0: no limit) with
  // finished = false.
  Enumeration Enumerate(const Deadline& deadline, std::uint64_t most_files = 0, std::uint64_t most_bytes = 0)
      EXCLUDES(mutex_);

  // Takes what is queued and works on it until the turn is over.
  TreeChanges Drain(const index::Catalog& catalog, const Turn& turn) EXCLUDES(mutex_);
  bool has_backlog() const EXCLUDES(mutex_);
  // The next Drain() looks at this entry again, although no event named it.
  void Doubt(const std::string& path) EXCLUDES(mutex_);

  // Forgets queued events: the next Enumerate sees everything anyway.
  void Discard() EXCLUDES(mutex_);
  void ForgetBacklog() EXCLUDES(mutex_);

  // Whether a search of the folder `relative` ("" is the root) sees exactly the
  // catalog's files below it: it was walked, and the rules that reach it from
  // above are the same in both walks.
  bool CoversFolder(const std::string& relative) const EXCLUDES(mutex_);

  // Whether a file that ignore rules depend on, outside the watched folders, has
  // changed since the last Enumerate.
  bool RulesChanged() const EXCLUDES(mutex_);
  // The same for ignore files in watched folders, whether an event says so or not.
  bool RuleFilesDiffer() const EXCLUDES(mutex_);
  // Whether a file of RulesChanged() was written so shortly before that its stamps may
  // not show the next change; see RuleInputs::Racy.
  bool RulesAreRacy(std::int64_t began_ns, std::int64_t now_ns, std::int64_t granularity_ns) const EXCLUDES(mutex_);

  // --- without the mutex ---
  // Whether events report every change, sooner or later.
  bool hears() const { return watcher_ != nullptr && !watch_failed_; }
  // Whether they do before the call that caused it returns.
  bool watching() const { return hears() && watcher_->vouches(); }
  bool has_watcher() const { return watcher_ != nullptr; }
  // The last scan met the limit of watches.
  bool over_limit() const { return over_limit_; }
  int watch_fd() const { return watcher_ ? watcher_->fd() : -1; }
  // What the listings left out, as far as it is known (tree/left_out.h).
  const LeftOutList& left_out() const { return left_out_; }
  std::size_t watches() const { return watched_.size(); }

 private:
  WalkOptions Options();
  Enumeration WalkAll(const Deadline& deadline, std::uint64_t most_files, std::uint64_t most_bytes) REQUIRES(mutex_);
  // The threads of a walk call it, while Enumerate() holds the mutex for them.
  void Watch(int folder, const std::string& absolute);
  // Whether the root's path leads to another folder than the watched one. The
  // root's own watch does not report that a folder above it was moved.
  bool RootReplaced() const REQUIRES(mutex_);
  void CompareMounts() REQUIRES(mutex_);
  void ReleaseWatches(const WatchedFolders::ByWatch& before) REQUIRES(mutex_);
  void LookAgain(const Turn& turn, CatalogEdits& edits) REQUIRES(mutex_);

  const std::shared_ptr<const Sandbox> sandbox_;
  const std::string root_;
  const Traversal traversal_;
  const std::shared_ptr<const GitEnvironment> git_;
  const std::unique_ptr<os::Watcher> watcher_;  // thread-safe
  const std::unique_ptr<os::Mounts> mounts_ PT_GUARDED_BY(mutex_);
  WatchedFolders watched_;  // thread-safe
  LeftOutList left_out_;    // thread-safe
  std::atomic<bool> watch_failed_ = false;
  std::atomic<bool> over_limit_ = false;

  mutable Mutex mutex_;
  std::set<std::string> repositories_ GUARDED_BY(mutex_);  // folders below the root with a ".git"
  bool root_in_repository_ GUARDED_BY(mutex_) = false;
  os::OsResult<os::FileInfo> root_info_ GUARDED_BY(mutex_) = os::OsError{};
  RuleInputs rule_inputs_ GUARDED_BY(mutex_);
  RuleInputs rule_files_ GUARDED_BY(mutex_);
  std::vector<os::Mount> mounts_below_ GUARDED_BY(mutex_);  // at the last look
  FormerNames former_names_ GUARDED_BY(mutex_);
  EventSorter sorter_ GUARDED_BY(mutex_);
  Backlog backlog_ GUARDED_BY(mutex_);
};

}  // namespace forge::indexer
