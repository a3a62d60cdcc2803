// Works off a backlog: lists folders, looks at files, and says what that changes
// in the catalog.
//
//   BacklogWorker worker(root, options, turn, tree, backlog, edits);
//   worker.Work();      // until nothing is left, or the turn is over
//
// What it does not finish stays in the backlog. More events may be in it
// afterwards. For one turn, and one thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "indexer/track/backlog.h"
#include "indexer/track/catalog_edits.h"
#include "indexer/track/former_names.h"
#include "indexer/track/turn.h"
#include "indexer/track/watched_folders.h"
#include "os/watch.h"
#include "scope/search_root.h"
#include "tree/folder.h"
#include "tree/lister.h"
#include "tree/walk.h"

namespace forge::indexer {

class BacklogWorker {
 public:
  // What the tracker knows of the tree, and a worker changes.
  struct Tree {
    os::Watcher& watcher;
    WatchedFolders& watched;
    std::set<std::string>& repositories;  // folders below the root with a ".git"
    FormerNames& former;
  };

  // All but `options` must outlive this. `options` watches a folder before it
  // is listed.
  BacklogWorker(const SearchRoot& root, WalkOptions options, const Turn& turn, Tree tree, Backlog& backlog,
                CatalogEdits& edits);

  TurnEnd Work();
  // As those of Walk, for what was listed.
  std::vector<std::string> rule_inputs() const { return lister_.rule_inputs(); }
  std::vector<std::string> rule_files() const { return lister_.rule_files(); }

 private:
  TurnEnd RelistAll();
  TurnEnd Relist(const std::string& folder, const std::set<std::string>& names);
  void Judge(const std::string& path, Item* item);
  void Forget(const std::string& folder);
  TurnEnd RemoveLeft();
  TurnEnd AddFolders();
  TurnEnd AddListed(Folder& folder);
  TurnEnd JudgeWritten();
  void JudgeNameless(const std::string& path, bool certain, std::set<std::uint64_t>& inodes);
  void MarkInodes(const std::set<std::uint64_t>& inodes);
  bool IsTooLong(const std::string& folder, std::int64_t ns_per_byte) const;

  const SearchRoot& root_;
  WalkOptions options_;  // `stat` changes: the lister looks at it each time
  const Turn& turn_;
  Tree tree_;
  Backlog& backlog_;
  CatalogEdits& edits_;
  Lister lister_;
  std::vector<FolderPtr> folders_;  // new ones, ready to be listed
};

}  // namespace forge::indexer
