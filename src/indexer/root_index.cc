#include "indexer/root_index.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "scope/paths.h"

namespace forge::indexer {

using index::Catalog;
using index::Event;
using index::Reason;
using index::State;

namespace {

std::int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Doubts that a request can settle for itself, by looking at every file.
bool IsSettledByWalking(Reason reason) {
  return reason == Reason::kOpenRequiresValidation || reason == Reason::kWatcherDown;
}

}  // namespace

RootIndex::RootIndex(RootSetup setup)
    : setup_(std::move(setup)),
      throttle_(setup_.throttle),
      tracker_(setup_.sandbox, setup_.root, {setup_.key.hidden, setup_.key.follow, setup_.key.no_ignore}, setup_.git,
               std::move(setup_.watcher)),
      watch_fd_(tracker_.watch_fd()),
      files_(SearchRoot::Open(*setup_.sandbox, setup_.root, setup_.key.follow)) {}

RootIndex::~RootIndex() = default;

RootIndex::Trust RootIndex::trust() const {
  if (!snapshot_ || !setup_.trustworthy_stamps) return Trust::kNone;
  // The exclusion gate is MayExclude; a request that walks brings the proof of
  // coverage itself.
  if (index::MayExclude(safety_)) return tracker_.watching() ? Trust::kFull : Trust::kValidate;
  const bool walkable = safety_.state == State::kUncertain && !safety_.build_runs &&
                        std::all_of(safety_.causes.begin(), safety_.causes.end(), IsSettledByWalking);
  return walkable ? Trust::kValidate : Trust::kNone;
}

std::string RootIndex::BypassOf(const ViewRequest& request) const {
  // A request may see no more than the index does (FR-LSI-IDX-SCHED-04).
  const index::IndexKey& key = setup_.key;
  if ((request.hidden && !key.hidden) || (request.follow && !key.follow) || (request.no_ignore && !key.no_ignore)) {
    return "KEY_DIFFERS";
  }
  if (!setup_.trustworthy_stamps) return "REMOTE_FILE_SYSTEM";
  const Reason reason = safety_.reason();
  return reason == Reason::kNone ? std::string(index::ToString(safety_.state)) : std::string(index::ToString(reason));
}

View RootIndex::Begin(const ViewRequest& request, const Deadline& deadline) {
  throttle_.NoteSearch();
  const std::lock_guard lock(mutex_);
  View view;
  view.prefix = std::string(RelativeTo(request.folder, setup_.root));
  view.storage = IsStored() ? "sqlite" : "memory";
  view.storage_fallback = setup_.storage_fallback;
  if (safety_.state == State::kDisabled && safety_.disabled == Reason::kBelowThreshold) {
    if (++calls_below_threshold_ >= setup_.config.auto_reeval_calls) wake_.Ring();
  }
  ++calls_since_check_;
  if (IsCheckDue()) wake_.Ring();
  if (trust() == Trust::kFull) {
    const auto share =
        static_cast<std::int64_t>(static_cast<double>(deadline.PollTimeout() < 0 ? 20000 : deadline.PollTimeout()) *
                                  setup_.config.maint_budget_fraction);
    CatchUpLocked(Deadline::After(share, deadline.cancel()));
    if (trust() != Trust::kFull) view.maintenance_action = "BYPASS_EXCLUSION";
  }
  if (trust() != Trust::kNone) CheckSegmentFilesLocked();
  view.state = safety_.state;
  view.reason = safety_.reason();
  if (!phase_.empty()) {
    view.build =
        BuildProgress{phase_, files_total_, progress_.files_done,
                      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - phase_began_).count()};
  }
  const Trust now = trust();
  const std::string bypass = BypassOf(request);
  if (now == Trust::kNone || bypass == "KEY_DIFFERS") {
    view.bypass = bypass;
    return view;
  }
  view.snapshot = snapshot_;
  view.trusted = now == Trust::kFull && request.no_ignore == setup_.key.no_ignore &&
                 request.follow == setup_.key.follow && tracker_.CoversFolder(view.prefix);
  return view;
}

void RootIndex::CatchUp() {
  const std::lock_guard lock(mutex_);
  if (!snapshot_) return tracker_.Discard();
  if (trust() == Trust::kFull) return CatchUpLocked(Deadline());
  // Nobody trusts the catalog now; the next scan sees what these speak of.
  ApplyLocked(tracker_.Drain(snapshot_->catalog, Deadline()));
}

void RootIndex::CatchUpLocked(const Deadline& deadline) {
  const TreeChanges changes = tracker_.Drain(snapshot_->catalog, deadline);
  ApplyLocked(changes);
  if (index::MayExclude(safety_) && !setup_.key.no_ignore && tracker_.rule_inputs().Changed()) {
    EventLocked(Event::kIgnoreChanged);
  }
  if (!index::MayExclude(safety_)) wake_.Ring();
}

void RootIndex::ApplyLocked(const TreeChanges& changes) {
  const std::int64_t now = os::FileClockNow();
  for (const index::CatalogRow& row : changes.rows) {
    if (row.kind == index::CatalogRow::Kind::kFile) QueueLocked(row.path, 0);
  }
  for (const std::string& path : changes.removed) pending_.erase(path);
  if (!changes.rows.empty() || !changes.removed.empty()) {
    if (last_change_ns_ == 0) wake_.Ring();
    last_change_ns_ = now;
    PublishLocked(snapshot_->catalog.With(changes.rows, changes.removed), snapshot_->segments);
  }
  if (changes.overflow) EventLocked(Event::kWatcherOverflow);
  if (changes.broken || changes.root_gone) EventLocked(Event::kWatcherDown);
  if (changes.root_gone) {
    root_gone_ = true;
    problem_ = "the root is gone";
  }
  if (changes.rules_changed) EventLocked(Event::kIgnoreChanged);
  if (changes.hidden_by_error) EventLocked(Event::kEnumerationError);
  if (changes.linked) EventLocked(Event::kRenameAmbiguous);
  if (changes.out_of_time) EventLocked(Event::kMaintBudgetExceeded);
}

void RootIndex::EventLocked(Event event) { safety_ = index::Next(safety_, event); }

void RootIndex::QueueLocked(const std::string& path, std::int64_t not_before_ns) {
  Pending& pending = pending_[path];
  pending.sequence = ++sequence_;
  if (pending.queued_ns == 0) pending.queued_ns = os::FileClockNow();
  pending.not_before_ns = not_before_ns;
}

void RootIndex::PublishLocked(Catalog catalog, index::Segments segments) {
  auto next = std::make_shared<index::Snapshot>();
  next->key = setup_.key;
  next->catalog = std::move(catalog);
  next->segments = std::move(segments);
  snapshot_ = std::move(next);
}

void RootIndex::NoteSegmentLocked(index::SegmentId id) {
  const std::string path = setup_.store->SegmentPath(id);
  segment_files_[id] = {path, os::StatPath(path)};
}

// Once a scan or an update is published; until then its segments are in no
// snapshot.
void RootIndex::ForgetSegmentsLocked() {
  std::erase_if(segment_files_, [this](const auto& file) { return !snapshot_->segments.contains(file.first); });
}

// What was read from a segment and found good is not compared with its checksum
// again; so nobody may have written to it since. Another file at its path is a
// later segment of another process: ours lives on without a name.
void RootIndex::CheckSegmentFilesLocked() {
  for (const auto& [id, file] : segment_files_) {
    if (!snapshot_->segments.contains(id)) continue;
    const auto now = os::StatPath(file.path);
    if (!now.ok() || !file.info.ok() || now->inode != file.info->inode) continue;
    if (now->mtime_ns == file.info->mtime_ns && now->size == file.info->size) continue;
    return DamageLocked(ExecutionFailed("the index is damaged: somebody wrote to " + file.path));
  }
}

void RootIndex::ReportDamage(const Error& error) {
  const std::lock_guard lock(mutex_);
  DamageLocked(error);
}

void RootIndex::DamageLocked(const Error& error) {
  problem_ = error.message;
  EventLocked(Event::kIntegrityFailed);
  snapshot_ = nullptr;
  wake_.Ring();
}

index::SnapshotPtr RootIndex::snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

IndexStatus RootIndex::status() const {
  const std::lock_guard lock(mutex_);
  IndexStatus out;
  out.root = setup_.root;
  out.state = index::ToString(safety_.state);
  out.reason = index::ToString(safety_.reason());
  for (const Reason cause : safety_.causes) out.causes.emplace_back(index::ToString(cause));
  out.token_structure = setup_.key.token_structure;
  out.storage = IsStored() ? "sqlite" : "memory";
  out.storage_fallback_reason = setup_.storage_fallback;
  out.problem = problem_.empty() ? store_problem_ : problem_;
  out.folder = setup_.store_folder;
  if (snapshot_) {
    const Catalog& catalog = snapshot_->catalog;
    out.files = catalog.files();
    out.indexed_files = catalog.indexed();
    out.segments = snapshot_->segments.size();
    for (const auto& [id, segment] : snapshot_->segments) out.documents += segment->doc_count();
    out.bytes_in_memory = snapshot_->memory();
  }
  out.pending_files = pending_.size();
  out.bytes_on_disk = setup_.store ? setup_.store->bytes_on_disk() : 0;
  out.coverage_epoch = safety_.coverage_epoch;
  out.watching = tracker_.watching();
  out.phase = phase_;
  out.files_total = files_total_;
  out.files_done = progress_.files_done;
  out.bytes_total = bytes_total_;
  out.bytes_done = progress_.bytes_done;
  out.elapsed_ms = elapsed_ms_;
  if (!phase_.empty()) {
    out.elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - phase_began_).count();
  }
  out.updated_ms = updated_ms_;
  return out;
}

void RootIndex::Open() {
  if (!setup_.store) return;
  auto loaded = setup_.store->Load();
  const std::lock_guard lock(mutex_);
  if (!loaded) {
    problem_ = loaded.error().message;
    EventLocked(index::IsDamage(loaded.error()) ? Event::kIntegrityFailed : Event::kLockTimeout);
    return;
  }
  if (!*loaded) return EventLocked(Event::kFileMissing);
  index::StoredIndex& stored = **loaded;
  index::Segments segments;
  for (const index::SegmentId id : stored.segments) {
    auto segment = setup_.store->Open(id);
    if (!segment) {
      problem_ = segment.error().message;
      return EventLocked(Event::kIntegrityFailed);
    }
    segments.emplace(id, std::move(*segment));
    NoteSegmentLocked(id);
    next_segment_ = std::max(next_segment_, id + 1);
  }
  // A row may refer to a segment that was dropped: no other gets its number.
  for (const index::CatalogRow& row : stored.rows) next_segment_ = std::max(next_segment_, row.segment + 1);
  created_ms_ = stored.meta.created_ms;
  updated_ms_ = stored.meta.updated_ms;
  safety_.coverage_epoch = stored.meta.coverage_epoch;
  PublishLocked(Catalog(stored.rows), std::move(segments));
  EventLocked(Event::kOpened);
  // What a build that never ended has left is reused by the next one, and no
  // more; denied files may be among the rows of another policy (I6).
  if (!stored.meta.complete) EventLocked(Event::kBuildBudgetExceeded);
  if (stored.meta.policy_hash != setup_.policy_hash) EventLocked(Event::kPolicyChanged);
  if (setup_.store->writable()) (void)setup_.store->Touch(NowMs());
}

RootIndex::Need RootIndex::need(std::int64_t now_ns) const {
  const std::lock_guard lock(mutex_);
  if (store_lost_ && safety_.state != State::kDisabled && now_ns >= store_again_ns_) return Need::kStoreAgain;
  switch (safety_.state) {
    case State::kAbsent:
    case State::kCorrupt: return now_ns >= reconcile_after_ns_ ? Need::kBuild : Need::kNothing;
    case State::kBuilding: return Need::kBuild;
    case State::kDisabled:
      if (safety_.disabled == Reason::kBelowThreshold && calls_below_threshold_ >= setup_.config.auto_reeval_calls) {
        return Need::kReevaluate;
      }
      if (disabled_until_ns_ != 0 && now_ns >= disabled_until_ns_) return Need::kReevaluate;
      return Need::kNothing;
    case State::kUncertain: {
      if (measure_at_ns_ != 0 && now_ns >= measure_at_ns_) return Need::kMeasure;
      if (now_ns < reconcile_after_ns_) return IsCheckDue() ? Need::kCheck : Need::kNothing;
      if (root_gone_ && !os::StatPath(setup_.root).ok()) return Need::kNothing;
      return reconcile_failed_ ? Need::kBuild : Need::kReconcile;
    }
    case State::kComplete: break;
  }
  const std::int64_t debounce = std::chrono::nanoseconds(setup_.config.watch_debounce).count();
  const bool due = std::any_of(pending_.begin(), pending_.end(), [&](const auto& entry) {
    return std::max(entry.second.not_before_ns, last_change_ns_ + debounce) <= now_ns;
  });
  if (due) return Need::kMaintain;
  return IsCheckDue() ? Need::kCheck : Need::kNothing;
}

bool RootIndex::IsCheckDue() const {
  return snapshot_ && setup_.config.integrity_check == IntegrityCheck::kPeriodic &&
         calls_since_check_ >= setup_.config.integrity_period_calls;
}

bool RootIndex::Work(std::int64_t now_ns, bool thresholds) {
  switch (need(now_ns)) {
    case Need::kBuild:
    case Need::kReevaluate: Build(thresholds); return true;
    case Need::kReconcile: Reconcile(); return true;
    case Need::kMaintain: Maintain(now_ns); return true;
    case Need::kStoreAgain: StoreAgain(thresholds); return true;
    case Need::kCheck: CheckIntegrity(); return true;
    case Need::kMeasure: Measure(); return true;
    case Need::kNothing: break;
  }
  return false;
}

std::int64_t RootIndex::NextLookMs(std::int64_t now_ns, std::int64_t most) const {
  const std::lock_guard lock(mutex_);
  std::int64_t at = now_ns + most * 1'000'000;
  const auto consider = [&](std::int64_t time) {
    if (time != 0) at = std::min(at, std::max(time, now_ns));
  };
  if (safety_.state != State::kComplete) consider(reconcile_after_ns_);
  if (safety_.state == State::kUncertain) consider(measure_at_ns_);
  consider(disabled_until_ns_);
  if (store_lost_) consider(store_again_ns_);
  const std::int64_t debounced = last_change_ns_ + std::chrono::nanoseconds(setup_.config.watch_debounce).count();
  for (const auto& [path, pending] : pending_) consider(std::max(pending.not_before_ns, debounced));
  return (at - now_ns) / 1'000'000 + 1;
}

void RootIndex::CheckIntegrity() {
  const index::SnapshotPtr now = snapshot();
  {
    const std::lock_guard lock(mutex_);
    calls_since_check_ = 0;
  }
  if (!now) return;
  for (const auto& [id, segment] : now->segments) {
    if (stopped()) return;
    if (const Status sound = segment->Verify(); !sound) return ReportDamage(sound.error());
  }
  if (!Stores()) return;
  // As the next process will read it. Whatever else is in the way of reading is
  // not damage.
  const auto reader = index::OpenStore(setup_.store_options, setup_.key, false);
  if (!reader) return;
  const auto loaded = (*reader)->Load();
  if (!loaded && index::IsDamage(loaded.error())) return ReportDamage(loaded.error());
  if (!loaded || !*loaded) return;
  for (const index::SegmentId id : (*loaded)->segments) {
    if (stopped()) return;
    const auto segment = (*reader)->Open(id);
    if (!segment && index::IsDamage(segment.error())) return ReportDamage(segment.error());
  }
}

void RootIndex::Close() {
  if (!Stores()) return;
  const std::lock_guard lock(mutex_);
  if (!snapshot_ || !setup_.config.checkpoint_on_shutdown) return;
  index::StoreChange change;
  change.meta = MetaLocked(index::MayExclude(safety_), true);
  std::vector<index::DirtyEntry> dirty;
  for (const auto& [path, pending] : pending_) dirty.push_back({path, false, pending.queued_ns / 1'000'000});
  std::sort(dirty.begin(), dirty.end(),
            [](const auto& a, const auto& b) { return std::tie(a.queued_ms, a.path) < std::tie(b.queued_ms, b.path); });
  change.dirty = std::move(dirty);
  (void)setup_.store->Commit(change);
}

index::IndexMeta RootIndex::MetaLocked(bool complete, bool clean) const {
  index::IndexMeta meta;
  meta.key = setup_.key;
  meta.state = index::ToString(safety_.state);
  meta.reason = index::ToString(safety_.reason());
  meta.coverage_epoch = safety_.coverage_epoch;
  meta.created_ms = created_ms_ == 0 ? NowMs() : created_ms_;
  meta.updated_ms = meta.accessed_ms = NowMs();
  meta.policy_hash = setup_.policy_hash;
  meta.complete = complete;
  meta.clean = clean;
  return meta;
}

}  // namespace forge::indexer
