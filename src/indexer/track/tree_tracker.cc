#include "indexer/track/tree_tracker.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "base/path.h"
#include "indexer/track/backlog_worker.h"
#include "os/private_file.h"
#include "tree/git_excludes.h"

namespace forge::indexer {

namespace {

// The state of the folder that is physically there.
os::OsResult<os::FileInfo> StatFolder(const std::string& absolute) {
  const auto place = os::OpenExactFolder(absolute);
  if (!place.ok()) return place.error();
  return os::Stat(place->get());
}

// Whether the open folder is the one at this path.
bool IsAt(int folder, const std::string& absolute) {
  const auto open = os::Stat(folder);
  const auto there = StatFolder(absolute);
  return open.ok() && there.ok() && open->device == there->device && open->inode == there->inode;
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
      mounts_(std::move(mounts)),
      sorter_(watched_, former_names_, traversal_.no_ignore) {}

WalkOptions TreeTracker::Options() {
  WalkOptions options;
  options.rules.traversal = traversal_;
  options.git = git_;
  options.stat = true;
  options.left_out = &left_out_;
  if (watcher_) options.before_listing = [this](int fd, const std::string& folder) { Watch(fd, folder); };
  return options;
}

void TreeTracker::Watch(int folder, const std::string& absolute) {
  if (watch_failed_) return;  // what is left would help nobody
  const auto watch = watcher_->Add(folder, absolute);
  if (!watch.ok()) {
    // A folder that may not be read cannot be listed either, and the walk says so.
    if (watch.error().code == EACCES) return;
    // A folder that is gone needs no watch; the watch of its parent reports it.
    if (!os::OpenExactFolder(absolute).ok()) return;
    over_limit_ = watch.error().code == ENOSPC;
    watch_failed_ = true;
    return;
  }
  const auto other = watched_.Add(std::string(RelativeTo(absolute, root_)), *watch);
  // A bind mount shows one folder at two places, and one watch serves both: its events
  // name one of them, and it ends with either. A folder that was moved is at one place.
  if (other && IsAt(folder, JoinPath(root_, *other))) watch_failed_ = true;
}

Enumeration TreeTracker::Enumerate(const Deadline& deadline, std::uint64_t most_files, std::uint64_t most_bytes) {
  const Lock lock(mutex_);
  repositories_.clear();
  left_out_.Clear();
  watch_failed_ = over_limit_ = false;
  backlog_ = {};
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
  if (watch_failed_) {
    ReleaseWatches(before);
    return out;
  }
  if (!out.finished) {
    watched_.Restore(std::move(before));  // the next scan decides
    return out;
  }
  // Folders that are gone, or that the rules no longer admit.
  for (const os::WatchId watch : watched_.Unseen(before)) watcher_->Remove(watch);
  return out;
}

void TreeTracker::ReleaseWatches(const WatchedFolders::ByWatch& before) {
  for (const auto& [watch, folder] : before) watcher_->Remove(watch);
  for (const auto& [watch, folder] : watched_.StartScan()) watcher_->Remove(watch);
  backlog_.TakeEvents(*watcher_);  // the end of each watch is an event
  backlog_ = {};
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
  rule_files_ = RuleInputs(walk.rule_files());
  return out;
}

bool TreeTracker::CoversFolder(const std::string& relative) const {
  if (relative.empty()) return true;
  const Lock lock(mutex_);
  if (!watched_.Contains(relative)) return false;
  if (traversal_.no_ignore) return true;
  // Outside a repository, a folder below the root has other rules when it is
  // searched by itself; and so it has inside another repository.
  if (!root_in_repository_) return false;
  return std::none_of(repositories_.begin(), repositories_.end(), [&](const std::string& repository) {
    return relative == repository || index::InFolder(relative, repository);
  });
}

// By one system call. A link on the way to the same folder does not matter: watches and
// catalog are about the folder, and no request gets past such a link.
bool TreeTracker::RootReplaced() const {
  const auto now = os::StatItself(root_);
  return !now.ok() || !root_info_.ok() || now->device != root_info_->device || now->inode != root_info_->inode;
}

void TreeTracker::Discard() {
  const Lock lock(mutex_);
  if (watcher_) backlog_.TakeEvents(*watcher_);
  backlog_ = {};
}

void TreeTracker::ForgetBacklog() {
  const Lock lock(mutex_);
  backlog_ = {};
}

bool TreeTracker::has_backlog() const {
  const Lock lock(mutex_);
  return !backlog_.empty();
}

void TreeTracker::Doubt(const std::string& path) {
  const Lock lock(mutex_);
  backlog_.Relist(path);
}

bool TreeTracker::RulesChanged() const {
  const Lock lock(mutex_);
  return rule_inputs_.Changed();
}

bool TreeTracker::RuleFilesDiffer() const {
  RuleInputs files;
  {
    const Lock lock(mutex_);
    files = rule_files_;
  }
  return files.Changed();  // they may be thousands, and a search must not wait
}

bool TreeTracker::RulesAreRacy(std::int64_t began_ns, std::int64_t now_ns, std::int64_t granularity_ns) const {
  const Lock lock(mutex_);
  return rule_inputs_.Racy(began_ns, now_ns, granularity_ns);
}

// A mount point whose mounts differ from those at the last look is a folder that
// was replaced.
void TreeTracker::CompareMounts() {
  if (!mounts_ || !mounts_->Changed()) return;
  std::vector<os::Mount> now = mounts_->Below(root_);
  std::vector<os::Mount> differ;
  std::set_symmetric_difference(mounts_below_.begin(), mounts_below_.end(), now.begin(), now.end(),
                                std::back_inserter(differ));
  for (const os::Mount& mount : differ) backlog_.Relist(std::string(RelativeTo(mount.point, root_)));
  mounts_below_ = std::move(now);
}

TreeChanges TreeTracker::Drain(const index::Catalog& catalog, const Turn& turn) {
  TreeChanges changes;
  if (!watcher_) return changes;
  const Lock lock(mutex_);
  changes.broken = !backlog_.TakeEvents(*watcher_);
  changes.root_gone = RootReplaced();
  CompareMounts();
  CatalogEdits edits(catalog, changes, former_names_);
  while (!backlog_.empty() && !changes.overflow) {
    if (sorter_.Sort(turn, backlog_, edits) == TurnEnd::kTooShort || turn.over()) break;
    LookAgain(turn, edits);
    if (backlog_.events.empty()) break;  // else more came meanwhile
  }
  sorter_.EndLook();
  // A scan comes, and sees everything.
  if (changes.overflow) backlog_ = {};
  edits.Finish();
  changes.broken |= watch_failed_;
  return changes;
}

// Lists folders and looks at files until the turn is over.
void TreeTracker::LookAgain(const Turn& turn, CatalogEdits& edits) {
  const auto root = SearchRoot::Open(*sandbox_, root_, traversal_.follow);
  if (!root.ok()) {
    edits.changes().root_gone = true;
    backlog_ = {};
    return;
  }
  BacklogWorker worker(*root, Options(), turn, {*watcher_, watched_, repositories_, former_names_}, backlog_, edits);
  worker.Work();
  // Rules with inputs that no watch reports came into the tree, such as those of a
  // repository. A scan looks at them from then on.
  if (!rule_inputs_.HasAll(worker.rule_inputs())) edits.changes().rules_changed = true;
  rule_files_.Add(worker.rule_files());
}

}  // namespace forge::indexer
