// Building and reconciling: the long work of RootIndex.
#include <algorithm>
#include <chrono>
#include <utility>

#include "indexer/root_index.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;
using index::Event;
using index::TokenStatus;

namespace {

bool CanKeep(const index::PackedRow& old, const CatalogRow& row) {
  const bool known = old.status == TokenStatus::kFull || old.status == TokenStatus::kBinary;
  return old.kind == row.kind && known && old.settled && old.info == row.info;
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

Deadline RootIndex::BuildDeadline() const { return Deadline::After(setup_.config.build_timeout, stop_.token()); }

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
        QueueLocked(std::string(page.path(i)), racy ? SettlesAt(row.info) : 0);
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
  const Deadline deadline = Deadline::After(setup_.config.reconcile_max_time, stop_.token());
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

}  // namespace forge::indexer
