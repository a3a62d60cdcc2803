#include "indexer/publish/scan_steps.h"

#include <algorithm>
#include <utility>

#include "indexer/publish/contents.h"
#include "os/limits.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::CatalogRow;
using index::State;
using index::TokenStatus;
using index::Trigger;

namespace {

void LeaveDisabled(Contents& now) {
  now.schedule.LeftDisabled();
  if (now.safety.state != State::kDisabled) return;
  now.Happen(now.safety.disabled == index::Reason::kBelowThreshold ? Trigger::kAboveThreshold
                                                                   : Trigger::kCooldownExpired);
}

// The files that changed and were not indexed again, as rows that exclude
// nothing and that the next scan indexes (FR-LSI-BG-41).
std::vector<CatalogRow> ChangedRows(const Contents& now) {
  std::vector<CatalogRow> rows;
  for (const auto& [path, entry] : now.queue.entries()) {
    const index::PackedRow* row = now.snapshot->catalog.Find(path);
    if (row == nullptr || row->kind != CatalogRow::Kind::kFile) continue;
    if (row->status == TokenStatus::kNone) rows.push_back(FileRow(path, row->info));
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return PathBefore(a.path, b.path); });
  return rows;
}

}  // namespace

std::vector<Unsettled> UnsettledFiles(const index::Catalog& catalog) {
  std::vector<Unsettled> out;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    if (!page.any_special()) continue;
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.kind != CatalogRow::Kind::kFile) continue;
      if (row.status == TokenStatus::kNone) out.push_back({std::string(page.path(i)), std::nullopt});
      if (row.status == TokenStatus::kFull && !row.settled)
        out.push_back({std::string(page.path(i)), row.info.ctime_ns});
    }
  }
  return out;
}

void ScanSteps::Opened(StoreLink::Loaded loaded) {
  const Lock lock(published_.mutex);
  published_.now.safety.coverage_epoch = loaded.meta.coverage_epoch;
  published_.now.Swap(setup_.key, std::move(loaded.catalog), std::move(loaded.segments));
  // The next scan reuses what a build left that stopped at its budget; searches do not
  // use it.
  if (loaded.meta.reason == index::Reason::kBuildBudgetExceeded) {
    published_.now.Happen(Trigger::kBuildStarted);
    published_.now.Happen(Trigger::kBuildBudgetExceeded);
  } else {
    published_.now.Happen(Trigger::kOpened);
  }
  if (loaded.meta.policy_hash != setup_.policy_hash) published_.now.Happen(Trigger::kPolicyChanged);
}

void ScanSteps::OpenedNothing() {
  const Lock lock(published_.mutex);
  published_.now.Happen(Trigger::kFileMissing);
}

void ScanSteps::OpenFailed(const Error& error) {
  const Lock lock(published_.mutex);
  published_.now.problem = error.message;
  if (error.code == ErrorCode::kDamaged) published_.now.Happen(Trigger::kIntegrityFailed);
}

// A scan watches every folder anew, so a watcher that had failed counts as
// started. If it fails again, the end of the scan reports that.
void ScanSteps::StartScan(Contents& now, Trigger trigger) {
  if (tracker_.has_watcher()) now.Happen(Trigger::kWatcherStarted);
  // CFG-SFI-05: nothing reports changes, so scans have to find them.
  if (!tracker_.has_watcher() && setup_.should_watch) now.Happen(Trigger::kWatcherDown);
  now.Happen(trigger);
  now.schedule.ScanStarted();
  now.problem.clear();
}

index::SnapshotPtr ScanSteps::StartBuild() {
  const Lock lock(published_.mutex);
  const bool corrupt = published_.now.safety.state == State::kCorrupt;
  LeaveDisabled(published_.now);
  StartScan(published_.now, Trigger::kBuildStarted);
  published_.now.schedule.BuildStarted();
  return corrupt ? nullptr : published_.now.snapshot;
}

index::SnapshotPtr ScanSteps::StartReconcile() {
  const Lock lock(published_.mutex);
  StartScan(published_.now, Trigger::kReconcileStarted);
  return published_.now.snapshot;
}

void ScanSteps::FoundSmall() {
  const Lock lock(published_.mutex);
  LeaveDisabled(published_.now);
  if (published_.now.safety.state != State::kAbsent) published_.now.Happen(Trigger::kEvicted);
  published_.now.Happen(Trigger::kBelowThreshold);
  published_.now.Drop();
}

void ScanSteps::NoteProblem(const std::string& problem) {
  const Lock lock(published_.mutex);
  published_.now.problem = problem;
}

void ScanSteps::Activate(Outcome outcome) {
  ChangeQueue queue;  // filled without the mutex: there may be very many
  for (const Unsettled& file : UnsettledFiles(outcome.catalog)) {
    queue.Add(file.path, now_ns(), file.ctime_ns ? SettlesAt(setup_, *file.ctime_ns) : 0);
  }
  const Lock lock(published_.mutex);
  std::swap(published_.now.queue, queue);
  published_.now.removed.clear();
  published_.now.pending = {};  // the scan has seen these
  published_.now.Swap(setup_.key, std::move(outcome.catalog), std::move(outcome.segments));
  published_.follower.Follow(published_.now, {Deadline(), &published_.waiting});
  if (outcome.errors) published_.now.Happen(Trigger::kEnumerationError);
  if (outcome.racy_rules) published_.now.Happen(Trigger::kIgnoreChanged);
}

// What a user can do about it.
void ScanSteps::NoteWatches(Contents& now) const {
  now.schedule.Unwatched(tracker_.has_watcher() && !tracker_.hears());
  if (!tracker_.over_limit()) return;
  now.problem = "the tree has more folders than may be watched (fs.inotify.max_user_watches" +
                (os::MaxWatches() ? " = " + std::to_string(*os::MaxWatches()) : std::string()) +
                "); nothing is watched, and each search walks the tree; raise the limit, or set index_watch = false";
}

void ScanSteps::EndBuild() {
  const Lock lock(published_.mutex);
  NoteWatches(published_.now);
  published_.now.Happen(Trigger::kBuildCompleted);
  published_.now.schedule.BuildCompleted(published_.now.safety, now_ns());
}

void ScanSteps::EndReconcile(bool done) {
  const Lock lock(published_.mutex);
  NoteWatches(published_.now);
  published_.now.Happen(done ? Trigger::kReconcileCompleted : Trigger::kReconcileFailed);
  published_.now.schedule.ReconcileEnded(done, published_.now.safety, now_ns());
}

void ScanSteps::StopAtBudget(Schedule::Budget fits, const std::string& why) {
  const Lock lock(published_.mutex);
  published_.now.Happen(Trigger::kBuildBudgetExceeded);
  published_.now.problem = why;
  published_.now.schedule.BudgetReached(fits, now_ns());
}

Schedule::Budget ScanSteps::budget() const {
  const Lock lock(published_.mutex);
  return published_.now.schedule.budget();
}

void ScanSteps::Measured(bool fits) {
  const Lock lock(published_.mutex);
  published_.now.schedule.Measured(fits, now_ns());
}

void ScanSteps::Fail(const Error& error, bool partial) {
  const Lock lock(published_.mutex);
  const bool damaged = error.code == ErrorCode::kDamaged;
  // A failed reconcile does not count as a failed build, but no index is left.
  const Trigger failed = partial && store_.exists() ? Trigger::kBuildFailedPartial : Trigger::kBuildFailedClean;
  const bool building = published_.now.safety.build_runs;
  published_.now.Happen(damaged ? Trigger::kIntegrityFailed : building ? failed : Trigger::kEvicted);
  published_.now.Drop(error.message);
  published_.now.schedule.Failed({.partial = partial, .damaged = damaged}, now_ns());
}

void ScanSteps::GiveUp(const std::string& why) {
  const Lock lock(published_.mutex);
  published_.now.Happen(Trigger::kMemoryExceeded);
  published_.now.Drop(why);
  published_.now.schedule.GaveUp(now_ns());
}

void ScanSteps::Evicted() {
  const Lock lock(published_.mutex);
  published_.now.Drop();
  published_.now.Happen(Trigger::kEvicted);
}

void ScanSteps::StoreLost(const Error& error, bool building) {
  const Lock lock(published_.mutex);
  const bool locked = error.code == ErrorCode::kLocked;
  published_.now.schedule.StoreLost({.building = building, .locked = locked}, now_ns());
}

void ScanSteps::StoreFound() {
  const Lock lock(published_.mutex);
  published_.now.schedule.StoreFound();
  published_.now.Drop();  // not all of its segments are stored
  published_.now.Happen(Trigger::kEvicted);
}

void ScanSteps::Stored() {
  const Lock lock(published_.mutex);
  published_.now.schedule.Stored();
}

void ScanSteps::Checked() {
  const Lock lock(published_.mutex);
  published_.now.schedule.Checked();
}

std::optional<index::StoreChange> ScanSteps::Checkpoint() const {
  const Lock lock(published_.mutex);
  if (!published_.now.snapshot) return std::nullopt;
  index::StoreChange change;
  change.meta = store_.MetaOf(published_.now.safety);
  change.rows = ChangedRows(published_.now);
  change.removed.assign(published_.now.removed.begin(), published_.now.removed.end());
  std::sort(change.removed.begin(), change.removed.end(), PathBefore);
  return change;
}

}  // namespace forge::indexer
