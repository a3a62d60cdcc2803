// Collects changes of a catalog while events are looked at. For each path the
// last change counts.
//
//   CatalogEdits edits(catalog, changes, former);
//   edits.SetNew(FileRow("a/new", info));
//   edits.Remove("a/old");
//   edits.Finish();      // changes.rows, changes.removed: both in order
//
// A value; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "index/catalog/catalog.h"
#include "indexer/track/former_names.h"
#include "indexer/track/turn.h"
#include "tree/path_order.h"

namespace forge::indexer {

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

// Rows of which nothing is indexed yet.
index::CatalogRow FileRow(std::string path, const os::FileInfo& info);
index::CatalogRow DeniedRow(std::string path, bool is_folder);

class CatalogEdits {
 public:
  // All must outlive this.
  CatalogEdits(const index::Catalog& catalog, TreeChanges& changes, FormerNames& former)
      : catalog_(catalog), changes_(changes), former_(former) {}

  const index::Catalog& catalog() const { return catalog_; }
  TreeChanges& changes() { return changes_; }

  // A file that appeared. If it is another name of a known file, the row of
  // that file has the wrong number of links, and the watcher sees writes
  // through one name only.
  void SetNew(index::CatalogRow row);
  bool HasNew(std::uint64_t inode) const { return new_inodes_.contains(inode); }
  // Unless a later event has said more about it.
  void MarkChanged(const std::string& path, const os::FileInfo& info) { edits_.try_emplace(path, FileRow(path, info)); }
  void Set(index::CatalogRow row);
  void Remove(const std::string& path);
  // All rows below the folder. If the turn is too short, the next call begins
  // anew.
  TurnEnd RemoveBelow(const std::string& folder, const Turn& turn);

  // Moves the edits into the changes.
  void Finish();

 private:
  struct PathOrder {
    bool operator()(const std::string& a, const std::string& b) const { return PathBefore(a, b); }
  };

  void Advance(index::Catalog::Position& at) const;

  const index::Catalog& catalog_;
  TreeChanges& changes_;
  FormerNames& former_;
  std::map<std::string, std::optional<index::CatalogRow>, PathOrder> edits_;  // nothing: removed
  std::unordered_set<std::uint64_t> new_inodes_;
};

}  // namespace forge::indexer
