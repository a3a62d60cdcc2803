// When a request must be answered, and whether its caller has cancelled it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "forge/cancel.h"

namespace forge {

using Clock = std::chrono::steady_clock;

// A point in time with a cancel token beside it. Copyable; thread-safe to read.
class Deadline {
 public:
  Deadline() : at_(Clock::time_point::max()) {}
  explicit Deadline(Clock::time_point at, CancelToken cancel = {}) : at_(at), cancel_(std::move(cancel)) {}

  // A timeout too long to represent means no deadline.
  static Deadline After(std::chrono::milliseconds time, CancelToken cancel = {}) {
    const auto now = Clock::now();
    const auto room = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now);
    if (time >= room) return Deadline(Clock::time_point::max(), std::move(cancel));
    return Deadline(now + time, std::move(cancel));
  }
  static Deadline After(std::int64_t milliseconds, CancelToken cancel = {}) {
    return After(std::chrono::milliseconds(milliseconds), std::move(cancel));
  }

  bool expired() const { return limited() && Clock::now() >= at_; }
  bool cancelled() const { return cancel_.cancelled(); }
  bool over() const { return cancelled() || expired(); }
  const CancelToken& cancel() const { return cancel_; }
  Clock::time_point at() const { return at_; }
  bool limited() const { return at_ != Clock::time_point::max(); }
  // Negative once it has expired. Requires limited().
  Clock::duration left() const { return at_ - Clock::now(); }

  // For poll(2): -1 is for ever, otherwise milliseconds, rounded up.
  int PollTimeout() const {
    if (!limited()) return -1;
    const auto left_ms = std::chrono::ceil<std::chrono::milliseconds>(left()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left_ms, 0, 1'000'000'000));
  }

 private:
  Clock::time_point at_;
  CancelToken cancel_;
};

}  // namespace forge
