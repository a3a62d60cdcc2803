// Changed files, indexed again.
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "indexer/root_index.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;
using index::TokenStatus;
using index::Trigger;

namespace {

constexpr std::size_t kMostSmallSegments = 16;
constexpr std::uint32_t kSmallSegmentDocs = 4096;
constexpr std::size_t kFilesAtATime = 20'000;
constexpr std::size_t kFilesForThreads = 64;  // fewer are read by one

std::set<index::SegmentId> SegmentsOf(const Catalog& catalog) {
  std::set<index::SegmentId> used;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    for (const index::Page::Span& span : page.spans()) used.insert(span.segment);
    if (!page.any_special()) continue;
    for (std::size_t i = 0; i < page.size(); ++i) used.insert(page.row(i).segment);
  }
  return used;
}

// Takes segments away that no row refers to, and names them.
std::vector<index::SegmentId> DropUnused(const Catalog& catalog, index::Segments& segments) {
  const std::set<index::SegmentId> used = SegmentsOf(catalog);
  std::vector<index::SegmentId> dropped;
  for (const auto& [id, segment] : segments) {
    if (!used.contains(id)) dropped.push_back(id);
  }
  for (const index::SegmentId id : dropped) segments.erase(id);
  return dropped;
}

}  // namespace

// Files on their way into the index again.
struct RootIndex::Update {
  std::vector<CatalogRow> rows;
  std::map<std::string, std::uint64_t> taken;  // under which number each was queued
  index::Segments segments;
  std::vector<index::SegmentId> new_segments;
  index::StoreChange change;
};

// When a file that was read too soon after it was written may be read again. One
// that was written when the clock was ahead has to wait for that time: else it
// would be read again and again until then.
std::int64_t RootIndex::SettlesAt(const os::FileInfo& info) const {
  const std::int64_t granularity_ns = setup_.stamp_granularity_ns;
  return std::min(std::max(os::FileClockNow(), info.ctime_ns), INT64_MAX - granularity_ns) + granularity_ns;
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
  Update update;
  if (!BeginUpdate(now_ns, update) || !TokenizeUpdate(update) || !PublishUpdate(update) || !Stores()) return;
  // The stored rows are those that were indexed; what else changed is found by
  // its fingerprint at the next open.
  const std::vector<index::SegmentId>& dropped = update.change.dropped_segments;
  for (const index::SegmentId id : update.new_segments) {
    if (std::find(dropped.begin(), dropped.end(), id) == dropped.end()) update.change.new_segments.push_back(id);
  }
  if (Status status = Commit(update.change); !status.ok()) Fail(status.error(), true);
}

// False if nothing is to be done, here and below.
bool RootIndex::BeginUpdate(std::int64_t now_ns, Update& update) {
  const std::lock_guard lock(mutex_);
  if (!index::MayExclude(safety_) || !snapshot_ || !files_.ok()) return false;
  AddSmallSegmentsLocked();
  update.rows = TakePendingLocked(now_ns, update.taken);
  return !update.rows.empty();
}

bool RootIndex::TokenizeUpdate(Update& update) {
  std::vector<CatalogRow*> to_index;
  for (CatalogRow& row : update.rows) to_index.push_back(&row);
  const SegmentSink sink = [&](std::string image) -> Result<index::SegmentId> {
    auto id = Keep(std::move(image), update.segments);
    if (id) update.new_segments.push_back(*id);
    return id;
  };
  Error error;
  TokenizeProgress progress;
  TokenizeOptions options = Tokenizing(Deadline());
  options.threads = update.rows.size() < kFilesForThreads ? 1 : options.threads;
  const TokenizeEnd end = TokenizeRows(*files_, to_index, options, throttle_, sink, progress, error);
  if (end == TokenizeEnd::kFailed) Fail(error, true);
  return end == TokenizeEnd::kFinished;
}

bool RootIndex::PublishUpdate(Update& update) {
  const std::lock_guard lock(mutex_);
  if (!index::MayExclude(safety_)) return false;
  // What changed while it was read is queued again by this, with another
  // sequence number.
  CatchUpLocked(Deadline());
  if (!index::MayExclude(safety_)) return false;
  index::StoreChange& change = update.change;
  for (CatalogRow& row : update.rows) {
    if (TakeOffQueueLocked(row, update.taken.at(row.path))) change.rows.push_back(std::move(row));
  }
  Catalog catalog = snapshot_->catalog.With(change.rows, {});
  index::Segments segments = snapshot_->segments;
  segments.merge(update.segments);
  change.dropped_segments = DropUnused(catalog, segments);
  PublishLocked(std::move(catalog), std::move(segments));
  ForgetSegmentsLocked();
  if (pending_.empty()) last_change_ns_ = 0;
  RaiseLocked(Trigger::kDirtyApplied);
  change.meta = MetaLocked(true);
  return true;
}

// Whether the row is that of the file as it is now; if so, the file waits no
// longer, or only until it has settled.
bool RootIndex::TakeOffQueueLocked(const CatalogRow& row, std::uint64_t sequence) {
  const auto pending = pending_.find(row.path);
  if (pending == pending_.end() || pending->second.sequence != sequence) return false;
  if (snapshot_->catalog.Find(row.path) == nullptr) return false;
  pending_.erase(pending);
  if (row.status == TokenStatus::kFull && !row.settled) QueueLocked(row.path, SettlesAt(row.info));
  return true;
}

}  // namespace forge::indexer
