// Work that must never be felt: after all who have something better to do.
#pragma once

namespace forge::os {

struct LoweredPriority {
  bool processor = false;  // yields to other threads (nice 10)
  bool disk = false;       // reads only when nobody else does (the idle class)
};

// Lowers the calling thread, and threads that it starts later, for good: an
// ordinary user may not raise it again. Best effort; says what worked. Only for
// threads that do nothing else, never for one that answers requests.
LoweredPriority LowerThisThread();

}  // namespace forge::os
