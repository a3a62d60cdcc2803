// How far a build or reconcile has got, for people who wait.
//
//   progress.Enter(Phase::kEnumerate);
//   progress.Found(files, bytes);
//   progress.StartReading({.files = 7});  // of those found; counters().files_done grows
//   progress.Enter(Phase::kIdle);       // the numbers stay until the next scan
//
// Thread-safe: the background thread writes, everyone else reads.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/mutex.h"
#include "indexer/publish/view.h"
#include "indexer/work/tokenize.h"
#include "os/clocks.h"

namespace forge::indexer {

class ScanProgress {
 public:
  // What an older index already had, so that it need not be read.
  struct Amount {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  struct Numbers {
    Phase phase = Phase::kIdle;
    std::uint64_t files_total = 0;
    std::uint64_t files_done = 0;  // read by this scan
    std::uint64_t bytes_total = 0;
    std::uint64_t bytes_done = 0;
    std::chrono::milliseconds elapsed{};  // of the scan that runs, or ran last
    Amount kept = {};
  };

  explicit ScanProgress(const os::Clocks& clocks) : clocks_(clocks) {}

  void Enter(Phase phase) EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    if (phase_ == Phase::kIdle) began_ = clocks_.Steady();
    phase_ = phase;
    if (phase == Phase::kIdle) elapsed_ = clocks_.Steady() - began_;
  }
  void Found(std::uint64_t files, std::uint64_t bytes) EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    files_total_ = files;
    bytes_total_ = bytes;
  }
  void StartReading(Amount kept) EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    phase_ = Phase::kTokenize;
    kept_ = kept;
    counters_.files_done = 0;
    counters_.bytes_done = 0;
  }
  TokenizeProgress& counters() { return counters_; }

  Numbers numbers() const EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    const Clock::duration elapsed = phase_ == Phase::kIdle ? elapsed_ : clocks_.Steady() - began_;
    return {phase_,       files_total_,         counters_.files_done,
            bytes_total_, counters_.bytes_done, std::chrono::duration_cast<std::chrono::milliseconds>(elapsed),
            kept_};
  }

 private:
  const os::Clocks& clocks_;
  TokenizeProgress counters_;
  mutable Mutex mutex_;
  Phase phase_ GUARDED_BY(mutex_) = Phase::kIdle;
  std::uint64_t files_total_ GUARDED_BY(mutex_) = 0;
  std::uint64_t bytes_total_ GUARDED_BY(mutex_) = 0;
  Amount kept_ GUARDED_BY(mutex_);
  Clock::time_point began_ GUARDED_BY(mutex_);
  Clock::duration elapsed_ GUARDED_BY(mutex_) = {};
};

// Enters a phase for as long as it lives, and is idle afterwards, however the
// scan ends.
class ScanRuns {
 public:
  explicit ScanRuns(ScanProgress& progress) : progress_(progress) {}
  ~ScanRuns() { progress_.Enter(Phase::kIdle); }
  ScanRuns(const ScanRuns&) = delete;
  ScanRuns& operator=(const ScanRuns&) = delete;

 private:
  ScanProgress& progress_;
};

}  // namespace forge::indexer
