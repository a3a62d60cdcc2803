#include "os/priority.h"
#include "os/system_win.h"

namespace forge::os {

LoweredPriority LowerThisThread() {
  const bool lowered = SetThreadPriority(GetCurrentThread(), THREAD_MODE_BACKGROUND_BEGIN) != 0;
  return {lowered, lowered};
}

}  // namespace forge::os
