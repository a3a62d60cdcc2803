#include <poll.h>

#include <algorithm>

#include "base/cancel.h"
#include "os/wait.h"

namespace forge::os {

bool WaitFor(std::chrono::milliseconds time, const Deadline& deadline) {
  const Deadline end(std::min(Clock::now() + time, deadline.at()), deadline.cancel());
  while (!end.over()) {
    pollfd wake = {WakeFd(deadline.cancel()), POLLIN, 0};  // poll ignores a negative descriptor
    poll(&wake, 1, end.PollTimeout());
  }
  return !deadline.over();
}

}  // namespace forge::os
