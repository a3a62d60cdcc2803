// Progress of one call, as notifications to the client that asked for them.
//
// At most ten a second, each further than the last, none after the call's end:
// a reporter is used by the thread that runs the call and does not outlive it.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "forge/cancel.h"
#include "forge/progress.h"
#include "mcp/protocol.h"
#include "mcp/reply.h"

namespace forge::mcp {

class ProgressReporter {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  static constexpr std::chrono::milliseconds kPause{100};

  // `token` is what the client wants its notifications marked with.
  ProgressReporter(Outlet& outlet, In token, CancelToken cancel, Now now = Clock::now)
      : outlet_(outlet), token_(std::move(token)), cancel_(std::move(cancel)), now_(std::move(now)), last_(now_()) {}

  void Report(const Progress& progress) {
    const Clock::time_point now = now_();
    if (now - last_ < kPause || progress.done <= done_ || cancel_.cancelled()) return;
    last_ = now;
    done_ = progress.done;
    outlet_.Write(ProgressMessage(token_, progress));
  }

 private:
  Outlet& outlet_;
  const In token_;
  const CancelToken cancel_;
  const Now now_;
  Clock::time_point last_;
  std::uint64_t done_ = 0;
};

}  // namespace forge::mcp
