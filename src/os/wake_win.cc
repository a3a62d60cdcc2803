#include <algorithm>

#include "os/system_win.h"
#include "os/wake.h"

namespace forge::os {

bool WakesAmongSockets() { return false; }

// A Wait that Ring has ended takes the ring back: an event that resets itself.
Wake::Wake() : event_(DescriptorOf(CreateEventW(nullptr, /*bManualReset=*/FALSE, FALSE, nullptr))) {}

void Wake::Ring() { SetEvent(HandleOf(event_.get())); }

bool Wake::Wait(int fd, std::int64_t timeout_ms) {
  const int timeout = timeout_ms < 0 ? -1 : static_cast<int>(std::min<std::int64_t>(timeout_ms, 1'000'000'000));
  return WaitAny({event_.get(), fd}, timeout) == 1;
}

}  // namespace forge::os
