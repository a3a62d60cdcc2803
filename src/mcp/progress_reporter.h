// Sends the progress of one call to a client that asked for it.
//
// At most ten notifications a second, each with a higher number than the last,
// none after a cancellation. Only the thread that runs the call uses it, and
// destroys it before the call ends; so no notification comes after the answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "forge/cancel.h"
#include "forge/progress.h"

namespace forge::mcp {

class ProgressReporter {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  static constexpr std::chrono::milliseconds kPause{100};

  ProgressReporter(ProgressSink send, CancelToken cancel, Now now = Clock::now)
      : send_(std::move(send)), cancel_(std::move(cancel)), now_(std::move(now)), last_(now_()) {}

  void Report(const Progress& progress) {
    const Clock::time_point now = now_();
    if (now - last_ < kPause || progress.done <= done_ || cancel_.cancelled()) return;
    last_ = now;
    done_ = progress.done;
    send_(progress);
  }

 private:
  const ProgressSink send_;
  const CancelToken cancel_;
  const Now now_;
  Clock::time_point last_;
  std::uint64_t done_ = 0;
};

}  // namespace forge::mcp
