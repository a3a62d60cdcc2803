#include <poll.h>
#include <sys/event.h>

#include <algorithm>

#include "os/wake.h"

namespace forge::os {
namespace {

constexpr std::uintptr_t kRing = 1;

void Change(int queue, std::uint16_t flags, std::uint32_t what) {
  struct kevent event;
  EV_SET(&event, kRing, EVFILT_USER, flags, what, 0, nullptr);
  kevent(queue, &event, 1, nullptr, 0, nullptr);
}

}  // namespace

bool WakesAmongSockets() { return true; }

// A queue with one event, which resets itself when it is taken.
Wake::Wake() : event_(kqueue()) { Change(event_.get(), EV_ADD | EV_CLEAR, 0); }

void Wake::Ring() { Change(event_.get(), 0, NOTE_TRIGGER); }

bool Wake::Wait(int fd, std::int64_t timeout_ms) {
  pollfd waits[2] = {{event_.get(), POLLIN, 0}, {fd, POLLIN, 0}};
  const nfds_t count = fd >= 0 ? 2 : 1;
  const int timeout = timeout_ms < 0 ? -1 : static_cast<int>(std::min<std::int64_t>(timeout_ms, 1'000'000'000));
  if (poll(waits, count, timeout) <= 0) return false;
  if (waits[0].revents != 0) {
    struct kevent taken;
    const timespec now = {0, 0};
    kevent(event_.get(), nullptr, 0, &taken, 1, &now);
  }
  return count == 2 && waits[1].revents != 0;
}

}  // namespace forge::os
