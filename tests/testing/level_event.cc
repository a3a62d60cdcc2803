#include "tests/testing/level_event.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace forge::testing {

LevelEvent::LevelEvent() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

LevelEvent::~LevelEvent() { close(descriptor_); }

void LevelEvent::Set() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(descriptor_, &one, sizeof one);
}

void LevelEvent::Reset() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = read(descriptor_, &count, sizeof count);
}

}  // namespace forge::testing
