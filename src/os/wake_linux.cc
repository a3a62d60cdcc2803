#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "os/wake.h"

namespace forge::os {

bool WakesAmongSockets() { return true; }

Wake::Wake() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Wake::Ring() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(event_.get(), &one, sizeof(one));
}

bool Wake::Wait(int fd, std::int64_t timeout_ms) {
  pollfd waits[2] = {{event_.get(), POLLIN, 0}, {fd, POLLIN, 0}};
  const nfds_t count = fd >= 0 ? 2 : 1;
  const int timeout = timeout_ms < 0 ? -1 : static_cast<int>(std::min<std::int64_t>(timeout_ms, 1'000'000'000));
  if (poll(waits, count, timeout) <= 0) return false;
  if (waits[0].revents != 0) {
    std::uint64_t rings = 0;
    [[maybe_unused]] const ssize_t n = read(event_.get(), &rings, sizeof(rings));
  }
  return count == 2 && waits[1].revents != 0;
}

}  // namespace forge::os
