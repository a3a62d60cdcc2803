#include "indexer/setup/throttle.h"

#include <algorithm>

namespace forge::indexer {

Clock::duration RestAfter(const ThrottleOptions& options, Clock::duration worked, Clock::duration quiet) {
  if (options.idle_boost_ms > 0 && quiet >= std::chrono::milliseconds(options.idle_boost_ms)) return {};
  const Clock::duration share =
      worked * (100 - options.max_cpu_percent) / std::max<std::int64_t>(options.max_cpu_percent, 1);
  return std::max<Clock::duration>(share, std::chrono::milliseconds(options.throttle_ms));
}

bool Throttle::idle() const { return quiet() >= std::chrono::milliseconds(options_.idle_boost_ms); }

std::int64_t Throttle::IdleInMs() const {
  const auto left = std::chrono::milliseconds(options_.idle_boost_ms) - quiet();
  return std::max<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0);
}

void Throttle::RestSince(Clock::time_point began) {
  const Clock::duration rest = RestAfter(options_, clocks_.Steady() - began, quiet());
  if (rest > Clock::duration::zero()) Wait(rest);
}

void Throttle::Wait(Clock::duration time) {
  const Clock::time_point until = Clock::now() + time;  // of the condition's own clock; see os/clocks.h
  Lock lock(mutex_);
  while (!stopped() && wake_.WaitUntil(mutex_, until)) continue;
}

void Throttle::Stop() {
  {
    const Lock lock(mutex_);
    stop_.Cancel();
  }
  wake_.NotifyAll();
}

}  // namespace forge::indexer
