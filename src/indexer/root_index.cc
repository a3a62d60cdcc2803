#include "indexer/root_index.h"

#include <algorithm>
#include <utility>

namespace forge::indexer {

namespace {

std::int64_t Milliseconds(std::chrono::milliseconds time) { return time.count(); }

}  // namespace

RootIndex::RootIndex(RootSetup setup)
    : setup_(std::move(setup)),
      throttle_(setup_.throttle, *setup_.clocks),
      tracker_(setup_.sandbox, setup_.root, setup_.key.traversal, setup_.git, std::move(setup_.watcher),
               std::move(setup_.mounts)),
      progress_(*setup_.clocks),
      texts_(setup_.text_cache_bytes, *setup_.memory, *setup_.clocks),
      store_(setup_,
             [this](const Error& error) { scans_.StoreLost(error, progress_.numbers().phase != Phase::kIdle); }),
      published_(setup_, tracker_, texts_, store_, wake_),
      views_(setup_, tracker_, store_, published_, wake_),
      scans_(setup_, tracker_, store_, published_),
      updates_(setup_, store_, published_),
      maker_(setup_, throttle_, store_),
      builder_({setup_, throttle_, tracker_, maker_, store_, scans_, published_, progress_}),
      updater_({throttle_, maker_, store_, updates_, scans_, published_, *setup_.clocks}),
      sweeper_(setup_, published_) {}

View RootIndex::Begin(const ViewRequest& request, const Deadline& deadline) {
  const bool owed = OwesMemory();
  throttle_.NoteSearch();
  if (!owed) wake_.Ring();  // the background thread may wait for a day
  View view = views_.Begin(request, deadline);
  if (view.trusted && texts_.enabled()) OfferTexts(view);
  const ScanProgress::Numbers scan = progress_.numbers();
  if (scan.phase != Phase::kIdle)
    view.build = {scan.phase, scan.files_total, scan.files_done + scan.kept.files, scan.elapsed};
  return view;
}

void RootIndex::OfferTexts(View& view) {
  const bool tended = texts_.NeedsTending();
  view.texts = &texts_;
  view.turn = texts_.BeginTurn();
  if (!tended) wake_.Ring();
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
  out.text_bytes = texts_.bytes();
  out.watching = tracker_.watching();
  out.watches = tracker_.watches();
  const ScanProgress::Numbers scan = progress_.numbers();
  out.phase = scan.phase;
  out.files_total = scan.files_total;
  // While it runs, people want to know how far it is; afterwards, what it did.
  const bool runs = scan.phase != Phase::kIdle;
  out.files_done = scan.files_done + (runs ? scan.kept.files : 0);
  out.bytes_total = scan.bytes_total;
  out.bytes_done = scan.bytes_done + (runs ? scan.kept.bytes : 0);
  out.elapsed = scan.elapsed;
  if (const std::int64_t ms = store_.updated_ms(); ms != 0) out.updated = WallTime(std::chrono::milliseconds(ms));
  return out;
}

void RootIndex::Open() {
  const Lock lock(working_);
  if (!store_.exists()) return;
  auto loaded = store_.Load();
  if (!loaded) return scans_.OpenFailed(loaded.error());
  if (!*loaded) return scans_.OpenedNothing();
  std::uint64_t memory = (*loaded)->catalog.memory();
  for (const auto& [id, segment] : (*loaded)->segments) memory += segment->memory();
  if (memory > static_cast<std::uint64_t>(setup_.config.max_memory_bytes)) return scans_.GiveUp(kOverMemory);
  // FR-LSI-IDX-03: `auto` uses no index of a small tree, even if a command built
  // one. A server measures the tree, which may have grown.
  const bool small = automatic() && IsSmall((*loaded)->catalog);
  if (small && setup_.should_watch) return scans_.OpenedNothing();
  scans_.Opened(std::move(**loaded));
  if (small) DropIfSmall();
}

bool RootIndex::IsSmall(const index::Catalog& catalog) const {
  const auto files = static_cast<std::uint64_t>(setup_.config.auto_threshold_files);
  const auto bytes = static_cast<std::uint64_t>(setup_.config.auto_threshold_bytes);
  if (catalog.files() > files) return false;
  std::uint64_t sum = 0;
  for (const index::CatalogRow& row : catalog.AllRows()) sum += row.info.size;
  return sum <= bytes;
}

void RootIndex::DropIfSmall() {
  const index::SnapshotPtr now = snapshot();
  if (!now || !IsSmall(now->catalog)) return;
  scans_.FoundSmall();
  scans_.NoteProblem("the tree is below index_auto_threshold_files and _bytes; --index=on uses its index all the same");
}

std::int64_t RootIndex::NextLookMs(std::int64_t now_ns, std::int64_t most) const {
  const std::int64_t tidy_ms = store_.writes() ? throttle_.IdleInMs() : 0;
  if (tidy_ms > 0) most = std::min(most, tidy_ms);
  // While there may be texts, memory may get short at any time.
  if (texts_.enabled() && texts_.NeedsTending()) most = std::min(most, Milliseconds(TextCache::kBetweenLooks));
  if (OwesMemory()) most = std::min(most, ReturnInMs());
  return published_.WaitMs(now_ns, most);
}

bool RootIndex::Work(std::int64_t now_ns, bool thresholds) {
  const Lock lock(working_);
  switch (need(now_ns)) {
    case Need::kBuild:
    case Need::kReevaluate:
      builder_.Build(thresholds);
      setup_.return_memory();
      CatchUp();
      return true;
    case Need::kReconcile:
      builder_.Reconcile();
      setup_.return_memory();
      CatchUp();
      if (thresholds) DropIfSmall();
      return true;
    case Need::kMaintain: updater_.Maintain(now_ns); return true;
    case Need::kSweep: sweeper_.Sweep(now_ns); return true;
    case Need::kStoreAgain: StoreAgain(thresholds); return true;
    case Need::kCheck: CheckStored(); return true;
    case Need::kMeasure: builder_.Measure(); return true;
    case Need::kNothing: break;
  }
  if (store_.writes() && throttle_.idle()) store_.Tidy();
  texts_.Tend();
  ReturnMemoryAfterSearches();
  return false;
}

std::int64_t RootIndex::ReturnInMs() const {
  const auto left = throttle_.last_search() + kQuietBeforeReturn - throttle_.Now();
  return std::max<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0);
}

void RootIndex::ReturnMemoryAfterSearches() {
  if (!OwesMemory() || ReturnInMs() > 0) return;
  returned_after_ = throttle_.last_search();
  setup_.return_memory();
}

void RootIndex::LogProblem() {
  std::string problem = published_.problem();
  if (problem.empty()) problem = store_.problem();
  if (problem == logged_) return;
  logged_ = std::move(problem);
  if (!logged_.empty() && setup_.log) setup_.log("the index of " + setup_.root + ": " + logged_);
}

void RootIndex::StoreAgain(bool thresholds) {
  scans_.StoreFound();
  store_.FindAgain();
  builder_.Build(thresholds);
  setup_.return_memory();
}

void RootIndex::CheckIntegrity() {
  const Lock lock(working_);
  CheckStored();
}

void RootIndex::CheckStored() {
  scans_.Checked();
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
  const Lock lock(working_);
  if (!store_.writes() || !setup_.config.checkpoint_on_shutdown) return;
  if (const auto change = scans_.Checkpoint()) store_.SaveCheckpoint(*change);
}

Status RootIndex::Clear() {
  const Lock lock(working_);
  if (Status status = store_.Clear(); !status.ok()) return status;
  scans_.Evicted();
  texts_.Clear();
  return {};
}

}  // namespace forge::indexer
