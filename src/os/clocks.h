// The clocks of the system, as a value that callers pass in. So a test decides
// what time it is, and never has to wait.
//
//   const os::Clocks& clocks = os::Clocks::System();
//   if (clocks.FileNs() >= retry_at_ns) ...
//
// Two things run on the system's own clock, whatever is passed in: a Deadline
// (base/deadline.h), and the end of a wait on a Condition or a Wake. Both are
// about a thread that really runs or waits, so a clock that a test moves would let
// it wait for ever. A test passes a deadline that is over, or ends the wait.
//
// Thread-safe. The kernel stamps files by its own clock. Code that compares the
// time with stamps of real files needs that clock, not a test's.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/deadline.h"
#include "os/file.h"

namespace forge::os {

class Clocks {
 public:
  virtual ~Clocks() = default;

  // Nanoseconds since 1970, of the clock that stamps files.
  virtual std::int64_t FileNs() const { return FileClockNow(); }
  // Milliseconds since 1970.
  virtual std::int64_t WallMs() const {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
  }
  // For durations.
  virtual Clock::time_point Steady() const { return Clock::now(); }

  static const Clocks& System() {
    static const Clocks system;
    return system;
  }
};

}  // namespace forge::os
