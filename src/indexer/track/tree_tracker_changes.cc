// The half of TreeTracker that follows changes: events, doubts and mounts.
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "indexer/track/tree_tracker.h"
#include "scope/paths.h"
#include "tree/folder.h"
#include "tree/lister.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;

namespace {

// How long we expect to list a folder, from its size in bytes. An entry takes
// about 20 bytes on the file systems that we watch, and 1 µs; 3 µs with a stat.
constexpr std::int64_t kNsPerByte = 50;
constexpr std::int64_t kNsPerByteWithStat = 150;
constexpr std::size_t kStepsBetweenLooks = 64;  // at the clock

bool IsRuleFile(std::string_view name) { return name == ".gitignore" || name == ".ignore" || name == ".git"; }

bool IsGone(const os::OsError& error) { return error.code == ENOENT || error.code == ENOTDIR; }

struct PathOrder {
  bool operator()(const std::string& a, const std::string& b) const { return PathBefore(a, b); }
};

}  // namespace

// Collects changes of a catalog. For each path the last change counts.
class TreeTracker::Edits {
 public:
  Edits(const Catalog& catalog, TreeChanges& changes, FormerNames& former)
      : catalog_(catalog), changes_(changes), former_(former) {}

  const Catalog& catalog() const { return catalog_; }
  TreeChanges& changes() { return changes_; }

  // A file that appeared. If it is another name of a known file, the row of
  // that file has the wrong number of links, and the watcher sees writes
  // through one name only.
  void SetNew(CatalogRow row) {
    const index::PackedRow* old = catalog_.Find(row.path);
    const bool known = old != nullptr && old->info.inode == row.info.inode && old->info.links == row.info.links;
    changes_.linked |= row.info.links > 1 && !known;
    if (old != nullptr && old->info.inode != row.info.inode) former_.Remember(row.path, old->info.inode);
    former_.InCatalog(row.info.inode);
    new_inodes_.insert(row.info.inode);
    Set(std::move(row));
  }
  bool HasNew(std::uint64_t inode) const { return new_inodes_.contains(inode); }
  // Unless a later event has said more about it.
  void MarkChanged(const std::string& path, const os::FileInfo& info) { edits_.try_emplace(path, FileRow(path, info)); }
  void Set(CatalogRow row) {
    std::string path = row.path;
    edits_[std::move(path)] = std::move(row);
  }
  void Remove(const std::string& path) {
    if (const index::PackedRow* old = catalog_.Find(path); old != nullptr) {
      if (old->kind == CatalogRow::Kind::kFile) former_.Remember(path, old->info.inode);
      edits_[path] = std::nullopt;
    } else {
      edits_.erase(path);
    }
  }
  // False if the turn ended before all rows below the folder were removed.
  bool RemoveBelow(const std::string& folder, const Turn& turn) {
    for (auto at = edits_.begin(); at != edits_.end();) {
      const bool added = at->second && index::InFolder(at->first, folder);
      at = added && catalog_.Find(at->first) == nullptr ? edits_.erase(at) : std::next(at);
    }
    const auto [begin, end] = catalog_.Range(folder);
    std::size_t seen = 0;
    for (auto at = begin; at < end; Advance(at)) {
      if (++seen % kStepsBetweenLooks == 0 && turn.over()) return false;
      const std::string_view path = catalog_.page(at.page).path(at.row);
      if (index::InFolder(path, folder)) edits_[std::string(path)] = std::nullopt;
    }
    return true;
  }

  void Finish() {
    for (auto& [path, row] : edits_) {
      if (row) {
        changes_.rows.push_back(std::move(*row));
      } else {
        changes_.removed.push_back(path);
      }
    }
  }

 private:
  void Advance(Catalog::Position& at) const {
    if (++at.row == catalog_.page(at.page).size()) at = {at.page + 1, 0};
  }

  const Catalog& catalog_;
  TreeChanges& changes_;
  FormerNames& former_;
  std::map<std::string, std::optional<CatalogRow>, PathOrder> edits_;
  std::unordered_set<std::uint64_t> new_inodes_;
};

// What listing folders needs.
struct TreeTracker::Step {
  Step(const SearchRoot& search_root, WalkOptions walk_options, const Turn& this_turn, Edits& this_edits)
      : root(search_root),
        options(std::move(walk_options)),
        turn(this_turn),
        lister(root, options, turn.deadline),
        edits(this_edits) {}

  const SearchRoot& root;
  WalkOptions options;  // `stat` changes: the lister looks at it each time
  const Turn& turn;
  Lister lister;
  Edits& edits;
  std::vector<FolderPtr> folders;  // new ones, ready to be listed

  // Whether the time left is not enough to list a folder. A listing cannot be
  // cut short and continued.
  bool IsTooLong(const std::string& folder, std::int64_t ns_per_byte) const {
    if (turn.over()) return true;
    if (turn.deadline.at() == Clock::time_point::max()) return false;
    const auto info = folder.empty() ? os::Stat(root.fd()) : os::StatBeneath(root.fd(), folder);
    if (!info.ok()) return false;
    const std::chrono::nanoseconds needed(static_cast<std::int64_t>(info->size) * ns_per_byte);
    return Clock::now() + needed > turn.deadline.at();
  }
};

bool TreeTracker::TakeEvents() {
  std::vector<os::WatchEvent> events;
  const bool works = watcher_->Drain(events);
  std::move(events.begin(), events.end(), std::back_inserter(backlog_.events));
  return works;
}

void TreeTracker::Doubt(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash);
  backlog_.relist[folder].insert(path.substr(slash + 1));
}

// A mount point whose mounts differ from those at the last look is a folder that
// was replaced.
void TreeTracker::CompareMounts() {
  if (!mounts_ || !mounts_->Changed()) return;
  std::vector<os::Mount> now = mounts_->Below(root_);
  std::vector<os::Mount> differ;
  std::set_symmetric_difference(mounts_below_.begin(), mounts_below_.end(), now.begin(), now.end(),
                                std::back_inserter(differ));
  for (const os::Mount& mount : differ) Doubt(std::string(RelativeTo(mount.point, root_)));
  mounts_below_ = std::move(now);
}

TreeChanges TreeTracker::Drain(const Catalog& catalog, const Turn& turn) {
  TreeChanges changes;
  if (!watcher_) return changes;
  changes.broken = !TakeEvents();
  changes.root_gone = RootReplaced();
  CompareMounts();
  Edits edits(catalog, changes, former_names_);
  while (has_backlog() && !changes.overflow) {
    Sort(turn, edits);
    if (!backlog_.events.empty() || turn.over()) break;
    LookAgain(turn, edits);
    if (backlog_.events.empty()) break;  // else more came meanwhile
  }
  gone_.clear();
  // A scan comes, and sees everything.
  if (changes.overflow) ForgetBacklog();
  edits.Finish();
  changes.broken |= watch_failed_;
  return changes;
}

void TreeTracker::Sort(const Turn& turn, Edits& edits) {
  for (std::size_t seen = 1; !backlog_.events.empty(); ++seen) {
    if (seen % kStepsBetweenLooks == 0 && turn.over()) return;
    const os::WatchEvent event = std::move(backlog_.events.front());
    backlog_.events.pop_front();
    if (event.kind == os::WatchEvent::Kind::kOverflow) {
      edits.changes().overflow = true;
      continue;
    }
    if (const auto folder = watched_.FolderOf(event.watch)) SortOne(event, *folder, edits);
  }
}

void TreeTracker::SortOne(const os::WatchEvent& event, const std::string& folder, Edits& edits) {
  using Kind = os::WatchEvent::Kind;
  if (event.kind == Kind::kFolderGone) {
    edits.changes().root_gone |= folder.empty();
    // If it was unmounted, its parent reports nothing.
    if (!folder.empty()) Doubt(folder);
    return;
  }
  if (event.name.empty()) {
    // The folder's own attributes changed. The watch of its parent reports
    // that, too; only the root has no watched parent.
    edits.changes().hidden_by_error |= folder.empty();
    return;
  }
  if (IsRuleFile(event.name) && !traversal_.no_ignore) edits.changes().rules_changed = true;
  const std::string path = JoinPath(folder, event.name);
  if (event.kind == Kind::kChanged && !event.is_folder) return SortWrite(path, edits);
  backlog_.relist[folder].insert(event.name);
  if (event.is_folder) return;
  if (event.kind == Kind::kCreated) {
    gone_.erase(path);
    newest_ = path;
  }
  if (event.kind != Kind::kRemoved) return;
  gone_.insert(path);
  // Earlier writes were to the file that is gone.
  if (const auto at = backlog_.written.find(path); at != backlog_.written.end() && !at->second) {
    backlog_.written.erase(at);
  }
  // A file that came and went, and nothing else came in between: it has no other
  // name here. (No file has the inode 0.)
  if (newest_ == path) former_names_.Remember(path, 0);
}

void TreeTracker::SortWrite(const std::string& path, Edits& edits) {
  const index::PackedRow* row = edits.catalog().Find(path);
  const bool is_file = row != nullptr && row->kind == CatalogRow::Kind::kFile;
  if (is_file) edits.Set(FileRow(path, row->info));
  if (!is_file || former_names_.Knows(path)) backlog_.written[path] |= gone_.contains(path);
}

// Lists folders and looks at files until the turn is over.
void TreeTracker::LookAgain(const Turn& turn, Edits& edits) {
  const auto root = SearchRoot::Open(*sandbox_, root_, traversal_.follow);
  if (!root.ok()) {
    edits.changes().root_gone = true;
    return ForgetBacklog();
  }
  Step step(*root, Options(), turn, edits);
  bool goes_on = true;
  while (goes_on && !backlog_.relist.empty()) {
    const auto first = backlog_.relist.begin();
    goes_on = Relist(step, first->first, first->second);
    if (goes_on) backlog_.relist.erase(first);
  }
  goes_on = goes_on && RemoveLeft(step) && AddFolders(step);
  for (const FolderPtr& folder : step.folders) backlog_.folders.push_back(folder->path);
  if (goes_on) JudgeWritten(step);
}

// False if the turn is too short.
bool TreeTracker::Relist(Step& step, const std::string& folder, const std::set<std::string>& names) {
  // The listing of its parent may have shown that it is gone.
  if (!watched_.Contains(folder)) return true;
  if (step.IsTooLong(folder, kNsPerByte)) return false;
  step.options.stat = false;  // few of its files are asked for
  std::map<std::string_view, Item*> found;
  const FolderPtr listing = step.lister.Descend(folder);
  if (listing) {
    step.lister.List(*listing, std::atomic<bool>(false));
    if (!listing->complete) return false;
    step.edits.changes().hidden_by_error |= !listing->error.empty();
    for (Item& item : listing->items) found.emplace(item.name, &item);
  }
  for (const std::string& name : names) {
    const auto item = found.find(name);
    Apply(step, JoinPath(folder, name), item == found.end() ? nullptr : item->second);
  }
  return true;
}

void TreeTracker::Apply(Step& step, const std::string& path, Item* item) {
  Edits& edits = step.edits;
  // We judge the entry anew, whatever we knew before.
  if (watched_.Contains(path)) {
    Forget(path);
    backlog_.left.push_back(path);
    std::erase_if(backlog_.folders, [&](const std::string& f) { return f == path || index::InFolder(f, path); });
  }
  edits.Remove(path);
  edits.Remove(path + '/');
  if (item == nullptr) return;
  switch (item->kind) {
    case Item::Kind::kFile: {
      const auto info = os::StatBeneath(step.root.fd(), path);
      edits.SetNew(FileRow(path, info.ok() ? *info : os::FileInfo()));
      break;
    }
    case Item::Kind::kDenied: edits.Set(DeniedRow(path, item->is_folder)); break;
    case Item::Kind::kError: edits.changes().hidden_by_error = true; break;
    case Item::Kind::kFolder: step.folders.push_back(item->extra->folder); break;
  }
}

// False if the turn is too short. Before folders are added: one of them may have
// the path of one that is gone.
bool TreeTracker::RemoveLeft(Step& step) {
  while (!backlog_.left.empty()) {
    if (!step.edits.RemoveBelow(backlog_.left.back(), step.turn)) return false;
    backlog_.left.pop_back();
  }
  return true;
}

// False if the turn is too short.
bool TreeTracker::AddFolders(Step& step) {
  step.options.stat = true;
  while (!step.folders.empty() || !backlog_.folders.empty()) {
    FolderPtr folder;
    if (step.folders.empty()) {
      if (step.IsTooLong(backlog_.folders.back(), kNsPerByteWithStat)) return false;
      folder = step.lister.Descend(backlog_.folders.back());
      backlog_.folders.pop_back();
    } else {
      if (step.IsTooLong(step.folders.back()->path, kNsPerByteWithStat)) return false;
      folder = std::move(step.folders.back());
      step.folders.pop_back();
    }
    if (folder && !AddListed(step, *folder)) return false;
  }
  return true;
}

// False if the turn is too short: then the next one lists the folder.
bool TreeTracker::AddListed(Step& step, Folder& folder) {
  Edits& edits = step.edits;
  step.lister.List(folder, std::atomic<bool>(false));
  if (!folder.complete) {
    backlog_.folders.push_back(folder.path);
    return false;
  }
  edits.changes().hidden_by_error |= !folder.error.empty();
  if (folder.repository) repositories_.insert(folder.path);
  for (Item& item : folder.items) {
    const std::string path = JoinPath(folder.path, item.name);
    switch (item.kind) {
      case Item::Kind::kFile: edits.SetNew(FileRow(path, item.extra ? item.extra->info : os::FileInfo())); break;
      case Item::Kind::kDenied: edits.Set(DeniedRow(path, item.is_folder)); break;
      case Item::Kind::kError: edits.changes().hidden_by_error = true; break;
      case Item::Kind::kFolder: step.folders.push_back(item.extra->folder); break;
    }
  }
  return true;
}

// False if the turn is too short.
bool TreeTracker::JudgeWritten(Step& step) {
  std::set<std::uint64_t> inodes;
  bool goes_on = true;
  while (goes_on && !backlog_.written.empty()) {
    const auto first = backlog_.written.begin();
    const auto now = os::StatBeneath(step.root.fd(), first->first);
    if (now.ok()) {
      for (const std::uint64_t inode : former_names_.Of(first->first, now->inode)) inodes.insert(inode);
      former_names_.Remember(first->first, now->inode);
    } else if (IsGone(now.error())) {
      JudgeNameless(step, first->first, first->second, inodes);
    }
    backlog_.written.erase(first);
    goes_on = !step.turn.over();
  }
  if (!inodes.empty()) MarkInodes(inodes, step.edits);
  return goes_on;
}

// A file was written to under a path where nothing is now.
void TreeTracker::JudgeNameless(Step& step, const std::string& path, bool certain, std::set<std::uint64_t>& inodes) {
  if (const auto inode = NamelessInode(path)) former_names_.Remember(path, *inode);
  if (former_names_.Knows(path)) {
    for (const std::uint64_t inode : former_names_.Of(path, std::nullopt)) inodes.insert(inode);
    return;
  }
  // It may have been removed after the write. Then that is an event by now.
  const auto removes = [&](const os::WatchEvent& event) {
    if (event.kind != os::WatchEvent::Kind::kRemoved) return false;
    const auto folder = watched_.FolderOf(event.watch);
    return folder && JoinPath(*folder, event.name) == path;
  };
  if (!certain) {
    step.edits.changes().broken |= !TakeEvents();
    if (std::any_of(backlog_.events.begin(), backlog_.events.end(), removes)) return;
  }
  step.edits.changes().linked = true;
}

// Files that were written to under another path.
void TreeTracker::MarkInodes(const std::set<std::uint64_t>& inodes, Edits& edits) {
  std::set<std::uint64_t> found;
  const Catalog& catalog = edits.catalog();
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.kind != CatalogRow::Kind::kFile || !inodes.contains(row.info.inode)) continue;
      found.insert(row.info.inode);
      edits.MarkChanged(std::string(page.path(i)), row.info);
    }
  }
  for (const std::uint64_t inode : inodes) {
    if (!found.contains(inode) && !edits.HasNew(inode)) former_names_.NotInCatalog(inode);
  }
}

}  // namespace forge::indexer
