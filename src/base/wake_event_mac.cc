#include <fcntl.h>
#include <unistd.h>

#include "base/wake_event.h"

namespace forge {

WakeEvent::WakeEvent() {
  int ends[2];
  if (pipe(ends) != 0) return;
  descriptor_ = ends[0];
  other_end_ = ends[1];
  for (const int end : ends) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
    fcntl(end, F_SETFL, O_NONBLOCK);
  }
}

WakeEvent::~WakeEvent() {
  if (descriptor_ >= 0) close(descriptor_);
  if (other_end_ >= 0) close(other_end_);
}

void WakeEvent::Set() {
  // write(2) fails only if the pipe is full, and then it is readable already.
  [[maybe_unused]] const ssize_t written = write(other_end_, "x", 1);
}

}  // namespace forge
