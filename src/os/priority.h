// Low priority for background work, so that it does not slow other work down.
#pragma once

namespace forge::os {

struct LoweredPriority {
  bool processor = false;  // yields to other threads (nice 10)
  bool disk = false;       // reads only when no other program does (the idle class)
};

// Lowers the priority of the calling thread, and of threads that it starts
// later, for good: an ordinary user may not raise it again. Best effort;
// returns what worked. Only for threads that do nothing else, never for one
// that answers requests.
LoweredPriority LowerThisThread();

}  // namespace forge::os
