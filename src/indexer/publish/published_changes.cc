// The background thread's half of Published: scans, updates, failures.
#include <algorithm>
#include <tuple>
#include <utility>

#include "indexer/publish/housekeeping.h"
#include "indexer/publish/published.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;
using index::State;
using index::TokenStatus;
using index::Trigger;

namespace {

constexpr std::size_t kFilesAtATime = 5'000;  // so that a search waits only a moment for their rows
constexpr std::int64_t kLastStepMs = 20;

CatalogRow UnindexedRow(const std::string& path, const os::FileInfo& info) {
  CatalogRow row;
  row.path = path;
  row.info = info;
  return row;
}

}  // namespace

void Published::Opened(StoreLink::Loaded loaded) {
  const Lock lock(mutex_);
  safety_.coverage_epoch = loaded.meta.coverage_epoch;
  Publish(std::move(loaded.catalog), std::move(loaded.segments));
  // The next scan reuses what a build left that stopped at its budget; searches do not
  // use it.
  if (loaded.meta.reason == index::Reason::kBuildBudgetExceeded) {
    Happen(Trigger::kBuildStarted);
    Happen(Trigger::kBuildBudgetExceeded);
  } else {
    Happen(Trigger::kOpened);
  }
  if (loaded.meta.policy_hash != setup_.policy_hash) Happen(Trigger::kPolicyChanged);
}

void Published::OpenedNothing() {
  const Lock lock(mutex_);
  Happen(Trigger::kFileMissing);
}

void Published::OpenFailed(const Error& error) {
  const Lock lock(mutex_);
  problem_ = error.message;
  Happen(error.code == ErrorCode::kDamaged ? Trigger::kIntegrityFailed : Trigger::kLockTimeout);
}

// A scan watches every folder anew, so a watcher that had failed counts as
// started. If it fails again, the end of the scan reports that.
void Published::StartScan(Trigger trigger) {
  if (tracker_.has_watcher()) Happen(Trigger::kWatcherStarted);
  // CFG-SFI-05: nothing reports changes, so scans have to find them.
  if (!tracker_.has_watcher() && setup_.should_watch) Happen(Trigger::kWatcherDown);
  Happen(trigger);
  schedule_.ScanStarted();
  problem_.clear();
}

void Published::LeaveDisabled() {
  schedule_.LeftDisabled();
  if (safety_.state != State::kDisabled) return;
  Happen(safety_.disabled == index::Reason::kBelowThreshold ? Trigger::kAboveThreshold : Trigger::kCooldownExpired);
}

index::SnapshotPtr Published::StartBuild() {
  const Lock lock(mutex_);
  const index::SnapshotPtr base = safety_.state == State::kCorrupt ? nullptr : snapshot_;
  LeaveDisabled();
  StartScan(Trigger::kBuildStarted);
  schedule_.BuildStarted();
  return base;
}

index::SnapshotPtr Published::StartReconcile() {
  const Lock lock(mutex_);
  StartScan(Trigger::kReconcileStarted);
  return snapshot_;
}

void Published::FoundSmall() {
  const Lock lock(mutex_);
  LeaveDisabled();
  if (safety_.state != State::kAbsent) Happen(Trigger::kEvicted);
  Happen(Trigger::kBelowThreshold);
  snapshot_ = nullptr;
}

void Published::NoteProblem(const std::string& problem) {
  const Lock lock(mutex_);
  problem_ = problem;
}

void Published::Activate(ScanResult result) {
  ChangeQueue queue;  // filled without the mutex: there may be very many
  for (const Unsettled& file : UnsettledFiles(result.catalog)) {
    queue.Add(file.path, now_ns(), file.ctime_ns ? SettlesAt(*file.ctime_ns) : 0);
  }
  const Lock lock(mutex_);
  std::swap(queue_, queue);
  removed_.clear();
  Publish(std::move(result.catalog), std::move(result.segments));
  store_.ForgetAllBut(snapshot_->segments);
  Apply(tracker_.Drain(snapshot_->catalog, {Deadline(), &waiting_}));
  if (result.errors) Happen(Trigger::kEnumerationError);
  if (result.racy_rules) Happen(Trigger::kIgnoreChanged);
}

void Published::EndBuild() {
  const Lock lock(mutex_);
  Happen(Trigger::kBuildCompleted);
  schedule_.BuildCompleted(safety_, now_ns());
}

void Published::EndReconcile(bool done) {
  const Lock lock(mutex_);
  Happen(done ? Trigger::kReconcileCompleted : Trigger::kReconcileFailed);
  schedule_.ReconcileEnded(done, safety_, now_ns());
}

void Published::StopAtBudget(Schedule::Budget fits, const std::string& why) {
  const Lock lock(mutex_);
  Happen(Trigger::kBuildBudgetExceeded);
  problem_ = why;
  schedule_.BudgetReached(fits, now_ns());
}

void Published::Measured(bool fits) {
  const Lock lock(mutex_);
  schedule_.Measured(fits, now_ns());
}

// When to read a file again that was read too soon after it was written. If it
// was written while the clock was ahead, it waits for that time; otherwise we
// would read it again and again until then.
std::int64_t Published::SettlesAt(std::int64_t ctime_ns) const {
  const std::int64_t granularity_ns = setup_.stamp_granularity_ns;
  return std::min(std::max(now_ns(), ctime_ns), INT64_MAX - granularity_ns) + granularity_ns;
}

std::optional<Published::Update> Published::StartUpdate(std::int64_t now_ns) {
  const index::SnapshotPtr now = snapshot();
  if (!now) return std::nullopt;
  const std::vector<std::string> scattered = FilesOfSmallSegments(*now);
  Update update;
  {
    const Lock lock(mutex_);
    if (!index::MayExclude(safety_) || !snapshot_) return std::nullopt;
    for (const std::string& path : scattered) Queue(path, 0);
    for (const std::string& path : queue_.Due(now_ns, kFilesAtATime)) {
      const index::PackedRow* row = snapshot_->catalog.Find(path);
      if (row == nullptr || row->kind != CatalogRow::Kind::kFile) {
        queue_.Remove(path);
        continue;
      }
      update.numbers[path] = queue_.Find(path)->number;
      update.rows.push_back(UnindexedRow(path, row->info));
    }
    if (update.rows.empty() && removed_.empty()) return std::nullopt;
  }
  std::sort(update.rows.begin(), update.rows.end(),
            [](const CatalogRow& a, const CatalogRow& b) { return PathBefore(a.path, b.path); });
  return update;
}

std::optional<index::StoreChange> Published::EndUpdate(Update update, index::Segments segments) {
  CatchUp();
  std::set<std::string> removed;
  auto change = PublishUpdate(std::move(update), std::move(segments), removed);
  if (!change) return std::nullopt;
  change->removed.assign(removed.begin(), removed.end());
  std::sort(change->removed.begin(), change->removed.end(), PathBefore);
  return change;
}

std::optional<index::StoreChange> Published::PublishUpdate(Update update, index::Segments segments,
                                                           std::set<std::string>& removed) {
  const Lock lock(mutex_);
  if (!index::MayExclude(safety_)) return std::nullopt;
  // This queues files again that changed while they were read, under a new
  // number. If more changed than fits into this step, all stay queued.
  const bool done = CatchUpFor({Deadline::After(kLastStepMs), nullptr});
  if (!done || !index::MayExclude(safety_)) return std::nullopt;
  index::StoreChange change;
  removed.swap(removed_);
  for (CatalogRow& row : update.rows) {
    if (TakeOffQueue(row, update.numbers.at(row.path))) change.rows.push_back(std::move(row));
  }
  Catalog catalog = snapshot_->catalog.With(change.rows, {});
  index::Segments all = snapshot_->segments;
  all.merge(segments);
  change.dropped_segments = DropUnused(catalog, all);
  Publish(std::move(catalog), std::move(all));
  store_.ForgetAllBut(snapshot_->segments);
  if (queue_.empty()) schedule_.QueueEmptied();
  Happen(Trigger::kDirtyApplied);
  change.meta = store_.MetaOf(safety_, true);
  return change;
}

// Whether the row describes the file as it is now. If so, the file waits no
// longer, or only until it has settled.
bool Published::TakeOffQueue(const CatalogRow& row, std::uint64_t number) {
  const ChangeQueue::Entry* entry = queue_.Find(row.path);
  if (entry == nullptr || entry->number != number) return false;
  if (snapshot_->catalog.Find(row.path) == nullptr) return false;
  queue_.Remove(row.path);
  if (row.status == TokenStatus::kFull && !row.settled) Queue(row.path, SettlesAt(row.info.ctime_ns));
  return true;
}

std::optional<std::int64_t> Published::SettlesInNs() const {
  const Lock lock(mutex_);
  if (queue_.empty()) return std::nullopt;
  return queue_.LongestWait(now_ns(), 2 * setup_.stamp_granularity_ns);
}

void Published::Fail(const Error& error, bool partial) {
  const Lock lock(mutex_);
  const bool damaged = error.code == ErrorCode::kDamaged;
  // A failed reconcile does not count as a failed build, but no index is left.
  const Trigger failed = partial && store_.exists() ? Trigger::kBuildFailedPartial : Trigger::kBuildFailedClean;
  Happen(damaged ? Trigger::kIntegrityFailed : safety_.build_runs ? failed : Trigger::kEvicted);
  Drop(error.message);
  schedule_.Failed({.partial = partial, .damaged = damaged}, now_ns());
}

void Published::GiveUp(const std::string& why) {
  const Lock lock(mutex_);
  Happen(Trigger::kMemoryExceeded);
  Drop(why);
  schedule_.GaveUp(now_ns());
}

void Published::Drop(const std::string& why) {
  problem_ = why;
  snapshot_ = nullptr;
  queue_.Clear();
  removed_.clear();
}

void Published::Evicted() {
  const Lock lock(mutex_);
  snapshot_ = nullptr;
  queue_.Clear();
  removed_.clear();
  Happen(Trigger::kEvicted);
}

void Published::StoreLost(const Error& error, bool building) {
  const Lock lock(mutex_);
  schedule_.StoreLost({.building = building, .locked = error.code == ErrorCode::kLocked}, now_ns());
}

void Published::StoreFound() {
  const Lock lock(mutex_);
  schedule_.StoreFound();
  snapshot_ = nullptr;  // its segments are not all stored
  queue_.Clear();
  Happen(Trigger::kEvicted);
}

void Published::Stored() {
  const Lock lock(mutex_);
  schedule_.Stored();
}

void Published::Checked() {
  const Lock lock(mutex_);
  schedule_.Checked();
}

std::optional<index::StoreChange> Published::Checkpoint() const {
  const Lock lock(mutex_);
  if (!snapshot_) return std::nullopt;
  index::StoreChange change;
  change.meta = store_.MetaOf(safety_, index::MayExclude(safety_));
  change.rows = ChangedRows();
  change.removed.assign(removed_.begin(), removed_.end());
  std::sort(change.removed.begin(), change.removed.end(), PathBefore);
  return change;
}

std::vector<index::CatalogRow> Published::ChangedRows() const {
  std::vector<index::CatalogRow> rows;
  for (const auto& [path, entry] : queue_.entries()) {
    const index::PackedRow* row = snapshot_->catalog.Find(path);
    if (row == nullptr || row->kind != index::CatalogRow::Kind::kFile) continue;
    if (row->status != index::TokenStatus::kNone) continue;
    index::CatalogRow& changed = rows.emplace_back();
    changed.path = path;
    changed.info = row->info;
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return PathBefore(a.path, b.path); });
  return rows;
}

}  // namespace forge::indexer
