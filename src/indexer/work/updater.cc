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

UpdateEnd Updater::Maintain(std::int64_t now_ns) {
  if (!parts_.maker.is_open()) return UpdateEnd::kKept;
  auto update = parts_.updates.Start(now_ns);
  if (!update) return UpdateEnd::kKept;
  SegmentMaker::Job job;
  for (index::CatalogRow& row : update->rows) job.rows.push_back(&row);
  job.one_thread = job.rows.size() < kFilesForThreads;
  TokenizeProgress progress;
  index::Segments segments;
  if (const index::SnapshotPtr now = parts_.published.snapshot()) job.held = now->memory();
  SegmentMaker::Outcome made = parts_.maker.Make(job, progress, segments);
  if (made.end == TokenizeEnd::kFailed) return made.over_limit ? GiveUp(made.error.message) : Fail(made.error);
  if (made.end != TokenizeEnd::kFinished) return UpdateEnd::kKept;
  auto change = parts_.updates.End(std::move(*update), std::move(segments));
  if (!change || !parts_.store.writes()) return UpdateEnd::kKept;
  return Store(std::move(*change), made.made);
}

// Stores the rows that were indexed. The next open finds other changes by their
// fingerprints.
UpdateEnd Updater::Store(index::StoreChange change, const std::vector<index::SegmentId>& made) {
  const std::vector<index::SegmentId>& dropped = change.dropped_segments;
  for (const index::SegmentId id : made) {
    if (std::find(dropped.begin(), dropped.end(), id) == dropped.end()) change.new_segments.push_back(id);
  }
  const Result<bool> stored = parts_.store.Commit(change);
  if (!stored) return Fail(stored.error());
  if (*stored) parts_.scans.Stored();
  if (!parts_.store.MakeRoom(0)) return GiveUp(kOverDisk);
  return UpdateEnd::kKept;
}

UpdateEnd Updater::GiveUp(const std::string& why) {
  parts_.scans.GiveUp(why);
  parts_.store.ClearIfWritable();
  return UpdateEnd::kOverLimit;
}

UpdateEnd Updater::Fail(const Error& error) {
  parts_.scans.Fail(error, true);
  parts_.store.ClearIfWritable();
  return UpdateEnd::kFailed;
}

UpdateEnd Updater::SettleNow() {
  for (int attempt = 0; attempt < kMostAttempts && !parts_.throttle.stopped(); ++attempt) {
    const auto wait_ns = parts_.updates.SettlesInNs();
    if (!wait_ns) break;
    if (*wait_ns > 0) parts_.throttle.Wait(std::chrono::nanoseconds(*wait_ns + kTickNs));
    const UpdateEnd end = Maintain(parts_.clocks.FileNs());
    if (end != UpdateEnd::kKept) return end;
  }
  return UpdateEnd::kKept;
}

}  // namespace forge::indexer
