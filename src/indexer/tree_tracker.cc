#include "indexer/tree_tracker.h"

#include <algorithm>
#include <utility>

#include "scope/paths.h"
#include "tree/folder.h"
#include "tree/git_excludes.h"
#include "tree/lister.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;

namespace {

bool IsRuleFile(std::string_view name) { return name == ".gitignore" || name == ".ignore" || name == ".git"; }

CatalogRow FileRow(std::string path, const os::FileInfo& info) {
  CatalogRow row;
  row.path = std::move(path);
  row.info = info;
  return row;
}

CatalogRow DeniedRow(std::string path, bool is_folder) {
  CatalogRow row;
  row.path = std::move(path);
  if (is_folder) row.path.push_back('/');
  row.kind = CatalogRow::Kind::kDenied;
  return row;
}

// The state of the folder that is physically there.
os::OsResult<os::FileInfo> StatFolder(const std::string& absolute) {
  const auto place = os::OpenExactFolder(absolute);
  if (!place.ok()) return place.error();
  return os::Stat(place->get());
}

bool InRepository(std::string folder) {
  while (true) {
    const auto place = os::OpenExactFolder(folder);
    if (place.ok() && os::StatEntry(place->get(), ".git").ok()) return true;
    if (folder.size() <= 1) return false;
    folder = std::string(ParentPath(folder));
  }
}

struct PathOrder {
  bool operator()(const std::string& a, const std::string& b) const { return PathBefore(a, b); }
};

}  // namespace

// Collects changes of a catalog. For each path the last change counts.
class TreeTracker::Edits {
 public:
  Edits(const Catalog& catalog, TreeChanges& changes) : catalog_(catalog), changes_(changes) {}

  std::map<std::string, std::set<std::string>> relist;  // folder -> names
  TreeChanges& changes() { return changes_; }

  bool InCatalog(const std::string& path) const { return catalog_.Find(path) != nullptr; }

  // A file that appeared. If it is another name of a known file, the row of
  // that file has the wrong number of links, and the watcher sees writes
  // through one name only.
  void SetNew(CatalogRow row) {
    const index::PackedRow* old = catalog_.Find(row.path);
    const bool known = old != nullptr && old->info.inode == row.info.inode && old->info.links == row.info.links;
    changes_.linked |= row.info.links > 1 && !known;
    Set(std::move(row));
  }
  void Set(CatalogRow row) {
    std::string path = row.path;
    edits_[std::move(path)] = std::move(row);
  }
  void Remove(const std::string& path) {
    if (InCatalog(path)) {
      edits_[path] = std::nullopt;
    } else {
      edits_.erase(path);
    }
  }
  void RemoveBelow(const std::string& folder) {
    const auto [begin, end] = catalog_.Range(folder);
    for (auto at = begin; at < end; Advance(at)) {
      const std::string_view path = catalog_.page(at.page).path(at.row);
      if (index::InFolder(path, folder)) edits_[std::string(path)] = std::nullopt;
    }
    for (auto at = edits_.begin(); at != edits_.end();) {
      const bool added = at->second && index::InFolder(at->first, folder);
      at = added && !InCatalog(at->first) ? edits_.erase(at) : std::next(at);
    }
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
  std::map<std::string, std::optional<CatalogRow>, PathOrder> edits_;
};

TreeTracker::TreeTracker(std::shared_ptr<const Sandbox> sandbox, std::string root, Traversal traversal,
                         std::shared_ptr<const GitEnvironment> git, std::unique_ptr<os::Watcher> watcher)
    : sandbox_(std::move(sandbox)),
      root_(std::move(root)),
      traversal_(traversal),
      git_(std::move(git)),
      watcher_(std::move(watcher)) {}

TreeTracker::~TreeTracker() = default;

WalkOptions TreeTracker::Options() {
  WalkOptions options;
  options.rules.traversal = traversal_;
  options.git = git_;
  options.stat = true;
  if (watcher_) options.before_listing = [this](int fd, const std::string& folder) { Watch(fd, folder); };
  return options;
}

void TreeTracker::Watch(int folder, const std::string& absolute) {
  const auto watch = watcher_->Add(folder, absolute);
  if (!watch.ok()) {
    // A folder that is gone needs no watch; the watch of its parent reports it.
    if (os::OpenExactFolder(absolute).ok()) watch_failed_ = true;
    return;
  }
  watched_.Add(std::string(RelativeTo(absolute, root_)), *watch);
}

void TreeTracker::Forget(const std::string& relative) {
  const WatchedFolders::Forgotten forgotten = watched_.Forget(relative);
  for (const os::WatchId watch : forgotten.watches) watcher_->Remove(watch);
  for (const std::string& folder : forgotten.folders) repositories_.erase(folder);
}

Enumeration TreeTracker::Enumerate(const Deadline& deadline, std::uint64_t most_files, std::uint64_t most_bytes) {
  repositories_.clear();
  watch_failed_ = false;
  WatchedFolders::ByWatch before = watched_.StartScan();
  root_in_repository_ = InRepository(root_);
  // Before the walk watches the root: if the root is replaced in between, its
  // stat and its watch differ.
  root_info_ = StatFolder(root_);
  Enumeration out = WalkAll(deadline, most_files, most_bytes);
  // Only now: a walk that is cut short has helpers that add watches until it is
  // destroyed.
  if (!out.finished) {
    watched_.Restore(std::move(before));  // the next scan decides
    return out;
  }
  // Folders that are gone, or that the rules no longer admit.
  for (const os::WatchId watch : watched_.Unseen(before)) watcher_->Remove(watch);
  return out;
}

Enumeration TreeTracker::WalkAll(const Deadline& deadline, std::uint64_t most_files, std::uint64_t most_bytes) {
  Enumeration out;
  const auto root = SearchRoot::Open(*sandbox_, root_, traversal_.follow);
  if (!root.ok()) {
    out.errors.push_back(": " + root.error().message());
    out.finished = true;
    return out;
  }
  Walk walk(*root, Options(), deadline);
  WalkEntry entry;
  while (walk.Next(entry)) {
    switch (entry.kind) {
      case WalkEntry::Kind::kFile:
        ++out.files;
        out.bytes += entry.info.size;
        out.rows.push_back(FileRow(std::move(entry.path), entry.info));
        break;
      case WalkEntry::Kind::kDenied: out.rows.push_back(DeniedRow(std::move(entry.path), entry.is_folder)); break;
      case WalkEntry::Kind::kError: out.errors.push_back(entry.path + ": " + entry.error); break;
    }
    const bool over = (most_files != 0 && out.files > most_files) || (most_bytes != 0 && out.bytes > most_bytes);
    if (over) return out;
  }
  out.finished = !walk.timed_out();
  for (std::string& folder : walk.repositories()) repositories_.insert(std::move(folder));
  rule_inputs_ = RuleInputs(walk.rule_inputs());
  return out;
}

bool TreeTracker::CoversFolder(const std::string& relative) const {
  if (relative.empty()) return true;
  if (!watched_.Contains(relative)) return false;
  if (traversal_.no_ignore) return true;
  // Outside a repository, a folder below the root has other rules when it is
  // searched by itself; and so it has inside another repository.
  if (!root_in_repository_) return false;
  return std::none_of(repositories_.begin(), repositories_.end(), [&](const std::string& repository) {
    return relative == repository || index::InFolder(relative, repository);
  });
}

bool TreeTracker::RootReplaced() const {
  const auto now = StatFolder(root_);
  return !now.ok() || !root_info_.ok() || now->device != root_info_->device || now->inode != root_info_->inode;
}

void TreeTracker::Sort(const std::vector<os::WatchEvent>& events, const Catalog& catalog, Edits& edits) {
  using Kind = os::WatchEvent::Kind;
  for (const os::WatchEvent& event : events) {
    if (event.kind == Kind::kOverflow) {
      edits.changes().overflow = true;
      continue;
    }
    const auto known = watched_.FolderOf(event.watch);
    if (!known) continue;
    const std::string& folder = *known;
    if (event.kind == Kind::kFolderGone) {
      edits.changes().root_gone |= folder.empty();
      continue;
    }
    if (event.name.empty()) {
      // The folder's own attributes changed. The watch of its parent reports
      // that, too; only the root has no watched parent.
      edits.changes().hidden_by_error |= folder.empty();
      continue;
    }
    if (IsRuleFile(event.name) && !traversal_.no_ignore) edits.changes().rules_changed = true;
    if (event.kind != Kind::kChanged || event.is_folder) {
      edits.relist[folder].insert(event.name);
      continue;
    }
    const std::string path = JoinPath(folder, event.name);
    if (const index::PackedRow* row = catalog.Find(path); row != nullptr && row->kind == CatalogRow::Kind::kFile) {
      edits.Set(FileRow(path, row->info));
    }
  }
}

TreeChanges TreeTracker::Drain(const Catalog& catalog, const Deadline& deadline) {
  TreeChanges changes;
  if (!watcher_) return changes;
  std::vector<os::WatchEvent> events;
  changes.broken = !watcher_->Drain(events) || watch_failed_;
  changes.root_gone = RootReplaced();
  if (events.empty()) return changes;
  Edits edits(catalog, changes);
  Sort(events, catalog, edits);
  if (!edits.relist.empty() && !changes.overflow) {
    const auto root = SearchRoot::Open(*sandbox_, root_, traversal_.follow);
    if (!root.ok()) {
      changes.root_gone = true;
      return changes;
    }
    const WalkOptions options = Options();
    Lister lister(*root, options);
    for (const auto& [folder, names] : edits.relist) {
      if (deadline.over()) {
        changes.out_of_time = true;
        break;
      }
      Relist(lister, folder, names, edits);
    }
  }
  edits.Finish();
  changes.broken |= watch_failed_;
  return changes;
}

void TreeTracker::Discard() {
  std::vector<os::WatchEvent> events;
  if (watcher_) watcher_->Drain(events);
}

void TreeTracker::Relist(Lister& lister, const std::string& folder, const std::set<std::string>& names, Edits& edits) {
  // The listing of its parent may have shown that it is gone.
  if (!watched_.Contains(folder)) return;
  std::map<std::string_view, Item*> found;
  const FolderPtr listing = lister.Descend(folder);
  if (listing) {
    lister.List(*listing, std::atomic<bool>(false));
    edits.changes().hidden_by_error |= !listing->error.empty();
    for (Item& item : listing->items) found.emplace(item.name, &item);
  }
  for (const std::string& name : names) {
    const auto item = found.find(name);
    Apply(lister, folder, name, item == found.end() ? nullptr : item->second, edits);
  }
}

void TreeTracker::Apply(Lister& lister, const std::string& folder, const std::string& name, Item* item, Edits& edits) {
  const std::string path = JoinPath(folder, name);
  // We judge the entry anew, whatever we knew before.
  if (watched_.Contains(path)) {
    Forget(path);
    edits.RemoveBelow(path);
  }
  edits.Remove(path);
  edits.Remove(path + '/');
  if (item == nullptr) return;
  switch (item->kind) {
    case Item::Kind::kFile: edits.SetNew(FileRow(path, item->extra ? item->extra->info : os::FileInfo())); break;
    case Item::Kind::kDenied: edits.Set(DeniedRow(path, item->is_folder)); break;
    case Item::Kind::kError: edits.changes().hidden_by_error = true; break;
    case Item::Kind::kFolder: AddSubtree(lister, *item->extra->folder, edits); break;
  }
}

void TreeTracker::AddSubtree(Lister& lister, Folder& folder, Edits& edits) {
  lister.List(folder, std::atomic<bool>(false));
  edits.changes().hidden_by_error |= !folder.error.empty();
  if (folder.repository) repositories_.insert(folder.path);
  for (Item& item : folder.items) {
    const std::string path = JoinPath(folder.path, item.name);
    switch (item.kind) {
      case Item::Kind::kFile: edits.SetNew(FileRow(path, item.extra ? item.extra->info : os::FileInfo())); break;
      case Item::Kind::kDenied: edits.Set(DeniedRow(path, item.is_folder)); break;
      case Item::Kind::kError: edits.changes().hidden_by_error = true; break;
      case Item::Kind::kFolder: AddSubtree(lister, *item.extra->folder, edits); break;
    }
  }
}

}  // namespace forge::indexer
