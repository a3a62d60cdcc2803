#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "base/wake_event.h"

namespace forge {

WakeEvent::WakeEvent() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

WakeEvent::~WakeEvent() {
  if (descriptor_ >= 0) close(descriptor_);
}

void WakeEvent::Set() {
  const std::uint64_t one = 1;
  // write(2) fails only if the counter is full, and then the descriptor is
  // readable already.
  [[maybe_unused]] const ssize_t written = write(descriptor_, &one, sizeof one);
}

}  // namespace forge
