// How hard the background indexer may work (FR-LSI-BG-31, -32), and whether it
// may work at all.
//
// After a piece of work the indexer rests: so long that it works at most
// max_cpu_percent of the time, and at least throttle_ms. If there was no search
// for idle_boost_ms, it does not rest.
//
// Thread-safe: the threads of one indexer share it with the searches that
// disturb it. Work is cooperative: code that runs long checks stopped(), or
// passes token() on, at least once a file.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/deadline.h"
#include "base/mutex.h"
#include "os/clocks.h"

namespace forge::indexer {

struct ThrottleOptions {
  std::int64_t max_cpu_percent = 100;
  std::int64_t throttle_ms = 0;
  std::int64_t idle_boost_ms = 0;
};

// How long to rest after `worked` when the last search was `quiet` ago.
Clock::duration RestAfter(const ThrottleOptions& options, Clock::duration worked, Clock::duration quiet);

class Throttle {
 public:
  explicit Throttle(ThrottleOptions options, const os::Clocks& clocks = os::Clocks::System())
      : options_(options), clocks_(clocks) {}

  void NoteSearch() { last_search_ = clocks_.Steady().time_since_epoch().count(); }

  // When the last search began; the clock's epoch if there was none.
  Clock::time_point last_search() const { return Clock::time_point(Clock::duration(last_search_.load())); }

  // Whether there was no search for idle_boost_ms.
  bool idle() const;
  // How long until it is idle, if no search comes; 0 if it is.
  std::int64_t IdleInMs() const;

  // Rests after a piece of work that began at this time; returns at once when
  // stopped.
  void RestSince(Clock::time_point began);
  Clock::time_point Now() const { return clocks_.Steady(); }

  // Waits; returns at once when stopped.
  void Wait(Clock::duration time) EXCLUDES(mutex_);

  void Stop() EXCLUDES(mutex_);
  bool stopped() const { return stop_.token().cancelled(); }
  const CancelToken& token() const { return stop_.token(); }

 private:
  Clock::duration quiet() const { return clocks_.Steady() - last_search(); }

  const ThrottleOptions options_;
  const os::Clocks& clocks_;
  std::atomic<Clock::rep> last_search_ = 0;
  CancelSource stop_;
  Mutex mutex_;  // so that no Stop() falls between a look at stop_ and the wait
  Condition wake_;
};

}  // namespace forge::indexer
