#include "indexer/work/updater.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace forge::indexer {
namespace {

constexpr std::size_t kFilesForThreads = 64;  // fewer files are read by one thread
constexpr std::int64_t kTickNs = 10'000'000;  // how far the file clock may be behind
constexpr int kMostAttempts = 5;

}  // namespace

void Updater::Maintain(std::int64_t now_ns) {
  if (!maker_.is_open()) return;
  auto update = published_.StartUpdate(now_ns);
  if (!update) return;
  SegmentMaker::Job job;
  for (index::CatalogRow& row : update->rows) job.rows.push_back(&row);
  job.one_thread = job.rows.size() < kFilesForThreads;
  TokenizeProgress progress;
  index::Segments segments;
  if (const index::SnapshotPtr now = published_.snapshot()) job.held = now->memory();
  SegmentMaker::Outcome made = maker_.Make(job, progress, segments);
  if (made.end == TokenizeEnd::kFailed) made.over_limit ? GiveUp(made.error.message) : Fail(made.error);
  if (made.end != TokenizeEnd::kFinished) return;
  auto change = published_.EndUpdate(std::move(*update), std::move(segments));
  if (change && store_.writes()) Store(std::move(*change), made.made);
}

// Stores the rows that were indexed. The next open finds other changes by their
// fingerprints.
void Updater::Store(index::StoreChange change, const std::vector<index::SegmentId>& made) {
  const std::vector<index::SegmentId>& dropped = change.dropped_segments;
  for (const index::SegmentId id : made) {
    if (std::find(dropped.begin(), dropped.end(), id) == dropped.end()) change.new_segments.push_back(id);
  }
  const Result<bool> stored = store_.Commit(change);
  if (!stored) return Fail(stored.error());
  if (*stored) published_.Stored();
  if (!store_.MakeRoom(0)) GiveUp("the index is larger than index_max_db_bytes");
}

void Updater::GiveUp(const std::string& why) {
  published_.GiveUp(why);
  store_.ClearIfWritable();
}

void Updater::Fail(const Error& error) {
  published_.Fail(error, true);
  store_.ClearIfWritable();
}

void Updater::SettleNow() {
  for (int attempt = 0; attempt < kMostAttempts && !throttle_.stopped(); ++attempt) {
    const auto wait_ns = published_.SettlesInNs();
    if (!wait_ns) return;
    if (*wait_ns > 0) throttle_.Wait(std::chrono::nanoseconds(*wait_ns + kTickNs));
    Maintain(clocks_.FileNs());
  }
}

}  // namespace forge::indexer
