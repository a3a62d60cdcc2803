#include <pthread.h>
#include <sched.h>

#include "os/processors.h"

namespace forge::os {

void KeepOff(int processor, std::thread& thread) {
  cpu_set_t allowed;
  // Fails where there are more processors than the set has room for.
  if (processor < 0 || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  // With one processor alone, that one: an earlier caller may have left others there.
  if (CPU_COUNT(&allowed) > 1) CPU_CLR(static_cast<std::size_t>(processor), &allowed);
  pthread_setaffinity_np(thread.native_handle(), sizeof(allowed), &allowed);
}

int ThisProcessor() { return sched_getcpu(); }

}  // namespace forge::os
