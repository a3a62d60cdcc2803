#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include "base/cancel.h"
#include "os/conversation.h"

namespace forge::os {
namespace {

constexpr int kLookAroundMs = 1000;

// True also when there is something left to read.
bool IsClosed(int input) {
  pollfd wait{input, 0, 0};
  return poll(&wait, 1, 0) > 0 && (wait.revents & POLLHUP) != 0;
}

struct Wait {
  int fd;
  short event;
  int input;
  pid_t parent;
  const std::atomic<bool>& over;
  std::atomic<int>& failure;
};

// True: the next read or write will not block.
bool WaitFor(const Wait& wait, const CancelToken& stop) {
  while (!wait.over && !stop.cancelled() && getppid() == wait.parent) {
    pollfd waits[] = {{wait.fd, wait.event, 0}, {WakeFd(stop), POLLIN, 0}};
    const int ready = poll(waits, 2, kLookAroundMs);
    if (ready < 0 && errno != EINTR) {
      wait.failure = errno;
      return false;
    }
    if (ready == 0 && wait.event == POLLOUT && IsClosed(wait.input)) return false;
    if (ready > 0 && waits[0].revents != 0) return !stop.cancelled();
  }
  return false;
}

}  // namespace

Conversation::Conversation(int in, int out, CancelToken stop)
    : in_(in), out_(out), stop_(std::move(stop)), parent_(getppid()) {}

bool Conversation::HasReader() const {
  pollfd wait{out_, 0, 0};
  const bool hung_up = poll(&wait, 1, 0) > 0 && (wait.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
  return !hung_up && !stop_.cancelled() && getppid() == parent_;
}

std::size_t Conversation::Read(char* buffer, std::size_t size) const {
  while (WaitFor({in_, POLLIN, in_, parent_, over_, failure_}, stop_)) {
    const ssize_t count = read(in_, buffer, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR || errno == EAGAIN) continue;
    failure_ = errno;
    return 0;
  }
  return 0;
}

bool Conversation::Write(std::string_view bytes) const {
  while (!bytes.empty()) {
    if (!WaitFor({out_, POLLOUT, in_, parent_, over_, failure_}, stop_)) {
      if (failure_ != 0) over_ = true;
      return false;
    }
    // A pipe that is ready takes this much without blocking, but no more.
    const ssize_t count = write(out_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      if (errno != EPIPE) failure_ = errno;
      over_ = true;
      return false;
    }
  }
  return true;
}

}  // namespace forge::os
