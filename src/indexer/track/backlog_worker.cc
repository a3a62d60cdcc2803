#include "indexer/track/backlog_worker.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "base/path.h"
#include "indexer/track/rule_inputs.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;

namespace {

// How long we expect to list a folder, from its size in bytes. An entry takes
// about 20 bytes on the file systems that we watch, and 1 µs; 3 µs with a stat.
constexpr std::int64_t kNsPerByte = 50;
constexpr std::int64_t kNsPerByteWithStat = 150;

bool IsGone(const os::OsError& error) { return error.code == ENOENT || error.code == ENOTDIR; }

// Whether the listing may lack something, or was judged without some of its rules.
bool HasErrors(const Folder& listing) {
  return !listing.error.empty() || std::any_of(listing.items.begin(), listing.items.end(),
                                               [](const Item& item) { return item.kind == Item::Kind::kError; });
}

}  // namespace

BacklogWorker::BacklogWorker(const SearchRoot& root, WalkOptions options, const Turn& turn, Tree tree, Backlog& backlog,
                             CatalogEdits& edits)
    : root_(root),
      options_(std::move(options)),
      turn_(turn),
      tree_(tree),
      backlog_(backlog),
      edits_(edits),
      lister_(root_, options_, turn_.deadline) {}

// Rows of folders that are gone are removed before folders are added: one of
// those may have the path of one that is gone.
TurnEnd BacklogWorker::Work() {
  TurnEnd end = RelistAll();
  if (end == TurnEnd::kDone) end = RemoveLeft();
  if (end == TurnEnd::kDone) end = AddFolders();
  for (const FolderPtr& folder : folders_) backlog_.folders.push_back(folder->path);
  folders_.clear();
  return end == TurnEnd::kDone ? JudgeWritten() : end;
}

TurnEnd BacklogWorker::RelistAll() {
  while (!backlog_.relist.empty()) {
    const auto first = backlog_.relist.begin();
    if (Relist(first->first, first->second) == TurnEnd::kTooShort) return TurnEnd::kTooShort;
    backlog_.relist.erase(first);
  }
  return TurnEnd::kDone;
}

TurnEnd BacklogWorker::Relist(const std::string& folder, const std::set<std::string>& names) {
  // The listing of its parent may have shown that it is gone.
  if (!tree_.watched.Contains(folder)) return TurnEnd::kDone;
  if (IsTooLong(folder, kNsPerByte)) return TurnEnd::kTooShort;
  options_.stat = false;  // few of its files are asked for
  std::map<std::string_view, Item*> found;
  const FolderPtr listing = lister_.Descend(folder);
  if (listing) {
    lister_.List(*listing, std::atomic<bool>(false));
    if (!listing->complete) return TurnEnd::kTooShort;
    edits_.changes().hidden_by_error |= HasErrors(*listing);
    for (Item& item : listing->items) found.emplace(item.name, &item);
  }
  for (const std::string& name : names) {
    // Not every reason to look again is an event: a mount has none.
    if (IsRuleFile(name) && !options_.rules.traversal.no_ignore) edits_.changes().rules_changed = true;
    const auto item = found.find(name);
    Judge(JoinPath(folder, name), item == found.end() ? nullptr : item->second);
  }
  return TurnEnd::kDone;
}

// We judge the entry anew, whatever we knew before. Null: it is not there.
void BacklogWorker::Judge(const std::string& path, Item* item) {
  if (tree_.watched.Contains(path)) {
    Forget(path);
    backlog_.left.push_back(path);
    std::erase_if(backlog_.folders, [&](const std::string& f) { return f == path || index::InFolder(f, path); });
  }
  edits_.Remove(path);
  edits_.Remove(path + '/');
  if (item == nullptr) return;
  switch (item->kind) {
    case Item::Kind::kFile: {
      const auto info = os::StatBeneath(root_.fd(), path);
      edits_.SetNew(FileRow(path, info.ok() ? *info : os::FileInfo()));
      break;
    }
    case Item::Kind::kDenied: edits_.Set(DeniedRow(path, item->is_folder)); break;
    case Item::Kind::kError: break;  // see HasErrors()
    case Item::Kind::kFolder: folders_.push_back(item->extra->folder); break;
  }
}

// Watches the folder and all below it no longer.
void BacklogWorker::Forget(const std::string& folder) {
  const WatchedFolders::Forgotten forgotten = tree_.watched.Forget(folder);
  for (const os::WatchId watch : forgotten.watches) tree_.watcher.Remove(watch);
  for (const std::string& gone : forgotten.folders) tree_.repositories.erase(gone);
}

TurnEnd BacklogWorker::RemoveLeft() {
  while (!backlog_.left.empty()) {
    if (edits_.RemoveBelow(backlog_.left.back(), turn_) == TurnEnd::kTooShort) return TurnEnd::kTooShort;
    backlog_.left.pop_back();
  }
  return TurnEnd::kDone;
}

TurnEnd BacklogWorker::AddFolders() {
  options_.stat = true;
  while (!folders_.empty() || !backlog_.folders.empty()) {
    FolderPtr folder;
    if (folders_.empty()) {
      if (IsTooLong(backlog_.folders.back(), kNsPerByteWithStat)) return TurnEnd::kTooShort;
      folder = lister_.Descend(backlog_.folders.back());
      backlog_.folders.pop_back();
    } else {
      if (IsTooLong(folders_.back()->path, kNsPerByteWithStat)) return TurnEnd::kTooShort;
      folder = std::move(folders_.back());
      folders_.pop_back();
    }
    if (folder && AddListed(*folder) == TurnEnd::kTooShort) return TurnEnd::kTooShort;
  }
  return TurnEnd::kDone;
}

// If the turn is too short, the next one lists the folder.
TurnEnd BacklogWorker::AddListed(Folder& folder) {
  lister_.List(folder, std::atomic<bool>(false));
  if (!folder.complete) {
    backlog_.folders.push_back(folder.path);
    return TurnEnd::kTooShort;
  }
  edits_.changes().hidden_by_error |= HasErrors(folder);
  if (folder.repository) tree_.repositories.insert(folder.path);
  for (Item& item : folder.items) {
    const std::string path = JoinPath(folder.path, item.name);
    switch (item.kind) {
      case Item::Kind::kFile: edits_.SetNew(FileRow(path, item.extra ? item.extra->info : os::FileInfo())); break;
      case Item::Kind::kDenied: edits_.Set(DeniedRow(path, item.is_folder)); break;
      case Item::Kind::kError: break;  // see HasErrors()
      case Item::Kind::kFolder: folders_.push_back(item.extra->folder); break;
    }
  }
  return TurnEnd::kDone;
}

TurnEnd BacklogWorker::JudgeWritten() {
  std::set<std::uint64_t> inodes;
  TurnEnd end = TurnEnd::kDone;
  while (end == TurnEnd::kDone && !backlog_.written.empty()) {
    const auto first = backlog_.written.begin();
    const auto now = os::StatBeneath(root_.fd(), first->first);
    if (now.ok()) {
      for (const std::uint64_t inode : tree_.former.Of(first->first, now->inode)) inodes.insert(inode);
      tree_.former.Remember(first->first, now->inode);
    } else if (IsGone(now.error())) {
      JudgeNameless(first->first, first->second, inodes);
    } else {
      edits_.changes().linked = true;
    }
    backlog_.written.erase(first);
    if (turn_.over()) end = TurnEnd::kTooShort;
  }
  if (!inodes.empty()) MarkInodes(inodes);
  return end;
}

// A file was written to under a path where nothing is now.
void BacklogWorker::JudgeNameless(const std::string& path, bool certain, std::set<std::uint64_t>& inodes) {
  if (const auto inode = NamelessInode(path)) tree_.former.Remember(path, *inode);
  if (tree_.former.Knows(path)) {
    for (const std::uint64_t inode : tree_.former.Of(path, std::nullopt)) inodes.insert(inode);
    return;
  }
  // It may have been removed after the write. Then that is an event by now.
  const auto removes = [&](const os::WatchEvent& event) {
    if (event.kind != os::WatchEvent::Kind::kRemoved) return false;
    const auto folder = tree_.watched.FolderOf(event.watch);
    return folder && JoinPath(*folder, event.name) == path;
  };
  if (!certain) {
    edits_.changes().broken |= !backlog_.TakeEvents(tree_.watcher);
    if (std::any_of(backlog_.events.begin(), backlog_.events.end(), removes)) return;
  }
  edits_.changes().linked = true;
}

// Files that were written to under another path.
void BacklogWorker::MarkInodes(const std::set<std::uint64_t>& inodes) {
  std::set<std::uint64_t> found;
  const Catalog& catalog = edits_.catalog();
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.kind != CatalogRow::Kind::kFile || !inodes.contains(row.info.inode)) continue;
      found.insert(row.info.inode);
      edits_.MarkChanged(std::string(page.path(i)), row.info);
    }
  }
  for (const std::uint64_t inode : inodes) {
    if (!found.contains(inode) && !edits_.HasNew(inode)) tree_.former.NotInCatalog(inode);
  }
}

// Whether the time left is not enough to list a folder. A listing cannot be cut
// short and continued.
bool BacklogWorker::IsTooLong(const std::string& folder, std::int64_t ns_per_byte) const {
  if (turn_.over()) return true;
  if (!turn_.deadline.limited()) return false;
  const auto info = folder.empty() ? os::Stat(root_.fd()) : os::StatBeneath(root_.fd(), folder);
  if (!info.ok()) return false;
  return turn_.deadline.left() < std::chrono::nanoseconds(static_cast<std::int64_t>(info->size) * ns_per_byte);
}

}  // namespace forge::indexer
