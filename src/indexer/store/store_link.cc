#include "indexer/store/store_link.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/path.h"
#include "index/snapshot/open_segment.h"
#include "os/named_file.h"
#include "tree/path_order.h"

namespace forge::indexer {
namespace {

// One change with the effect of two.
index::StoreChange Merged(index::StoreChange first, index::StoreChange then) {
  first.meta = std::move(then.meta);
  if (then.replace_rows) {
    first.replace_rows = true;
    first.rows.clear();
    first.removed.clear();
  }
  std::unordered_set<std::string_view> gone(then.removed.begin(), then.removed.end());
  for (const index::CatalogRow& row : then.rows) gone.insert(row.path);
  std::erase_if(first.rows, [&](const index::CatalogRow& row) { return gone.contains(row.path); });
  std::vector<index::CatalogRow> rows;
  rows.reserve(first.rows.size() + then.rows.size());
  std::merge(std::move_iterator(first.rows.begin()), std::move_iterator(first.rows.end()),
             std::move_iterator(then.rows.begin()), std::move_iterator(then.rows.end()), std::back_inserter(rows),
             [](const index::CatalogRow& a, const index::CatalogRow& b) { return PathBefore(a.path, b.path); });
  first.rows = std::move(rows);
  const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(first.removed, then.removed);
  append(first.new_segments, then.new_segments);
  append(first.dropped_segments, then.dropped_segments);
  return first;
}

}  // namespace

StoreLink::StoreLink(RootSetup& setup, std::function<void(const Error&)> on_lost)
    : setup_(setup), store_(std::move(setup.store)), on_lost_(std::move(on_lost)), fallback_(setup.storage_fallback) {}

std::optional<StorageFallback> StoreLink::fallback() const {
  const Lock lock(mutex_);
  return fallback_;
}

std::string StoreLink::problem() const {
  const Lock lock(mutex_);
  return problem_;
}

StoreLink::~StoreLink() {
  if (store_ && updated_ms_ != 0) store_->Touch(setup_.clocks->WallMs());
}

Status StoreLink::HasNoOtherWriter() const {
  if (!store_ || store_->writable()) return {};
  return store_->NotWritable();
}

Result<std::optional<StoreLink::Loaded>> StoreLink::Load() {
  if (writes()) index::RemoveOutdated(setup_.store_options, MetaOf({}));
  auto stored = store_->Load();
  if (!stored) return stored.error();
  if (!*stored) return std::optional<Loaded>();
  store_->Touch(setup_.clocks->WallMs());
  // A row may refer to a segment that was dropped: its number is never used
  // again.
  index::SegmentId next = next_segment_;
  for (const index::CatalogRow& row : (*stored)->rows) next = std::max(next, row.segment + 1);
  for (const index::SegmentId id : (*stored)->segments) next = std::max(next, id + 1);
  next_segment_ = next;
  if ((*stored)->meta.policy_hash != setup_.policy_hash || HasDenied((*stored)->rows)) {
    return std::optional(Purge(std::move((*stored)->meta)));
  }
  Loaded out;
  for (const index::SegmentId id : (*stored)->segments) {
    auto segment = store_->Open(id);
    // It was there when the catalog was written.
    if (!segment) return ExecutionFailed(segment.error().message, ErrorCode::kDamaged);
    out.segments.emplace(id, std::move(*segment));
  }
  out.meta = std::move((*stored)->meta);
  out.catalog = index::Catalog((*stored)->rows);
  created_ms_ = out.meta.created_ms;
  updated_ms_ = out.meta.updated_ms;
  return std::optional<Loaded>(std::move(out));
}

// The same patterns deny other files when the sandbox has other roots.
bool StoreLink::HasDenied(const std::vector<index::CatalogRow>& rows) const {
  if (!setup_.sandbox || !writes()) return false;  // a process that only reads sees them denied when it walks
  const DenyList& denies = setup_.sandbox->denies();
  std::string folder = setup_.root;
  if (denies.Denies(folder, true)) return true;
  for (const index::CatalogRow& row : rows) {
    const std::string path = JoinPath(setup_.root, row.path);
    const std::string_view parent = ParentPath(path);
    // Neighbours lie in one folder mostly.
    if (parent != folder && denies.Denies(folder = parent, true)) return true;
    if (denies.DeniesEntry(path, false)) return true;
  }
  return false;
}

// A segment may hold documents of a file that is denied now, also of an older
// version of it that no row mentions any more. So all of them go (I6).
StoreLink::Loaded StoreLink::Purge(index::IndexMeta meta) {
  if (writes()) {
    if (const Status cleared = store_->Clear(); !cleared) Lose(cleared.error());
  }
  Loaded out;
  out.meta = std::move(meta);
  if (out.meta.policy_hash == setup_.policy_hash) out.meta.policy_hash.clear();  // it has another meaning here
  return out;
}

Result<index::SegmentId> StoreLink::Keep(std::string image, index::Segments& segments) {
  const index::SegmentId id = next_segment_++;
  if (writes()) {
    const Status written = store_->WriteSegment(id, image);
    auto segment = written.ok() ? store_->Open(id) : Result<std::shared_ptr<const index::Segment>>(written.error());
    if (segment) {
      segments[id] = std::move(*segment);
      return id;
    }
    Lose(segment.error());
  }
  auto segment = index::OpenSegment(index::InMemory(std::move(image)));
  if (!segment) return segment.error();
  segments[id] = std::move(*segment);
  return id;
}

index::IndexMeta StoreLink::MetaOf(const index::Safety& safety) const {
  index::IndexMeta meta;
  meta.key = setup_.key;
  meta.state = safety.state;
  meta.reason = safety.reason();
  // The next process must know that files are missing, whatever else is doubtful.
  if (safety.causes.contains(index::Reason::kBuildBudgetExceeded)) meta.reason = index::Reason::kBuildBudgetExceeded;
  meta.coverage_epoch = safety.coverage_epoch;
  const std::int64_t now_ms = setup_.clocks->WallMs();
  meta.created_ms = created_ms_ == 0 ? now_ms : created_ms_.load();
  meta.updated_ms = meta.accessed_ms = now_ms;
  meta.policy_hash = setup_.policy_hash;
  return meta;
}

void StoreLink::NoteScan(const index::IndexMeta& meta) {
  created_ms_ = meta.created_ms;
  updated_ms_ = meta.updated_ms;
}

Result<bool> StoreLink::Commit(index::StoreChange change) {
  if (auto waiting = TakeWaiting()) change = Merged(std::move(*waiting), std::move(change));
  const Status status = store_->Commit(change);
  if (status.ok()) {
    SetProblem("");
    return true;
  }
  if (status.error().code == ErrorCode::kDamaged) return status.error();
  if (status.error().code == ErrorCode::kLocked) {
    const Lock lock(mutex_);
    waiting_ = std::move(change);
    problem_ = status.error().message;
  } else {
    Lose(status.error());
  }
  return false;
}

void StoreLink::SaveCheckpoint(const index::StoreChange& change) {
  // Files that changed since the last commit are found by their stamps, too.
  if (!waits()) return (void)store_->Commit(change);
  const Result<bool> stored = Commit(change);
  if (!stored || waits()) Lose(ExecutionFailed(stored ? problem() : stored.error().message, ErrorCode::kLocked));
}

void StoreLink::Tidy() {
  if (auto waiting = TakeWaiting()) (void)Commit(std::move(*waiting));
  if (writes()) (void)store_->Checkpoint();
}

void StoreLink::Lose(const Error& error) {
  {
    const Lock lock(mutex_);
    if (lost_.exchange(true)) return;
    fallback_ = error.code == ErrorCode::kDiskFull ? StorageFallback::kDiskFull : StorageFallback::kNotCreatable;
    problem_ = error.message;
    waiting_.reset();
  }
  on_lost_(error);
}

std::optional<index::StoreChange> StoreLink::TakeWaiting() {
  const Lock lock(mutex_);
  return std::exchange(waiting_, std::nullopt);
}

bool StoreLink::waits() const {
  const Lock lock(mutex_);
  return waiting_.has_value();
}

void StoreLink::SetProblem(const std::string& problem) {
  const Lock lock(mutex_);
  problem_ = problem;
}

void StoreLink::FindAgain() {
  const Lock lock(mutex_);
  lost_ = false;
  problem_.clear();
  fallback_.reset();
}

// We report only damage: the store may be out of reach for other reasons.
Status StoreLink::CheckStored(const CancelToken& stop) const {
  const auto reader = index::OpenStore(setup_.store_options, setup_.key, false);
  if (!reader) return {};
  const auto loaded = (*reader)->Load();
  if (!loaded && loaded.error().code == ErrorCode::kDamaged) return loaded.error();
  if (!loaded || !*loaded) return {};
  for (const index::SegmentId id : (*loaded)->segments) {
    if (stop.cancelled()) return {};
    const auto segment = (*reader)->Open(id);
    if (!segment && segment.error().code == ErrorCode::kDamaged) return segment.error();
  }
  return {};
}

bool StoreLink::MakeRoom(std::uint64_t more) {
  if (!writes()) return true;
  const auto most = static_cast<std::uint64_t>(setup_.config.max_db_bytes);
  std::uint64_t own = store_->bytes_on_disk();
  if (own + more > most) {
    // SQLite's log may be the larger part of it.
    (void)store_->Checkpoint();
    own = store_->bytes_on_disk();
  }
  if (own + more > most) return false;
  const std::uint64_t one_more = own == 0 ? 1 : 0;
  const auto indexes = static_cast<std::uint64_t>(std::max<std::int64_t>(setup_.config.max_indexes, 1));
  index::Evict(setup_.store_options, most - more, indexes - one_more, index::HashOf(setup_.key));
  const index::StoredTotal left = index::TotalOf(setup_.store_options.folder);
  if (left.bytes + more > most) {
    Lose(ExecutionFailed("other processes use the rest of index_max_db_bytes", ErrorCode::kDiskFull));
  } else if (left.indexes + one_more > indexes) {
    Lose(ExecutionFailed("other processes use the " + std::to_string(indexes) + " indexes of index_max_indexes"));
  }
  return true;
}

void StoreLink::ClearIfWritable() {
  TakeWaiting();
  if (writes()) (void)store_->Clear();
}

Status StoreLink::Clear() {
  if (!store_) return {};
  if (!store_->writable()) return store_->NotWritable();
  TakeWaiting();
  return store_->Clear();
}

}  // namespace forge::indexer
