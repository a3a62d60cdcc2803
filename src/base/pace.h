// Looks at a deadline from inside a loop that a request or a tree can make long
// (R12).
//
//   Pace pace(deadline);
//   for (...) {
//     if (pace.Over(32)) return Incomplete();
//     ...
//   }
//
// The caller says how much work each round is, in steps of about a nanosecond. We
// read the clock once in a quarter of a million steps, so a round costs an
// addition.
//
// One thread uses it; the deadline and the flag may be shared.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/deadline.h"

namespace forge {

class Pace {
 public:
  // Both must outlive this. `stop` may be null; it ends the work like a
  // deadline.
  explicit Pace(const Deadline& deadline, const std::atomic<bool>* stop = nullptr) : deadline_(deadline), stop_(stop) {}
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;

  // Counts `steps`. True when the time is over, and from then on always.
  bool Over(std::uint64_t steps) {
    spent_ += steps;
    if (spent_ >= kStepsBetweenLooks) Look();
    return over_;
  }
  bool over() const { return over_; }

 private:
  static constexpr std::uint64_t kStepsBetweenLooks = 1 << 18;

  void Look() {
    spent_ = 0;
    over_ = over_ || deadline_.over() || (stop_ != nullptr && stop_->load(std::memory_order_relaxed));
  }

  const Deadline& deadline_;
  const std::atomic<bool>* const stop_;
  std::uint64_t spent_ = 0;
  bool over_ = false;
};

}  // namespace forge
