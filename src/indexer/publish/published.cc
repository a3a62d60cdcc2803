// Searches, events and the schedule. published_changes.cc has the other half:
// scans and updates.
#include "indexer/publish/published.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "scope/paths.h"

namespace forge::indexer {

using index::Reason;
using index::State;
using index::Trigger;

namespace {

constexpr std::int64_t kStepMs = 20;
constexpr std::chrono::microseconds kLockPause{50};

// Counts a search for as long as it lives.
class Waiting {
 public:
  explicit Waiting(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Waiting() { --count_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  std::atomic<int>& count_;
};

ScheduleSettings SettingsOf(const RootSetup& setup) {
  const IndexConfig& config = setup.config;
  ScheduleSettings settings;
  settings.cooldown_base_ms = config.cooldown_base.count();
  settings.debounce_ms = config.watch_debounce.count();
  settings.reevaluate_after_calls = config.auto_reeval_calls;
  if (config.integrity_check == IntegrityCheck::kPeriodic) settings.check_after_calls = config.integrity_period_calls;
  settings.stamp_granularity_ns = setup.stamp_granularity_ns;
  settings.retry_on_failure = config.retry_on_failure;
  return settings;
}

// Doubts that a request can resolve itself, by looking at every file.
bool IsSettledByWalking(Reason reason) {
  return reason == Reason::kOpenRequiresValidation || reason == Reason::kWatcherDown;
}

}  // namespace

Published::Published(const RootSetup& setup, TreeTracker& tracker, StoreLink& store, os::Wake& wake)
    : setup_(setup), tracker_(tracker), store_(store), wake_(wake), schedule_(SettingsOf(setup)) {}

Published::Trust Published::trust() const {
  if (!snapshot_ || !setup_.trustworthy_stamps) return Trust::kNone;
  // MayExclude is the exclusion gate. A request that walks sees every file
  // itself.
  if (index::MayExclude(safety_)) return tracker_.watching() ? Trust::kFull : Trust::kValidate;
  const bool walkable = safety_.state == State::kUncertain && !safety_.build_runs &&
                        std::all_of(safety_.causes.begin(), safety_.causes.end(), IsSettledByWalking);
  return walkable ? Trust::kValidate : Trust::kNone;
}

Situation Published::situation() const {
  return {.safety = safety_,
          .has_snapshot = snapshot_ != nullptr,
          .first_due_ns = queue_.FirstDue(),
          .removed_waits = !removed_.empty()};
}

std::optional<BypassReason> Published::BypassOf(const ViewRequest& request) const {
  // A request may see no more than the index does (FR-LSI-IDX-SCHED-04).
  if (!setup_.key.traversal.Covers(request.traversal)) return Bypass::kKeyDiffers;
  if (!setup_.trustworthy_stamps) return Bypass::kRemoteFileSystem;
  if (trust() != Trust::kNone) return std::nullopt;
  const Reason reason = safety_.reason();
  return reason == Reason::kNone ? BypassReason(safety_.state) : BypassReason(reason);
}

Deadline Published::ShareOf(const Deadline& deadline) const {
  const int left_ms = deadline.PollTimeout() < 0 ? 20000 : deadline.PollTimeout();
  const auto share = static_cast<std::int64_t>(static_cast<double>(left_ms) * setup_.config.maint_budget_fraction);
  return Deadline::After(share, deadline.cancel());
}

// Nobody keeps the mutex for long, but its holder may be a thread of low priority
// on a busy machine.
bool Published::LockWithin(const Deadline& deadline) {
  while (!mutex_.try_lock()) {
    if (deadline.over()) return false;
    std::this_thread::sleep_for(kLockPause);
  }
  return true;
}

View Published::Begin(const ViewRequest& request, const Deadline& deadline) {
  const Deadline share = ShareOf(deadline);
  const Waiting waiting(waiting_);
  if (LockWithin(share)) {
    const Lock lock(mutex_, std::adopt_lock);
    return BeginLocked(request, share);
  }
  return BusyView();
}

// FR-LSI-BUD-02: a request that could not get at the index in its share goes
// without it.
View Published::BusyView() const {
  View view;
  view.storage = store_.storage();
  view.storage_fallback = store_.fallback();
  view.state = State::kUncertain;
  view.reason = Reason::kMaintBudgetExceeded;
  view.bypass = Reason::kMaintBudgetExceeded;
  view.doubts_arose = true;
  return view;
}

View Published::BeginLocked(const ViewRequest& request, const Deadline& share) {
  View view;
  view.prefix = std::string(RelativeTo(request.folder, setup_.root));
  view.storage = store_.storage();
  view.storage_fallback = store_.fallback();
  if (schedule_.Searched(situation(), request.counted, now_ns())) wake_.Ring();
  if (trust() == Trust::kFull) {
    if (!CatchUpFor({share, nullptr})) Happen(Trigger::kMaintBudgetExceeded);
    view.doubts_arose = trust() != Trust::kFull;
    if (view.doubts_arose) wake_.Ring();
  }
  if (trust() != Trust::kNone) {
    if (const auto error = store_.FindWrittenTo(snapshot_->segments)) Damage(*error);
  }
  view.state = safety_.state;
  view.reason = safety_.reason();
  view.bypass = BypassOf(request);
  if (view.bypass) return view;
  view.snapshot = snapshot_;
  view.trusted = trust() == Trust::kFull && request.traversal.no_ignore == setup_.key.traversal.no_ignore &&
                 request.traversal.follow == setup_.key.traversal.follow && tracker_.CoversFolder(view.prefix);
  return view;
}

View Published::Look(const Deadline& deadline) {
  const Waiting waiting(waiting_);
  if (!LockWithin(ShareOf(deadline))) return BusyView();
  const Lock lock(mutex_, std::adopt_lock);
  View view;
  view.storage = store_.storage();
  view.storage_fallback = store_.fallback();
  view.state = safety_.state;
  view.reason = safety_.reason();
  return view;
}

void Published::CatchUp() {
  while (true) {
    {
      const Lock lock(mutex_);
      if (CatchUpStep()) return;
    }
    std::this_thread::yield();  // a search waits; it goes on with what is left
  }
}

bool Published::CatchUpStep() {
  if (!snapshot_) {
    tracker_.Discard();
    return true;
  }
  if (trust() == Trust::kFull) {
    const bool done = CatchUpFor({Deadline(), &waiting_});
    if (!index::MayExclude(safety_)) wake_.Ring();
    return done;
  }
  // No search trusts the catalog now, and the next scan sees these changes.
  Apply(tracker_.Drain(snapshot_->catalog, {Deadline::After(kStepMs), &waiting_}));
  tracker_.ForgetBacklog();
  return true;
}

bool Published::CatchUpFor(const Turn& turn) {
  Apply(tracker_.Drain(snapshot_->catalog, turn));
  if (index::MayExclude(safety_) && !setup_.key.traversal.no_ignore && tracker_.rule_inputs().Changed()) {
    Happen(Trigger::kIgnoreChanged);
  }
  // In doubt a scan comes, and sees everything.
  return !index::MayExclude(safety_) || !tracker_.has_backlog();
}

std::uint64_t Published::StartSweep(std::int64_t now_ns) {
  const Lock lock(mutex_);
  const std::uint64_t rows = snapshot_ ? schedule_.RowsToSweep(snapshot_->catalog.rows(), now_ns) : 0;
  schedule_.Swept(now_ns);
  return rows;
}

void Published::EndSweep(const std::vector<index::CatalogRow>& differing) {
  CatchUp();  // most differences have an event
  const Lock lock(mutex_);
  if (trust() != Trust::kFull) return;
  for (const index::CatalogRow& row : differing) {
    const index::PackedRow* now = snapshot_->catalog.Find(row.path);
    if (now == nullptr || index::IsAlwaysCandidate(*now) || now->info != row.info) continue;
    tracker_.Doubt(row.path);
    ++unreported_;
  }
  CatchUpFor({Deadline(), &waiting_});
}

void Published::Apply(const TreeChanges& changes) {
  for (const index::CatalogRow& row : changes.rows) {
    if (row.kind == index::CatalogRow::Kind::kFile) Queue(row.path, 0);
    removed_.erase(row.path);
  }
  for (const std::string& path : changes.removed) queue_.Remove(path);
  if (store_.writes()) removed_.insert(changes.removed.begin(), changes.removed.end());
  if (!changes.rows.empty() || !changes.removed.empty()) {
    if (schedule_.Changed(now_ns())) wake_.Ring();
    Publish(snapshot_->catalog.With(changes.rows, changes.removed), snapshot_->segments);
  }
  if (changes.overflow) Happen(Trigger::kWatcherOverflow);
  if (changes.broken || changes.root_gone) Happen(Trigger::kWatcherDown);
  if (changes.root_gone) {
    schedule_.RootGone();
    problem_ = "the root is gone";
  }
  if (changes.rules_changed) Happen(Trigger::kIgnoreChanged);
  if (changes.hidden_by_error) Happen(Trigger::kEnumerationError);
  if (changes.linked) Happen(Trigger::kRenameAmbiguous);
}

void Published::Happen(Trigger trigger) { safety_ = index::Next(safety_, trigger); }

void Published::Queue(const std::string& path, std::int64_t not_before_ns) {
  queue_.Add(path, now_ns(), not_before_ns);
}

void Published::Publish(index::Catalog catalog, index::Segments segments) {
  auto next = std::make_shared<index::Snapshot>();
  next->key = setup_.key;
  next->catalog = std::move(catalog);
  next->segments = std::move(segments);
  snapshot_ = std::move(next);
}

void Published::ReportDamage(const Error& error) {
  const Lock lock(mutex_);
  Damage(error);
}

void Published::Damage(const Error& error) {
  problem_ = error.message;
  Happen(Trigger::kIntegrityFailed);
  snapshot_ = nullptr;
  wake_.Ring();
}

index::SnapshotPtr Published::snapshot() const {
  const Lock lock(mutex_);
  return snapshot_;
}

index::Safety Published::safety() const {
  const Lock lock(mutex_);
  return safety_;
}

std::string Published::problem() const {
  const Lock lock(mutex_);
  return problem_;
}

void Published::Describe(IndexStatus& out) const {
  const Lock lock(mutex_);
  out.state = safety_.state;
  out.reason = safety_.reason();
  out.causes.assign(safety_.causes.begin(), safety_.causes.end());
  out.coverage_epoch = safety_.coverage_epoch;
  out.problem = problem_;
  out.pending_files = queue_.size();
  out.unreported_changes = unreported_;
  if (!snapshot_) return;
  out.files = snapshot_->catalog.files();
  out.indexed_files = snapshot_->catalog.indexed();
  out.segments = snapshot_->segments.size();
  for (const auto& [id, segment] : snapshot_->segments) out.documents += segment->doc_count();
  out.bytes_in_memory = snapshot_->memory();
}

Need Published::NextNeed(std::int64_t now_ns) const {
  const Lock lock(mutex_);
  Situation now = situation();
  if (schedule_.root_gone()) now.root_there = os::OpenExactFolder(setup_.root).ok();
  return schedule_.Next(now, now_ns);
}

std::int64_t Published::WaitMs(std::int64_t now_ns, std::int64_t most) const {
  const Lock lock(mutex_);
  return schedule_.WaitMs(situation(), now_ns, most);
}

Schedule::Budget Published::budget() const {
  const Lock lock(mutex_);
  return schedule_.budget();
}

}  // namespace forge::indexer
