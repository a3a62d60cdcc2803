// Building, reconciling and updating: the long work of RootIndex.
#include <algorithm>
#include <chrono>
#include <utility>

#include "indexer/root_index.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;
using index::Event;
using index::TokenStatus;

namespace {

constexpr std::size_t kMostSmallSegments = 16;
constexpr std::uint32_t kSmallSegmentDocs = 4096;
constexpr std::size_t kFilesAtATime = 20'000;

bool CanKeep(const index::PackedRow& old, const CatalogRow& row) {
  const bool known = old.status == TokenStatus::kFull || old.status == TokenStatus::kBinary;
  return old.kind == row.kind && known && old.settled && old.info == row.info;
}

// When a file that was read too soon after it was written may be read again. One
// that was written when the clock was ahead has to wait for that time: else it
// would be read again and again until then.
std::int64_t SettlesAt(const os::FileInfo& info, std::int64_t granularity_ns) {
  return std::min(std::max(os::FileClockNow(), info.ctime_ns), INT64_MAX - granularity_ns) + granularity_ns;
}

// Twice as long each time, up to an hour.
std::int64_t NextCooldown(std::int64_t last_ms, std::int64_t base_ms) {
  constexpr std::int64_t kLongestMs = 3'600'000;
  return last_ms == 0 ? base_ms : std::min(last_ms * 2, kLongestMs);
}

}  // namespace

struct RootIndex::Scan {
  index::SnapshotPtr base;  // what may be reused; may be null
  std::vector<CatalogRow> rows;
  std::vector<CatalogRow*> to_index;
  index::Segments segments;
  std::vector<index::SegmentId> new_segments;
  std::uint64_t errors = 0;
  bool racy_rules = false;
};

void RootIndex::Phase(const std::string& phase) {
  const std::lock_guard lock(mutex_);
  if (phase_.empty()) phase_began_ = Clock::now();
  phase_ = phase;
  if (!phase.empty()) return;
  elapsed_ms_ = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - phase_began_).count();
}

Deadline RootIndex::BuildDeadline() const { return Deadline::After(setup_.config.build_timeout_ms, stop_.token()); }

TokenizeOptions RootIndex::Tokenizing(const Deadline& deadline) const {
  TokenizeOptions options;
  options.make_builder = setup_.make_builder;
  options.threads = setup_.threads;
  options.low_priority = setup_.low_priority;
  options.max_file_size = setup_.max_file_size;
  options.stamp_granularity_ns = setup_.stamp_granularity_ns;
  options.deadline = deadline;
  options.max_bytes = static_cast<std::uint64_t>(setup_.config.build_max_bytes);
  return options;
}

bool RootIndex::EnumerateInto(Scan& scan, const Deadline& deadline, std::uint64_t most_files) {
  Phase("ENUMERATE");
  const std::int64_t began = os::FileClockNow();
  Enumeration found = tracker_.Enumerate(deadline, most_files);
  scan.rows = std::move(found.rows);
  scan.errors = found.errors.size();
  scan.racy_rules = tracker_.rule_inputs().Racy(began, setup_.stamp_granularity_ns);
  const std::lock_guard lock(mutex_);
  files_total_ = found.files;
  bytes_total_ = found.bytes;
  if (!found.errors.empty()) problem_ = found.errors.front();
  return found.finished;
}

void RootIndex::ReuseRows(Scan& scan) const {
  for (CatalogRow& row : scan.rows) {
    if (row.kind != CatalogRow::Kind::kFile) continue;
    const index::PackedRow* old = scan.base ? scan.base->catalog.Find(row.path) : nullptr;
    if (old != nullptr && CanKeep(*old, row) && (old->docs.count == 0 || scan.base->segments.contains(old->segment))) {
      row.status = old->status;
      row.settled = old->settled;
      row.segment = old->segment;
      row.docs = old->docs;
      if (row.docs.count != 0) scan.segments[row.segment] = scan.base->segments.at(row.segment);
    } else {
      scan.to_index.push_back(&row);
    }
  }
}

Result<index::SegmentId> RootIndex::Keep(std::string image, index::Segments& segments) {
  const index::SegmentId id = next_segment_++;
  // Beside another writer, and without space, what is new lives as long as this
  // process.
  if (Stores()) {
    const Status written = setup_.store->WriteSegment(id, image);
    auto segment =
        written.ok() ? setup_.store->Open(id) : Result<std::shared_ptr<const index::Segment>>(written.error());
    if (segment) {
      segments[id] = std::move(*segment);
      const std::lock_guard lock(mutex_);
      NoteSegmentLocked(id);
      return id;
    }
    LoseStore(segment.error());
  }
  auto segment = index::OpenSegment(index::InMemory(std::move(image)));
  if (!segment) return segment.error();
  segments[id] = std::move(*segment);
  return id;
}

TokenizeEnd RootIndex::TokenizeInto(Scan& scan, const Deadline& deadline) {
  Phase("TOKENIZE");
  progress_.files_done = 0;
  progress_.bytes_done = 0;
  if (scan.to_index.empty()) return TokenizeEnd::kFinished;
  // The root may have been away for a moment when the scan began.
  if (!files_.ok()) files_ = SearchRoot::Open(*setup_.sandbox, setup_.root, setup_.key.follow);
  if (!files_.ok()) {
    Fail(ExecutionFailed("cannot open " + setup_.root + ": " + files_.error().message()), false);
    return TokenizeEnd::kFailed;
  }
  TokenizeOptions options = Tokenizing(deadline);
  const auto most = static_cast<std::size_t>(setup_.config.build_max_files);
  const bool cut = most != 0 && scan.to_index.size() > most;
  if (cut) scan.to_index.resize(most);
  bool over_memory = false;
  const SegmentSink sink = [&](std::string image) -> Result<index::SegmentId> {
    auto id = Keep(std::move(image), scan.segments);
    if (id) scan.new_segments.push_back(*id);
    std::size_t memory = 0;
    for (const auto& [number, segment] : scan.segments) memory += segment->memory();
    over_memory = memory > static_cast<std::uint64_t>(setup_.config.max_memory_bytes);
    if (id && over_memory) return ExecutionFailed("the index needs more memory than index_max_memory_bytes");
    return id;
  };
  Error error;
  const TokenizeEnd end = TokenizeRows(*files_, scan.to_index, options, throttle_, sink, progress_, error);
  if (end == TokenizeEnd::kFailed) {
    if (over_memory) {
      const std::lock_guard lock(mutex_);
      GiveUpLocked(error.message);
    } else {
      Fail(error, true);
    }
  }
  return end == TokenizeEnd::kFinished && cut ? TokenizeEnd::kBudget : end;
}

// What was built so far is given up, with what is stored if it may be `partial`.
void RootIndex::Fail(const Error& error, bool partial) {
  {
    const std::lock_guard lock(mutex_);
    const bool damaged = index::IsDamage(error);
    // A reconcile that fails is no build that fails; what it leaves is no index.
    const Event failed = partial && setup_.store ? Event::kBuildFailedPartial : Event::kBuildFailedClean;
    EventLocked(damaged ? Event::kIntegrityFailed : safety_.build_runs ? failed : Event::kEvicted);
    GiveBackLocked(error.message);
    // Not at all unless asked to (FR-LSI-BG-22). What was damaged is built anew,
    // and a root that is away may come back.
    if (partial && !damaged && !setup_.config.retry_on_failure) reconcile_after_ns_ = INT64_MAX;
  }
  if (partial && Stores()) (void)setup_.store->Clear();
}

// Nothing more can be written: the disk is full, the folder is gone. From now on
// the index is in memory (A16); what is stored stays as it was, and the next
// process compares it with the tree. To store it all again it must be built again.
// That is done after a while; but not if a build failed, unless asked to
// (FR-LSI-BG-22), or if another process was in its way.
void RootIndex::LoseStore(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (store_lost_.exchange(true)) return;
  setup_.storage_fallback = index::IsDiskFull(error) ? "DISK_FULL" : "NOT_CREATABLE";
  store_problem_ = error.message;
  store_cooldown_ms_ = NextCooldown(store_cooldown_ms_, setup_.config.cooldown_base_ms);
  const bool again = phase_.empty() || setup_.config.retry_on_failure || index::IsLocked(error);
  store_again_ns_ = again ? os::FileClockNow() + store_cooldown_ms_ * 1'000'000 : INT64_MAX;
}

void RootIndex::StoreAgain(bool thresholds) {
  {
    const std::lock_guard lock(mutex_);
    store_lost_ = false;
    store_problem_.clear();
    setup_.storage_fallback.clear();
    snapshot_ = nullptr;  // its segments are not all stored
    pending_.clear();
    EventLocked(Event::kEvicted);
  }
  Build(thresholds);
}

Status RootIndex::Persist(const Scan& scan, bool complete) {
  if (!Stores()) return {};
  Phase("PERSIST");
  index::StoreChange change;
  {
    const std::lock_guard lock(mutex_);
    change.meta = MetaLocked(complete, false);
    change.meta.enumerate_errors = scan.errors;
    if (complete) change.meta.state = "COMPLETE";
    if (created_ms_ == 0) created_ms_ = change.meta.created_ms;
    updated_ms_ = change.meta.updated_ms;
  }
  change.replace_rows = true;
  change.rows = scan.rows;
  change.new_segments = scan.new_segments;
  if (scan.base) {
    for (const auto& [id, segment] : scan.base->segments) {
      if (!scan.segments.contains(id)) change.dropped_segments.push_back(id);
    }
  }
  return Commit(change);
}

// An error only if what is stored is damaged.
Status RootIndex::Commit(const index::StoreChange& change) {
  Status status = setup_.store->Commit(change);
  if (status.ok()) {
    store_cooldown_ms_ = 0;
  } else if (!index::IsDamage(status.error())) {
    LoseStore(status.error());
    return {};
  }
  return status;
}

void RootIndex::Activate(Scan& scan) {
  Phase("ACTIVATE");
  Catalog catalog(scan.rows);
  const std::lock_guard lock(mutex_);
  pending_.clear();
  PublishLocked(std::move(catalog), std::move(scan.segments));
  ForgetSegmentsLocked();
  QueueUnsettledLocked(snapshot_->catalog);
  // What happened meanwhile is applied before anybody may trust the result
  // (F1).
  ApplyLocked(tracker_.Drain(snapshot_->catalog, Deadline()));
  if (scan.errors > 0) EventLocked(Event::kEnumerationError);
  if (scan.racy_rules) EventLocked(Event::kIgnoreChanged);
}

void RootIndex::QueueUnsettledLocked(const Catalog& catalog) {
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    if (!page.any_special()) continue;
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      const bool racy = row.status == TokenStatus::kFull && !row.settled;
      if (row.kind == CatalogRow::Kind::kFile && (racy || row.status == TokenStatus::kNone)) {
        QueueLocked(std::string(page.path(i)), racy ? SettlesAt(row.info, setup_.stamp_granularity_ns) : 0);
      }
    }
  }
}

// A scan watches every folder anew, so a watcher that had failed counts as
// started; if it fails again, the end of the scan says so.
void RootIndex::StartScanLocked(Event event) {
  files_ = SearchRoot::Open(*setup_.sandbox, setup_.root, setup_.key.follow);
  if (tracker_.has_watcher()) EventLocked(Event::kWatcherStarted);
  EventLocked(event);
  root_gone_ = false;
  problem_.clear();
}

// Whether the tree is too small to be worth an index (FR-LSI-BG-05). Found out
// before anything is watched or written.
bool RootIndex::IsSmall() {
  TreeTracker probe(setup_.sandbox, setup_.root, {setup_.key.hidden, setup_.key.follow, setup_.key.no_ignore},
                    setup_.git, nullptr);
  const auto files = static_cast<std::uint64_t>(setup_.config.auto_threshold_files);
  const auto bytes = static_cast<std::uint64_t>(setup_.config.auto_threshold_bytes);
  const Enumeration found = probe.Enumerate(BuildDeadline(), files, bytes);
  return found.finished && found.files <= files && found.bytes <= bytes;
}

// The budget bounds all work (FR-LSI-BUD-05), so nothing more is indexed until the
// tree fits it: until it is no larger than the limits, or than what was read in
// the time.
void RootIndex::StopAtBudgetLocked(bool walked, const std::string& why) {
  EventLocked(Event::kBuildBudgetExceeded);
  problem_ = why;
  reconcile_after_ns_ = INT64_MAX;
  const auto limit = [](std::int64_t most) { return most == 0 ? UINT64_MAX : static_cast<std::uint64_t>(most); };
  const std::uint64_t most_files = limit(setup_.config.build_max_files);
  const std::uint64_t most_bytes = limit(setup_.config.build_max_bytes);
  const bool by_time = walked && progress_.files_done < most_files && progress_.bytes_done <= most_bytes;
  fitting_files_ = by_time ? progress_.files_done.load() : most_files;
  fitting_bytes_ = by_time ? progress_.bytes_done.load() : most_bytes;
  cooldown_ms_ = NextCooldown(cooldown_ms_, setup_.config.cooldown_base_ms);
  measure_at_ns_ = os::FileClockNow() + cooldown_ms_ * 1'000'000;
}

// Whether the tree fits the budget by now; walking it is all that is done.
void RootIndex::Measure() {
  TreeTracker probe(setup_.sandbox, setup_.root, {setup_.key.hidden, setup_.key.follow, setup_.key.no_ignore},
                    setup_.git, nullptr);
  const Enumeration found = probe.Enumerate(BuildDeadline(), fitting_files_, fitting_bytes_);
  const bool fits = found.finished && found.files <= fitting_files_ && found.bytes <= fitting_bytes_;
  const std::lock_guard lock(mutex_);
  cooldown_ms_ = NextCooldown(cooldown_ms_, setup_.config.cooldown_base_ms);
  measure_at_ns_ = fits ? 0 : os::FileClockNow() + cooldown_ms_ * 1'000'000;
  if (!fits) return;
  reconcile_after_ns_ = 0;
  reconcile_failed_ = true;  // as a build, with the budget of one
}

void RootIndex::LeaveDisabledLocked() {
  calls_below_threshold_ = 0;
  disabled_until_ns_ = 0;
  if (safety_.state != index::State::kDisabled) return;
  EventLocked(safety_.disabled == index::Reason::kBelowThreshold ? Event::kAboveThreshold : Event::kCooldownExpired);
}

// What is stored must fit the limits, by evicting others; an index that does not
// fit alone is given up for a while, for building it again would not help (E12).
void RootIndex::EnforceLimits() {
  if (!Stores()) return;
  const auto most = static_cast<std::uint64_t>(setup_.config.max_db_bytes);
  index::Evict(setup_.store_options, most, static_cast<std::uint64_t>(setup_.config.max_indexes),
               index::HashOf(setup_.key));
  if (setup_.store->bytes_on_disk() <= most) return;
  (void)setup_.store->Clear();
  const std::lock_guard lock(mutex_);
  GiveUpLocked("the index is larger than index_max_db_bytes");
}

void RootIndex::GiveUpLocked(const std::string& why) {
  EventLocked(Event::kMemoryExceeded);
  GiveBackLocked(why);
  disabled_until_ns_ = reconcile_after_ns_;
}

// Drops everything, and waits longer each time before the next attempt.
void RootIndex::GiveBackLocked(const std::string& why) {
  problem_ = why;
  snapshot_ = nullptr;
  pending_.clear();
  cooldown_ms_ = NextCooldown(cooldown_ms_, setup_.config.cooldown_base_ms);
  reconcile_after_ns_ = os::FileClockNow() + cooldown_ms_ * 1'000'000;
}

void RootIndex::Build(bool thresholds) {
  Scan scan;
  {
    const std::lock_guard lock(mutex_);
    if (safety_.state != index::State::kCorrupt) scan.base = snapshot_;
  }
  if (thresholds && IsSmall()) {
    const std::lock_guard lock(mutex_);
    LeaveDisabledLocked();
    if (safety_.state != index::State::kAbsent) EventLocked(Event::kEvicted);
    EventLocked(Event::kBelowThreshold);
    snapshot_ = nullptr;
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    LeaveDisabledLocked();
    StartScanLocked(Event::kBuildStarted);
    measure_at_ns_ = 0;
  }
  // Of what is stored, nothing is known that could be used: it is damaged, or
  // could not be read. Its segments would be kept, and met again at the next
  // open. If it cannot be cleared, neither can it be written, which is told then.
  if (!scan.base && Stores()) (void)setup_.store->Clear();
  const Deadline deadline = BuildDeadline();
  if (!EnumerateInto(scan, deadline, 0)) {
    Phase("");
    const std::lock_guard lock(mutex_);
    if (stopped()) return;
    return StopAtBudgetLocked(false, "the tree could not be walked within index_build_timeout_ms");
  }
  ReuseRows(scan);
  const TokenizeEnd end = TokenizeInto(scan, deadline);
  if (end == TokenizeEnd::kFailed) return Phase("");
  const bool complete = end == TokenizeEnd::kFinished;
  const bool keep = complete || end == TokenizeEnd::kBudget || setup_.config.checkpoint_on_shutdown;
  if (Status status = keep ? Persist(scan, complete) : Status(); !status.ok()) {
    Fail(status.error(), true);
    return Phase("");
  }
  if (end == TokenizeEnd::kStopped) return Phase("");
  Activate(scan);
  {
    const std::lock_guard lock(mutex_);
    if (complete) {
      EventLocked(Event::kBuildCompleted);
      cooldown_ms_ = 0;
      reconcile_failed_ = false;
      reconcile_after_ns_ = NextScanLocked();
    } else {
      StopAtBudgetLocked(true,
                         "the build stopped at its budget; raise index_build_timeout_ms, index_build_max_files or "
                         "index_build_max_bytes");
    }
  }
  Phase("");
  EnforceLimits();
}

// When to look again after a scan that left doubts: soon if time heals them, not
// so soon if somebody has to raise a limit or mend permissions.
std::int64_t RootIndex::NextScanLocked() const {
  constexpr std::int64_t kPatienceNs = 30'000'000'000;
  if (safety_.state == index::State::kComplete) return 0;
  const bool stubborn =
      safety_.causes.contains(index::Reason::kWatcherDown) || safety_.causes.contains(index::Reason::kEnumerationError);
  return os::FileClockNow() + (stubborn ? kPatienceNs : setup_.stamp_granularity_ns);
}

bool RootIndex::Reconcile() {
  Scan scan;
  {
    const std::lock_guard lock(mutex_);
    scan.base = snapshot_;
    StartScanLocked(Event::kReconcileStarted);
  }
  const Deadline deadline = Deadline::After(setup_.config.reconcile_max_ms, stop_.token());
  bool done = EnumerateInto(scan, deadline, static_cast<std::uint64_t>(setup_.config.reconcile_max_files));
  if (done) {
    ReuseRows(scan);
    const TokenizeEnd end = TokenizeInto(scan, deadline);
    if (end == TokenizeEnd::kFailed) return Phase(""), false;
    done = end == TokenizeEnd::kFinished;
  }
  if (done) {
    if (Status status = Persist(scan, true); !status.ok()) {
      Fail(status.error(), true);
      return Phase(""), false;
    }
    Activate(scan);
  }
  {
    const std::lock_guard lock(mutex_);
    EventLocked(done ? Event::kReconcileCompleted : Event::kReconcileFailed);
    // F8: what does not fit the budget is done as a build, reusing what holds.
    reconcile_failed_ = !done;
    reconcile_after_ns_ = done ? NextScanLocked() : 0;
  }
  Phase("");
  return done;
}

std::vector<CatalogRow> RootIndex::TakePendingLocked(std::int64_t now_ns, std::map<std::string, std::uint64_t>& taken) {
  // Oldest first, then by path (FR-LSI-TRK-10); rows in path order.
  std::vector<std::pair<std::int64_t, std::string>> due;
  for (const auto& [path, pending] : pending_) {
    if (pending.not_before_ns <= now_ns) due.emplace_back(pending.queued_ns, path);
  }
  std::sort(due.begin(), due.end());
  if (due.size() > kFilesAtATime) due.resize(kFilesAtATime);
  std::vector<CatalogRow> rows;
  for (const auto& [queued, path] : due) {
    const index::PackedRow* row = snapshot_->catalog.Find(path);
    if (row == nullptr || row->kind != CatalogRow::Kind::kFile) {
      pending_.erase(path);
      continue;
    }
    taken[path] = pending_.at(path).sequence;
    CatalogRow copy;
    copy.path = path;
    copy.info = row->info;
    rows.push_back(std::move(copy));
  }
  std::sort(rows.begin(), rows.end(),
            [](const CatalogRow& a, const CatalogRow& b) { return PathBefore(a.path, b.path); });
  return rows;
}

void RootIndex::SettleNow() {
  constexpr std::int64_t kTickNs = 10'000'000;  // the file clock may be behind by as much
  for (int attempt = 0; attempt < 5 && !stopped(); ++attempt) {
    std::int64_t wait_ns = 0;
    {
      const std::lock_guard lock(mutex_);
      const std::int64_t now = os::FileClockNow();
      if (pending_.empty()) return;
      for (const auto& [path, pending] : pending_) {
        const std::int64_t wait = pending.not_before_ns - now;
        if (wait > 0 && wait <= 2 * setup_.stamp_granularity_ns) wait_ns = std::max(wait_ns, wait + kTickNs);
      }
    }
    if (wait_ns > 0) throttle_.Wait(std::chrono::nanoseconds(wait_ns));
    Maintain(os::FileClockNow());
  }
}

Status RootIndex::Clear() {
  const std::lock_guard lock(mutex_);
  if (setup_.store) {
    if (!setup_.store->writable())
      return ExecutionFailed("the index of " + setup_.root + " is in use by another process");
    if (Status status = setup_.store->Clear(); !status.ok()) return status;
  }
  snapshot_ = nullptr;
  pending_.clear();
  EventLocked(Event::kEvicted);
  return {};
}

// Many small segments make every query slower: their files are indexed again,
// together.
void RootIndex::AddSmallSegmentsLocked() {
  std::set<index::SegmentId> small;
  for (const auto& [id, segment] : snapshot_->segments) {
    if (segment->doc_count() < kSmallSegmentDocs) small.insert(id);
  }
  if (small.size() <= kMostSmallSegments) return;
  const Catalog& catalog = snapshot_->catalog;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    // Few pages have a row of these, and a large tree has many pages.
    if (std::none_of(page.spans().begin(), page.spans().end(),
                     [&](const index::Page::Span& span) { return small.contains(span.segment); })) {
      continue;
    }
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.docs.count > 0 && small.contains(row.segment)) QueueLocked(std::string(page.path(i)), 0);
    }
  }
}

void RootIndex::Maintain(std::int64_t now_ns) {
  std::map<std::string, std::uint64_t> taken;
  std::vector<CatalogRow> rows;
  index::Segments segments;
  {
    const std::lock_guard lock(mutex_);
    if (!index::MayExclude(safety_) || !snapshot_ || !files_.ok()) return;
    AddSmallSegmentsLocked();
    rows = TakePendingLocked(now_ns, taken);
    if (rows.empty()) return;
  }
  std::vector<CatalogRow*> to_index;
  for (CatalogRow& row : rows) to_index.push_back(&row);
  std::vector<index::SegmentId> new_segments;
  const SegmentSink sink = [&](std::string image) -> Result<index::SegmentId> {
    auto id = Keep(std::move(image), segments);
    if (id) new_segments.push_back(*id);
    return id;
  };
  Error error;
  TokenizeProgress progress;
  TokenizeOptions options = Tokenizing(Deadline());
  options.threads = rows.size() < 64 ? 1 : options.threads;
  const TokenizeEnd end = TokenizeRows(*files_, to_index, options, throttle_, sink, progress, error);
  if (end == TokenizeEnd::kFailed) return Fail(error, true);
  if (end != TokenizeEnd::kFinished) return;

  index::StoreChange change;
  {
    const std::lock_guard lock(mutex_);
    if (!index::MayExclude(safety_)) return;
    // What changed while it was read is queued again by this, with another
    // sequence number.
    CatchUpLocked(Deadline());
    if (!index::MayExclude(safety_)) return;
    for (CatalogRow& row : rows) {
      const auto pending = pending_.find(row.path);
      const bool same = pending != pending_.end() && pending->second.sequence == taken.at(row.path);
      if (!same || snapshot_->catalog.Find(row.path) == nullptr) continue;
      const bool racy = row.status == TokenStatus::kFull && !row.settled;
      pending_.erase(pending);
      if (racy) QueueLocked(row.path, SettlesAt(row.info, setup_.stamp_granularity_ns));
      change.rows.push_back(std::move(row));
    }
    Catalog catalog = snapshot_->catalog.With(change.rows, {});
    index::Segments all = snapshot_->segments;
    all.merge(segments);
    std::set<index::SegmentId> used;
    for (std::size_t p = 0; p < catalog.pages(); ++p) {
      for (const index::Page::Span& span : catalog.page(p).spans()) used.insert(span.segment);
      if (!catalog.page(p).any_special()) continue;
      for (std::size_t i = 0; i < catalog.page(p).size(); ++i) used.insert(catalog.page(p).row(i).segment);
    }
    for (auto at = all.begin(); at != all.end();) {
      if (used.contains(at->first)) {
        ++at;
        continue;
      }
      change.dropped_segments.push_back(at->first);
      at = all.erase(at);
    }
    PublishLocked(std::move(catalog), std::move(all));
    ForgetSegmentsLocked();
    if (pending_.empty()) last_change_ns_ = 0;
    EventLocked(Event::kDirtyApplied);
    change.meta = MetaLocked(true, false);
  }
  if (!Stores()) return;
  // The stored rows are those that were indexed; what else changed is found by
  // its fingerprint at the next open.
  for (const index::SegmentId id : new_segments) {
    const bool dropped =
        std::find(change.dropped_segments.begin(), change.dropped_segments.end(), id) != change.dropped_segments.end();
    if (!dropped) change.new_segments.push_back(id);
  }
  if (Status status = Commit(change); !status.ok()) Fail(status.error(), true);
}

}  // namespace forge::indexer
