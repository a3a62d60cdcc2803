#include "indexer/root_index.h"

#include <utility>

namespace forge::indexer {

RootIndex::RootIndex(RootSetup setup)
    : setup_(std::move(setup)),
      throttle_(setup_.throttle, *setup_.clocks),
      tracker_(setup_.sandbox, setup_.root, setup_.traversal(), setup_.git, std::move(setup_.watcher)),
      progress_(*setup_.clocks),
      store_(setup_,
             [this](const Error& error) { published_.StoreLost(error, progress_.numbers().phase != Phase::kIdle); }),
      published_(setup_, tracker_, store_, wake_),
      maker_(setup_, throttle_, store_),
      builder_({setup_, throttle_, tracker_, maker_, store_, published_, progress_}),
      updater_(throttle_, maker_, store_, published_, *setup_.clocks) {}

View RootIndex::Begin(const ViewRequest& request, const Deadline& deadline) {
  throttle_.NoteSearch();
  View view = published_.Begin(request, deadline);
  const ScanProgress::Numbers scan = progress_.numbers();
  if (scan.phase != Phase::kIdle) view.build = {scan.phase, scan.files_total, scan.files_done, scan.elapsed};
  return view;
}

IndexStatus RootIndex::status() const {
  IndexStatus out;
  out.root = setup_.root;
  published_.Describe(out);
  out.token_structure = setup_.key.token_structure;
  out.storage = store_.storage();
  out.storage_fallback_reason = store_.fallback();
  if (out.problem.empty()) out.problem = store_.problem();
  out.folder = setup_.store_folder;
  out.bytes_on_disk = store_.bytes_on_disk();
  out.watching = tracker_.watching();
  out.watches = tracker_.watches();
  const ScanProgress::Numbers scan = progress_.numbers();
  out.phase = scan.phase;
  out.files_total = scan.files_total;
  out.files_done = scan.files_done;
  out.bytes_total = scan.bytes_total;
  out.bytes_done = scan.bytes_done;
  out.elapsed = scan.elapsed;
  if (const std::int64_t ms = store_.updated_ms(); ms != 0) out.updated = WallTime(std::chrono::milliseconds(ms));
  return out;
}

void RootIndex::Open() {
  if (!store_.exists()) return;
  auto loaded = store_.Load();
  if (!loaded) return published_.OpenFailed(loaded.error());
  if (!*loaded) return published_.OpenedNothing();
  published_.Opened(std::move(**loaded));
}

bool RootIndex::Work(std::int64_t now_ns, bool thresholds) {
  switch (need(now_ns)) {
    case Need::kBuild:
    case Need::kReevaluate: Build(thresholds); return true;
    case Need::kReconcile: Reconcile(); return true;
    case Need::kMaintain: Maintain(now_ns); return true;
    case Need::kStoreAgain: StoreAgain(thresholds); return true;
    case Need::kCheck: CheckIntegrity(); return true;
    case Need::kMeasure: builder_.Measure(); return true;
    case Need::kNothing: break;
  }
  if (store_.writes() && throttle_.idle()) store_.TidyLog();
  return false;
}

void RootIndex::StoreAgain(bool thresholds) {
  published_.StoreFound();
  store_.FindAgain();
  Build(thresholds);
}

void RootIndex::CheckIntegrity() {
  published_.Checked();
  const index::SnapshotPtr now = snapshot();
  if (!now) return;
  for (const auto& [id, segment] : now->segments) {
    if (stopped()) return;
    if (const Status sound = segment->Verify(); !sound) return ReportDamage(sound.error());
  }
  if (!store_.writes()) return;
  if (const Status sound = store_.CheckStored(throttle_.token()); !sound) ReportDamage(sound.error());
}

void RootIndex::Close() {
  if (!store_.writes() || !setup_.config.checkpoint_on_shutdown) return;
  if (const auto change = published_.Checkpoint()) store_.SaveCheckpoint(*change);
}

Status RootIndex::Clear() {
  if (Status status = store_.Clear(); !status.ok()) return status;
  published_.Evicted();
  return {};
}

}  // namespace forge::indexer
