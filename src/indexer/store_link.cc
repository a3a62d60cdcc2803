#include "indexer/store_link.h"

#include <algorithm>
#include <utility>

#include "index/snapshot/open_segment.h"
#include "os/named_file.h"

namespace forge::indexer {

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

Result<std::optional<StoreLink::Loaded>> StoreLink::Load() {
  auto stored = store_->Load();
  if (!stored) return stored.error();
  if (!*stored) return std::optional<Loaded>();
  Loaded out;
  for (const index::SegmentId id : (*stored)->segments) {
    auto segment = store_->Open(id);
    // It was there when the catalog was written.
    if (!segment) return ExecutionFailed(segment.error().message, ErrorCode::kDamaged);
    out.segments.emplace(id, std::move(*segment));
    NoteSegment(id);
    next_segment_ = std::max(next_segment_, id + 1);
  }
  // A row may refer to a segment that was dropped: its number is never used
  // again.
  for (const index::CatalogRow& row : (*stored)->rows) next_segment_ = std::max(next_segment_, row.segment + 1);
  out.meta = std::move((*stored)->meta);
  out.catalog = index::Catalog((*stored)->rows);
  created_ms_ = out.meta.created_ms;
  updated_ms_ = out.meta.updated_ms;
  if (store_->writable()) (void)store_->Touch(setup_.clocks->WallMs());
  return std::optional<Loaded>(std::move(out));
}

Result<index::SegmentId> StoreLink::Keep(std::string image, index::Segments& segments) {
  const index::SegmentId id = next_segment_++;
  if (writes()) {
    const Status written = store_->WriteSegment(id, image);
    auto segment = written.ok() ? store_->Open(id) : Result<std::shared_ptr<const index::Segment>>(written.error());
    if (segment) {
      segments[id] = std::move(*segment);
      NoteSegment(id);
      return id;
    }
    Lose(segment.error());
  }
  auto segment = index::OpenSegment(index::InMemory(std::move(image)));
  if (!segment) return segment.error();
  segments[id] = std::move(*segment);
  return id;
}

index::IndexMeta StoreLink::MetaOf(const index::Safety& safety, bool complete) const {
  index::IndexMeta meta;
  meta.key = setup_.key;
  meta.state = safety.state;
  meta.reason = safety.reason();
  meta.coverage_epoch = safety.coverage_epoch;
  const std::int64_t now_ms = setup_.clocks->WallMs();
  meta.created_ms = created_ms_ == 0 ? now_ms : created_ms_;
  meta.updated_ms = meta.accessed_ms = now_ms;
  meta.policy_hash = setup_.policy_hash;
  meta.complete = complete;
  return meta;
}

void StoreLink::NoteScan(const index::IndexMeta& meta) {
  created_ms_ = meta.created_ms;
  updated_ms_ = meta.updated_ms;
}

Result<bool> StoreLink::Commit(const index::StoreChange& change) {
  const Status status = store_->Commit(change);
  if (status.ok()) return true;
  if (status.error().code == ErrorCode::kDamaged) return status.error();
  Lose(status.error());
  return false;
}

void StoreLink::Lose(const Error& error) {
  {
    const Lock lock(mutex_);
    if (lost_.exchange(true)) return;
    fallback_ = error.code == ErrorCode::kDiskFull ? StorageFallback::kDiskFull : StorageFallback::kNotCreatable;
    problem_ = error.message;
  }
  on_lost_(error);
}

void StoreLink::FindAgain() {
  const Lock lock(mutex_);
  lost_ = false;
  problem_.clear();
  fallback_.reset();
}

void StoreLink::NoteSegment(index::SegmentId id) {
  const std::string path = store_->SegmentPath(id);
  const Lock lock(mutex_);
  files_[id] = {path, os::StatPath(path)};
}

void StoreLink::ForgetAllBut(const index::Segments& segments) {
  const Lock lock(mutex_);
  std::erase_if(files_, [&](const auto& file) { return !segments.contains(file.first); });
}

std::optional<Error> StoreLink::FindWrittenTo(const index::Segments& segments) const {
  const Lock lock(mutex_);
  for (const auto& [id, file] : files_) {
    if (!segments.contains(id)) continue;
    const auto now = os::StatPath(file.path);
    // If there is another file at its path, another process wrote a later
    // segment; ours still exists, without a name.
    if (!now.ok() || !file.info.ok() || now->inode != file.info->inode) continue;
    if (now->mtime_ns == file.info->mtime_ns && now->size == file.info->size) continue;
    return ExecutionFailed("the index is damaged: another program wrote to " + file.path);
  }
  return std::nullopt;
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

bool StoreLink::FitIntoLimits() {
  if (!writes()) return true;
  const auto most = static_cast<std::uint64_t>(setup_.config.max_db_bytes);
  index::Evict(setup_.store_options, most, static_cast<std::uint64_t>(setup_.config.max_indexes),
               index::HashOf(setup_.key));
  if (store_->bytes_on_disk() <= most) return true;
  (void)store_->Clear();
  return false;
}

void StoreLink::ClearIfWritable() {
  if (writes()) (void)store_->Clear();
}

Status StoreLink::Clear() {
  if (!store_) return {};
  if (!store_->writable()) return ExecutionFailed("the index of " + setup_.root + " is in use by another process");
  return store_->Clear();
}

}  // namespace forge::indexer
