#include <sys/resource.h>

#include "os/priority.h"

namespace forge::os {

LoweredPriority LowerThisThread() {
  const bool lowered = setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG) == 0;
  return {lowered, lowered};
}

}  // namespace forge::os
