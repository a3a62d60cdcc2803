// Waits for a descriptor or for another thread, whichever comes first.
#pragma once

#include <cstdint>

#include "os/file.h"

namespace forge::os {

// Whether the descriptor of a cancellation (base/cancel.h) can be waited for together
// with sockets. On Windows it cannot.
bool WakesAmongSockets();

// Thread-safe. A Wake() that comes before Wait() is not lost.
class Wake {
 public:
  Wake();

  void Ring();

  // Returns after Wake(), when `fd` is readable (-1: none), or after
  // `timeout_ms` (-1: never). True if `fd` is readable.
  bool Wait(int fd, std::int64_t timeout_ms);

 private:
  Fd event_;
};

}  // namespace forge::os
