// The files of one root as they are, and how they change.
//
// Enumerate() walks the tree. If there is a watcher, it watches every folder
// before it lists it: so a change that the listing does not show is an event
// (F2). Drain() turns events into changes of a catalog. To judge an entry that
// appeared or went, it lists that folder again, with the ignore rules of that
// folder. So a change costs its folder, not the tree.
//
// watching(), watches() and watch_fd() are thread-safe. For the rest, one thread
// at a time: while the state is COMPLETE that is the one that holds the mutex of
// Published, otherwise the background thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "index/catalog/catalog.h"
#include "indexer/rule_inputs.h"
#include "indexer/watched_folders.h"
#include "os/watch.h"
#include "scope/sandbox.h"
#include "tree/walk.h"

namespace forge {
class Lister;
struct Folder;
struct Item;
}  // namespace forge

namespace forge::indexer {

struct Enumeration {
  std::vector<index::CatalogRow> rows;  // in order; files with their state, nothing indexed
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> errors;  // what could hide files
  bool finished = false;            // else: the deadline, or a limit
};

// What happened since the last look.
struct TreeChanges {
  std::vector<index::CatalogRow> rows;  // new or changed, in order, nothing indexed
  std::vector<std::string> removed;     // in order
  bool overflow = false;                // events were lost
  bool broken = false;                  // the watcher is, or a folder could not be watched
  bool rules_changed = false;           // an ignore file, or a repository came or went
  bool hidden_by_error = false;         // a folder could not be listed
  bool root_gone = false;
  bool linked = false;  // a new name of a file that may have others here
  bool out_of_time = false;

  bool coverage_lost() const {
    return overflow || broken || rules_changed || hidden_by_error || root_gone || linked || out_of_time;
  }
};

class TreeTracker {
 public:
  // `watcher` may be null: then Drain() finds nothing, and a request that wants to
  // trust the catalog has to walk.
  TreeTracker(std::shared_ptr<const Sandbox> sandbox, std::string root, Traversal traversal,
              std::shared_ptr<const GitEnvironment> git, std::unique_ptr<os::Watcher> watcher);
  ~TreeTracker();

  // Stops after `most_files` files or `most_bytes` bytes (0: no limit) with
  // finished = false.
  Enumeration Enumerate(const Deadline& deadline, std::uint64_t most_files = 0, std::uint64_t most_bytes = 0);

  TreeChanges Drain(const index::Catalog& catalog, const Deadline& deadline);

  // Forgets queued events: the next Enumerate sees everything anyway.
  void Discard();

  // Whether events report every change.
  bool watching() const { return watcher_ != nullptr && !watch_failed_; }
  bool has_watcher() const { return watcher_ != nullptr; }
  int watch_fd() const { return watcher_ ? watcher_->fd() : -1; }
  std::size_t watches() const { return watched_.size(); }

  // Whether a search of the folder `relative` ("" is the root) sees exactly the
  // catalog's files below it: it was walked, and the rules that reach it from
  // above are the same in both walks.
  bool CoversFolder(const std::string& relative) const;

  const RuleInputs& rule_inputs() const { return rule_inputs_; }

 private:
  class Edits;

  WalkOptions Options();
  Enumeration WalkAll(const Deadline& deadline, std::uint64_t most_files, std::uint64_t most_bytes);
  void Watch(int folder, const std::string& absolute);
  // Whether the root's path leads to another folder than the watched one. The
  // root's own watch does not report that a folder above it was moved.
  bool RootReplaced() const;
  void Forget(const std::string& relative);  // a folder and all below
  void Sort(const std::vector<os::WatchEvent>& events, const index::Catalog& catalog, Edits& edits);
  void Relist(Lister& lister, const std::string& folder, const std::set<std::string>& names, Edits& edits);
  void Apply(Lister& lister, const std::string& folder, const std::string& name, Item* item, Edits& edits);
  void AddSubtree(Lister& lister, Folder& folder, Edits& edits);

  const std::shared_ptr<const Sandbox> sandbox_;
  const std::string root_;
  const Traversal traversal_;
  const std::shared_ptr<const GitEnvironment> git_;
  const std::unique_ptr<os::Watcher> watcher_;

  WatchedFolders watched_;
  std::atomic<bool> watch_failed_ = false;
  std::set<std::string> repositories_;  // folders below the root with a ".git"
  bool root_in_repository_ = false;
  os::OsResult<os::FileInfo> root_info_ = os::OsError{};
  RuleInputs rule_inputs_;
};

}  // namespace forge::indexer
