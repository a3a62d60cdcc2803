#include "indexer/work/builder.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace forge::indexer {

using index::CatalogRow;
using index::TokenStatus;

namespace {

bool CanKeep(const index::PackedRow& old, const CatalogRow& row) {
  const bool known = old.status == TokenStatus::kFull || old.status == TokenStatus::kBinary;
  return old.kind == row.kind && known && old.settled && old.info == row.info;
}

}  // namespace

// A scan that is running.
struct Builder::Scan {
  index::SnapshotPtr base;  // what the scan may reuse; may be null
  std::vector<CatalogRow> rows;
  std::vector<CatalogRow*> to_index;
  index::Catalog catalog;  // of the rows, when they are indexed
  index::Segments segments;
  std::vector<index::SegmentId> new_segments;
  std::uint64_t errors = 0;
  bool racy_rules = false;
  BuildEnd failed = BuildEnd::kFailed;  // how, if a step of it failed
};

BuildEnd Builder::Build(bool thresholds) {
  const IndexConfig& config = parts_.setup.config;
  // Checked before anything is watched or written (FR-LSI-BG-05).
  if (thresholds && FitsWithin(static_cast<std::uint64_t>(config.auto_threshold_files),
                               static_cast<std::uint64_t>(config.auto_threshold_bytes))) {
    parts_.scans.FoundSmall();
    return BuildEnd::kTooSmall;
  }
  Scan scan;
  parts_.maker.Reopen();
  scan.base = parts_.scans.StartBuild();
  // The stored index cannot be used: it is damaged, or could not be read. Its
  // segments would stay, and the next open would meet them again. If we cannot
  // clear it, we cannot write it either, and the write will report that.
  if (!scan.base) parts_.store.ClearIfWritable();
  if (!parts_.store.MakeRoom(0)) return GiveUp(kOverDisk);
  const BuildEnd end = RunBuild(scan);
  if (end != BuildEnd::kStored && end != BuildEnd::kOverBudget) return end;
  if (!parts_.store.MakeRoom(0)) return GiveUp(kOverDisk);
  return end == BuildEnd::kStored ? WholeEnd() : end;
}

BuildEnd Builder::WholeEnd() const {
  if (!parts_.store.exists()) return BuildEnd::kInMemory;
  return parts_.store.writes() ? BuildEnd::kStored : BuildEnd::kNotStored;
}

// Building again would not help: this index alone is over a limit (E12).
BuildEnd Builder::GiveUp(const std::string& why) {
  parts_.scans.GiveUp(why);
  parts_.store.ClearIfWritable();
  return BuildEnd::kOverLimit;
}

bool Builder::FitsMemory(const Scan& scan) {
  std::uint64_t bytes = scan.catalog.memory();
  for (const auto& [id, segment] : scan.segments) bytes += segment->memory();
  return bytes <= static_cast<std::uint64_t>(parts_.setup.config.max_memory_bytes);
}

BuildEnd Builder::RunBuild(Scan& scan) {
  const ScanRuns runs(parts_.progress);
  const Deadline deadline = BuildDeadline();
  if (!Enumerate(scan, deadline, 0)) {
    if (parts_.throttle.stopped()) return BuildEnd::kStopped;
    return StopAtBudget(false, "the tree could not be walked within index_build_timeout_ms");
  }
  ReuseRows(scan);
  const TokenizeEnd end = Tokenize(scan, deadline);
  if (end == TokenizeEnd::kFailed) return scan.failed;
  const bool keep = end != TokenizeEnd::kStopped || parts_.setup.config.checkpoint_on_shutdown;
  if (keep && !Persist(scan, end)) return scan.failed;
  if (end == TokenizeEnd::kStopped) return BuildEnd::kStopped;
  Activate(scan);
  if (end != TokenizeEnd::kFinished) {
    return StopAtBudget(end == TokenizeEnd::kOutOfTime,
                        "the build stopped at its budget; raise index_build_timeout_ms, index_build_max_files or "
                        "index_build_max_bytes");
  }
  parts_.scans.EndBuild();
  return WholeEnd();
}

bool Builder::Reconcile() {
  Scan scan;
  parts_.maker.Reopen();
  scan.base = parts_.scans.StartReconcile();
  const ScanRuns runs(parts_.progress);
  return RunReconcile(scan);
}

bool Builder::RunReconcile(Scan& scan) {
  const IndexConfig& config = parts_.setup.config;
  const Deadline deadline = Deadline::After(config.reconcile_max_time, parts_.throttle.token());
  bool done = Enumerate(scan, deadline, static_cast<std::uint64_t>(config.reconcile_max_files));
  if (done) {
    ReuseRows(scan);
    const TokenizeEnd end = Tokenize(scan, deadline);
    if (end == TokenizeEnd::kFailed) return false;
    done = end == TokenizeEnd::kFinished;
    // What was indexed is kept in any case: the build that follows reuses it.
    if (!Persist(scan, done ? TokenizeEnd::kFinished : TokenizeEnd::kStopped)) return false;
    Activate(scan);
  }
  parts_.scans.EndReconcile(done);
  return done;
}

Deadline Builder::BuildDeadline() const {
  return Deadline::After(parts_.setup.config.build_timeout, parts_.throttle.token());
}

bool Builder::FitsWithin(std::uint64_t files, std::uint64_t bytes) const {
  const RootSetup& setup = parts_.setup;
  TreeTracker probe(setup.sandbox, setup.root, setup.key.traversal, setup.git, nullptr);
  const Enumeration found = probe.Enumerate(BuildDeadline(), files, bytes);
  return found.finished && found.files <= files && found.bytes <= bytes;
}

void Builder::Measure() {
  const Schedule::Budget budget = parts_.scans.budget();
  parts_.scans.Measured(FitsWithin(budget.files, budget.bytes));
}

bool Builder::Enumerate(Scan& scan, const Deadline& deadline, std::uint64_t most_files) {
  parts_.progress.Enter(Phase::kEnumerate);
  const os::Clocks& clocks = *parts_.setup.clocks;
  const std::int64_t began = clocks.FileNs();
  Enumeration found = parts_.tracker.Enumerate(deadline, most_files);
  scan.rows = std::move(found.rows);
  scan.errors = found.errors.size();
  scan.racy_rules = parts_.tracker.RulesAreRacy(began, clocks.FileNs(), parts_.setup.stamp_granularity_ns);
  parts_.progress.Found(found.files, found.bytes);
  if (!found.errors.empty()) parts_.scans.NoteProblem(found.errors.front());
  return found.finished;
}

void Builder::ReuseRows(Scan& scan) const {
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

TokenizeEnd Builder::Tokenize(Scan& scan, const Deadline& deadline) {
  const TokenizeEnd end = ReadFiles(scan, deadline);
  if (end == TokenizeEnd::kFailed) return end;
  scan.catalog = index::Catalog(scan.rows);
  if (FitsMemory(scan)) return end;
  scan.failed = GiveUp(kOverMemory);
  return TokenizeEnd::kFailed;
}

ScanProgress::Amount Builder::KeptBy(const Scan& scan) const {
  const ScanProgress::Numbers found = parts_.progress.numbers();
  ScanProgress::Amount kept{found.files_total, found.bytes_total};
  for (const CatalogRow* row : scan.to_index) {
    kept.files -= std::min<std::uint64_t>(kept.files, 1);
    kept.bytes -= std::min<std::uint64_t>(kept.bytes, row->info.size);
  }
  return kept;
}

TokenizeEnd Builder::ReadFiles(Scan& scan, const Deadline& deadline) {
  const IndexConfig& config = parts_.setup.config;
  parts_.progress.StartReading(KeptBy(scan));
  if (scan.to_index.empty()) return TokenizeEnd::kFinished;
  if (const Status open = parts_.maker.EnsureOpen(); !open.ok()) {
    scan.failed = Fail(open.error(), false);
    return TokenizeEnd::kFailed;
  }
  const auto most = static_cast<std::size_t>(config.build_max_files);
  const bool cut = most != 0 && scan.to_index.size() > most;
  if (cut) scan.to_index.resize(most);
  SegmentMaker::Outcome made = parts_.maker.Make({.rows = std::move(scan.to_index),
                                                  .deadline = deadline,
                                                  .most_bytes = static_cast<std::uint64_t>(config.build_max_bytes)},
                                                 parts_.progress.counters(), scan.segments);
  scan.new_segments = std::move(made.made);
  if (made.end == TokenizeEnd::kFailed && made.over_limit) {
    scan.failed = GiveUp(made.error.message);
  } else if (made.end == TokenizeEnd::kFailed) {
    scan.failed = Fail(made.error, true);
  }
  return made.end == TokenizeEnd::kFinished && cut ? TokenizeEnd::kBudget : made.end;
}

// False if the stored index is damaged.
bool Builder::Persist(Scan& scan, TokenizeEnd end) {
  if (!parts_.store.writes()) return true;
  parts_.progress.Enter(Phase::kPersist);
  index::StoreChange change;
  const bool complete = end == TokenizeEnd::kFinished;
  change.meta = parts_.store.MetaOf(parts_.published.safety());
  if (complete) change.meta.state = index::State::kComplete;
  // The next process must not take a part for the whole (FR-LSI-BUD-INIT-02). A build
  // that was only interrupted is continued.
  if (end == TokenizeEnd::kOutOfTime || end == TokenizeEnd::kBudget) {
    change.meta.state = index::State::kUncertain;
    change.meta.reason = index::Reason::kBuildBudgetExceeded;
  }
  parts_.store.NoteScan(change.meta);
  change.replace_rows = true;
  change.rows = scan.rows;
  change.new_segments = scan.new_segments;
  if (scan.base) {
    for (const auto& [id, segment] : scan.base->segments) {
      if (!scan.segments.contains(id)) change.dropped_segments.push_back(id);
    }
  }
  const Result<bool> stored = parts_.store.Commit(change);
  if (stored && *stored) parts_.scans.Stored();
  if (!stored) scan.failed = Fail(stored.error(), true);
  return stored.ok();
}

void Builder::Activate(Scan& scan) {
  parts_.progress.Enter(Phase::kActivate);
  parts_.scans.Activate({.catalog = std::move(scan.catalog),
                         .segments = std::move(scan.segments),
                         .errors = scan.errors > 0,
                         .racy_rules = scan.racy_rules});
}

// Gives up what was built so far. If it is `partial`, the stored part goes too.
BuildEnd Builder::Fail(const Error& error, bool partial) {
  parts_.scans.Fail(error, partial);
  if (partial) parts_.store.ClearIfWritable();
  return BuildEnd::kFailed;
}

// A tree fits if it is within the limits. If the time ended the build, it must
// also be no larger than what the build read in that time, if it read anything.
BuildEnd Builder::StopAtBudget(bool by_time, const std::string& why) {
  const auto limit = [](std::int64_t most) {
    return most == 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(most);
  };
  Schedule::Budget fits{limit(parts_.setup.config.build_max_files), limit(parts_.setup.config.build_max_bytes)};
  const ScanProgress::Numbers done = parts_.progress.numbers();
  if (by_time && done.files_done > 0) fits = {done.files_done, done.bytes_done};
  parts_.scans.StopAtBudget(fits, why);
  return BuildEnd::kOverBudget;
}

}  // namespace forge::indexer
