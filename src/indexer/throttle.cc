#include "indexer/throttle.h"

#include <algorithm>

namespace forge::indexer {

Clock::duration RestAfter(const ThrottleOptions& options, Clock::duration worked, Clock::duration quiet) {
  if (options.idle_boost_ms > 0 && quiet >= std::chrono::milliseconds(options.idle_boost_ms)) return {};
  const Clock::duration share =
      worked * (100 - options.max_cpu_percent) / std::max<std::int64_t>(options.max_cpu_percent, 1);
  return std::max<Clock::duration>(share, std::chrono::milliseconds(options.throttle_ms));
}

bool Throttle::idle() const { return quiet() >= std::chrono::milliseconds(options_.idle_boost_ms); }

void Throttle::Rest(Clock::duration worked) {
  const Clock::duration rest = RestAfter(options_, worked, quiet());
  if (rest > Clock::duration::zero()) Wait(rest);
}

void Throttle::Wait(Clock::duration time) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, time, [this] { return stopped_.load(); });
}

void Throttle::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
}

}  // namespace forge::indexer
