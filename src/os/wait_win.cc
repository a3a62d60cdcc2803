#include <algorithm>

#include "base/cancel.h"
#include "os/system_win.h"
#include "os/wait.h"

namespace forge::os {

bool WaitFor(std::chrono::milliseconds time, const Deadline& deadline) {
  const Deadline end(std::min(Clock::now() + time, deadline.at()), deadline.cancel());
  while (!end.over()) WaitAny({WakeFd(deadline.cancel())}, end.PollTimeout());
  return !deadline.over();
}

}  // namespace forge::os
