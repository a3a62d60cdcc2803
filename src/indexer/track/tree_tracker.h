// The files of one root as they are, and how they change.
//
// Enumerate() walks the tree. If there is a watcher, it watches every folder
// before it lists it: so a change that the listing does not show is an event
// (F2). Drain() turns events into changes of a catalog. To judge an entry that
// appeared or went, it lists that folder again, with the ignore rules of that
// folder. So a change costs its folder, not the tree.
//
// Drain() works in steps: what its turn is too short for stays in the backlog,
// and the next call continues. The changes of a catalog are complete only when
// has_backlog() is false.
//
// Some changes cause no event: a store through a shared mapping, a write through
// a hard link outside, a mount. A sweep reports the first two by Doubt(); for the
// third, Drain() compares the mounts below the root.
//
// watching(), watches() and watch_fd() are thread-safe. For the rest, one thread
// at a time: while the state is COMPLETE that is the one that holds the mutex of
// Published, otherwise the background thread.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "index/catalog/catalog.h"
#include "indexer/track/former_names.h"
#include "indexer/track/rule_inputs.h"
#include "indexer/track/watched_folders.h"
#include "os/mounts.h"
#include "os/watch.h"
#include "scope/sandbox.h"
#include "tree/walk.h"

namespace forge {
class Lister;
struct Folder;
struct Item;
}  // namespace forge

namespace forge::indexer {

// Rows of which nothing is indexed yet.
index::CatalogRow FileRow(std::string path, const os::FileInfo& info);
index::CatalogRow DeniedRow(std::string path, bool is_folder);

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
};

// How long one call of Drain() may work.
struct Turn {
  Deadline deadline;
  const std::atomic<int>* waiting = nullptr;  // ends the turn when it is not 0; may be null

  bool over() const { return (waiting != nullptr && *waiting > 0) || deadline.over(); }
};

class TreeTracker {
 public:
  // `watcher` may be null: then Drain() finds nothing, and a request that wants to
  // trust the catalog has to walk. Without `mounts` nothing is known of mounts.
  TreeTracker(std::shared_ptr<const Sandbox> sandbox, std::string root, Traversal traversal,
              std::shared_ptr<const GitEnvironment> git, std::unique_ptr<os::Watcher> watcher,
              std::unique_ptr<os::Mounts> mounts = nullptr);
  ~TreeTracker();

  // Stops after `most_files` files or `most_bytes` bytes (0: no limit) with
  // finished = false.
  Enumeration Enumerate(const Deadline& deadline, std::uint64_t most_files = 0, std::uint64_t most_bytes = 0);

  // Takes what is queued and works on it until the turn is over.
  TreeChanges Drain(const index::Catalog& catalog, const Turn& turn);
  bool has_backlog() const { return !backlog_.empty(); }
  // The next Drain() looks at this entry again, although no event named it.
  void Doubt(const std::string& path);

  // Forgets queued events: the next Enumerate sees everything anyway.
  void Discard();
  void ForgetBacklog() { backlog_ = {}; }

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

  // What is still to be looked at. Events come first: they say what else.
  struct Backlog {
    std::deque<os::WatchEvent> events;
    std::map<std::string, std::set<std::string>> relist;  // folder -> names that came or went
    std::vector<std::string> left;                        // folders that are gone, whose rows are to be removed
    std::vector<std::string> folders;                     // new ones, with all below
    // Written to, but no file of the catalog has this path, or another one had
    // it. True: by a file that no longer had this name.
    std::map<std::string, bool> written;

    bool empty() const {
      return events.empty() && relist.empty() && left.empty() && folders.empty() && written.empty();
    }
  };
  struct Step;

  WalkOptions Options();
  Enumeration WalkAll(const Deadline& deadline, std::uint64_t most_files, std::uint64_t most_bytes);
  void Watch(int folder, const std::string& absolute);
  // Whether the root's path leads to another folder than the watched one. The
  // root's own watch does not report that a folder above it was moved.
  bool RootReplaced() const;
  void Forget(const std::string& relative);  // a folder and all below

  bool TakeEvents();
  void CompareMounts();
  void Sort(const Turn& turn, Edits& edits);
  void SortOne(const os::WatchEvent& event, const std::string& folder, Edits& edits);
  void SortWrite(const std::string& path, Edits& edits);
  void LookAgain(const Turn& turn, Edits& edits);
  bool Relist(Step& step, const std::string& folder, const std::set<std::string>& names);
  void Apply(Step& step, const std::string& path, Item* item);
  bool RemoveLeft(Step& step);
  bool AddFolders(Step& step);
  bool AddListed(Step& step, Folder& folder);
  bool JudgeWritten(Step& step);
  void JudgeNameless(Step& step, const std::string& path, bool certain, std::set<std::uint64_t>& inodes);
  void MarkInodes(const std::set<std::uint64_t>& inodes, Edits& edits);

  const std::shared_ptr<const Sandbox> sandbox_;
  const std::string root_;
  const Traversal traversal_;
  const std::shared_ptr<const GitEnvironment> git_;
  const std::unique_ptr<os::Watcher> watcher_;
  const std::unique_ptr<os::Mounts> mounts_;

  WatchedFolders watched_;
  std::atomic<bool> watch_failed_ = false;
  std::set<std::string> repositories_;  // folders below the root with a ".git"
  bool root_in_repository_ = false;
  os::OsResult<os::FileInfo> root_info_ = os::OsError{};
  RuleInputs rule_inputs_;
  std::vector<os::Mount> mounts_below_;  // at the last look
  Backlog backlog_;
  FormerNames former_names_;
  std::set<std::string> gone_;  // paths that were removed, of the events that Drain() looks at
  std::string newest_;          // the last path that appeared
};

}  // namespace forge::indexer
