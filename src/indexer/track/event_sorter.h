// Turns events into a backlog: which folders to list again, which files were
// written to. It looks at no file.
//
//   kCreated "new" in "a"     backlog.relist["a"] has "new"
//   kChanged "x" in "a"       the row of "a/x" is unindexed; no listing
//   kOverflow                 changes.overflow: a scan has to come
//
// A value; TreeTracker guards it.
#pragma once

#include <set>
#include <string>

#include "indexer/track/backlog.h"
#include "indexer/track/catalog_edits.h"
#include "indexer/track/former_names.h"
#include "indexer/track/turn.h"
#include "indexer/track/watched_folders.h"

namespace forge::indexer {

class EventSorter {
 public:
  // With `no_ignore`, a rule file is a file as any other. All must outlive this.
  EventSorter(const WatchedFolders& watched, FormerNames& former, bool no_ignore)
      : watched_(watched), former_(former), no_ignore_(no_ignore) {}

  // Sorts the events of the backlog until none is left.
  TurnEnd Sort(const Turn& turn, Backlog& backlog, CatalogEdits& edits);
  // The events after this belong to another look at the tree.
  void EndLook() { gone_.clear(); }

 private:
  void SortOne(const os::WatchEvent& event, const std::string& folder, Backlog& backlog, CatalogEdits& edits);
  void SortWrite(const std::string& path, Backlog& backlog, CatalogEdits& edits) const;
  void SortName(const os::WatchEvent& event, const std::string& path, Backlog& backlog);

  const WatchedFolders& watched_;
  FormerNames& former_;
  const bool no_ignore_;
  std::set<std::string> gone_;  // paths that were removed since the look began
  std::string newest_;          // the last path that appeared
};

}  // namespace forge::indexer
