// How hard the background indexer may work (FR-LSI-BG-31, -32).
//
// After a piece of work it rests, so that work is at most max_cpu_percent of
// the time, and at least throttle_ms; while nobody has searched for
// idle_boost_ms it does not rest at all.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/deadline.h"

namespace forge::indexer {

struct ThrottleOptions {
  std::int64_t max_cpu_percent = 100;
  std::int64_t throttle_ms = 0;
  std::int64_t idle_boost_ms = 0;
};

// How long to rest after `worked` when the last search was `quiet` ago.
Clock::duration RestAfter(const ThrottleOptions& options, Clock::duration worked, Clock::duration quiet);

// Shared by the threads of one indexer and the searches that disturb it.
class Throttle {
 public:
  explicit Throttle(ThrottleOptions options) : options_(options) {}

  void NoteSearch() { last_search_ = Clock::now().time_since_epoch().count(); }

  // Whether there was no search for idle_boost_ms.
  bool idle() const;

  // Rests; returns at once when stopped.
  void Rest(Clock::duration worked);

  // Waits; returns at once when stopped.
  void Wait(Clock::duration time);

  void Stop();
  bool stopped() const { return stopped_; }

 private:
  Clock::duration quiet() const { return Clock::now() - Clock::time_point(Clock::duration(last_search_.load())); }

  const ThrottleOptions options_;
  std::atomic<Clock::rep> last_search_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace forge::indexer
