#include "indexer/publish/update_steps.h"

#include <algorithm>
#include <utility>

#include "indexer/publish/contents.h"
#include "tree/path_order.h"

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;
using index::TokenStatus;
using index::Trigger;

namespace {

constexpr std::size_t kFilesAtATime = 5'000;  // so that a search waits only a moment for their rows
constexpr std::int64_t kLastStepMs = 20;
constexpr std::size_t kMostSmallSegments = 16;
constexpr std::uint32_t kSmallSegmentDocs = 4096;

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

// The changed files that are due.
UpdateSteps::Update DueFiles(Contents& now, std::int64_t now_ns) {
  UpdateSteps::Update update;
  for (const std::string& path : now.queue.Due(now_ns, kFilesAtATime)) {
    const index::PackedRow* row = now.snapshot->catalog.Find(path);
    if (row == nullptr || row->kind != CatalogRow::Kind::kFile) {
      now.queue.Remove(path);
      continue;
    }
    update.numbers[path] = now.queue.Find(path)->number;
    update.rows.push_back(FileRow(path, row->info));
  }
  return update;
}

}  // namespace

std::vector<std::string> FilesOfSmallSegments(const index::Snapshot& snapshot) {
  std::set<index::SegmentId> small;
  for (const auto& [id, segment] : snapshot.segments) {
    if (segment->doc_count() < kSmallSegmentDocs) small.insert(id);
  }
  std::vector<std::string> files;
  if (small.size() <= kMostSmallSegments) return files;
  const Catalog& catalog = snapshot.catalog;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    // A large tree has many pages, and few of them have such a row.
    if (std::none_of(page.spans().begin(), page.spans().end(),
                     [&](const index::Page::Span& span) { return small.contains(span.segment); })) {
      continue;
    }
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.docs.count > 0 && small.contains(row.segment)) files.emplace_back(page.path(i));
    }
  }
  return files;
}

std::vector<index::SegmentId> DropUnused(const Catalog& catalog, index::Segments& segments) {
  const std::set<index::SegmentId> used = SegmentsOf(catalog);
  std::vector<index::SegmentId> dropped;
  for (const auto& [id, segment] : segments) {
    if (!used.contains(id)) dropped.push_back(id);
  }
  for (const index::SegmentId id : dropped) segments.erase(id);
  return dropped;
}

std::optional<UpdateSteps::Update> UpdateSteps::Start(std::int64_t now_ns) {
  const index::SnapshotPtr snapshot = published_.snapshot();
  if (!snapshot) return std::nullopt;
  const std::vector<std::string> scattered = FilesOfSmallSegments(*snapshot);
  Update update;
  {
    const Lock lock(published_.mutex);
    if (!index::MayExclude(published_.now.safety) || !published_.now.snapshot) return std::nullopt;
    for (const std::string& path : scattered) published_.now.queue.Add(path, setup_.clocks->FileNs(), 0);
    update = DueFiles(published_.now, now_ns);
    if (update.rows.empty() && published_.now.removed.empty()) return std::nullopt;
  }
  std::sort(update.rows.begin(), update.rows.end(),
            [](const CatalogRow& a, const CatalogRow& b) { return PathBefore(a.path, b.path); });
  return update;
}

std::optional<index::StoreChange> UpdateSteps::End(Update update, index::Segments segments) {
  published_.CatchUp();
  std::set<std::string> removed;
  auto change = Publish(std::move(update), std::move(segments), removed);
  if (!change) return std::nullopt;
  change->removed.assign(removed.begin(), removed.end());
  std::sort(change->removed.begin(), change->removed.end(), PathBefore);
  return change;
}

// The one step of the background thread that may hold the mutex for long: its
// rows may lie on all pages of a large catalog. A search does not wait for it
// longer than its share.
std::optional<index::StoreChange> UpdateSteps::Publish(Update update, index::Segments segments,
                                                       std::set<std::string>& removed) {
  const Lock lock(published_.mutex);
  if (!index::MayExclude(published_.now.safety)) return std::nullopt;
  // This queues files again that changed while they were read, under a new
  // number. If more changed than fits into this step, all stay queued.
  const TurnEnd end = published_.follower.Follow(published_.now, {Deadline::After(kLastStepMs), nullptr});
  if (end == TurnEnd::kTooShort || !index::MayExclude(published_.now.safety)) return std::nullopt;
  index::StoreChange change;
  removed.swap(published_.now.removed);
  for (CatalogRow& row : update.rows) {
    const std::uint64_t number = update.numbers.at(row.path);
    if (TakeOffQueue(published_.now, row, number)) change.rows.push_back(std::move(row));
  }
  Catalog catalog = published_.now.snapshot->catalog.With(change.rows, {});
  index::Segments all = published_.now.snapshot->segments;
  all.merge(segments);
  change.dropped_segments = DropUnused(catalog, all);
  published_.now.Swap(setup_.key, std::move(catalog), std::move(all));
  if (published_.now.queue.empty()) published_.now.schedule.QueueEmptied();
  published_.now.Happen(Trigger::kDirtyApplied);
  change.meta = store_.MetaOf(published_.now.safety);
  return change;
}

// Whether the row describes the file as it is now. If so, the file waits no
// longer, or only until it has settled.
bool UpdateSteps::TakeOffQueue(Contents& now, const CatalogRow& row, std::uint64_t number) const {
  const ChangeQueue::Entry* entry = now.queue.Find(row.path);
  if (entry == nullptr || entry->number != number) return false;
  if (now.snapshot->catalog.Find(row.path) == nullptr) return false;
  now.queue.Remove(row.path);
  if (row.status == TokenStatus::kFull && !row.settled) {
    now.queue.Add(row.path, setup_.clocks->FileNs(), SettlesAt(setup_, row.info.ctime_ns));
  }
  return true;
}

std::optional<std::int64_t> UpdateSteps::SettlesInNs() const {
  const Lock lock(published_.mutex);
  if (published_.now.queue.empty()) return std::nullopt;
  return published_.now.queue.LongestWait(setup_.clocks->FileNs(), 2 * setup_.stamp_granularity_ns);
}

}  // namespace forge::indexer
