// Clocks that stand still until a test moves them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "os/clocks.h"

namespace forge::testing {

class FakeClocks final : public os::Clocks {
 public:
  std::int64_t FileNs() const override { return now_ns_; }
  std::int64_t WallMs() const override { return now_ns_ / 1'000'000; }
  Clock::time_point Steady() const override { return Clock::time_point(std::chrono::nanoseconds(now_ns_.load())); }

  void Advance(std::chrono::nanoseconds time) { now_ns_ += time.count(); }

 private:
  std::atomic<std::int64_t> now_ns_ = 1'000'000'000'000'000'000;
};

}  // namespace forge::testing
