#include "indexer/track/tree_tracker.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "scope/paths.h"
#include "tree/git_excludes.h"

namespace forge::indexer {

using index::CatalogRow;

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

namespace {

// The state of the folder that is physically there.
os::OsResult<os::FileInfo> StatFolder(const std::string& absolute) {
  const auto place = os::OpenExactFolder(absolute);
  if (!place.ok()) return place.error();
  return os::Stat(place->get());
}

}  // namespace

TreeTracker::TreeTracker(std::shared_ptr<const Sandbox> sandbox, std::string root, Traversal traversal,
                         std::shared_ptr<const GitEnvironment> git, std::unique_ptr<os::Watcher> watcher,
                         std::unique_ptr<os::Mounts> mounts)
    : sandbox_(std::move(sandbox)),
      root_(std::move(root)),
      traversal_(traversal),
      git_(std::move(git)),
      watcher_(std::move(watcher)),
      mounts_(std::move(mounts)) {}

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
    // A folder that may not be read cannot be listed either, and the walk says so.
    if (watch.error().code == EACCES) return;
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
  ForgetBacklog();
  // Before the walk: a mount that comes later is a change.
  if (mounts_) mounts_->Changed();
  if (mounts_) mounts_below_ = mounts_->Below(root_);
  WatchedFolders::ByWatch before = watched_.StartScan();
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
  root_in_repository_ = walk.root_in_repository();
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

void TreeTracker::Discard() {
  std::vector<os::WatchEvent> events;
  if (watcher_) watcher_->Drain(events);
  ForgetBacklog();
}

}  // namespace forge::indexer
