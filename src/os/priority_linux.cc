#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/priority.h"

namespace forge::os {
namespace {

constexpr int kNice = 10;

// From linux/ioprio.h, which older distributions do not install.
constexpr int kIoprioWhoProcess = 1;
constexpr int kIoprioClassIdle = 3;
constexpr int kIoprioClassShift = 13;

// On Linux a nice value belongs to a thread, and PRIO_PROCESS takes its id.
bool LowerProcessor() {
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));  // a function in glibc since 2.30
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, thread);
  if (now == -1 && errno != 0) return false;
  return setpriority(PRIO_PROCESS, thread, std::max(now, kNice)) == 0;
}

bool LowerDisk() { return syscall(SYS_ioprio_set, kIoprioWhoProcess, 0, kIoprioClassIdle << kIoprioClassShift) == 0; }

}  // namespace

LoweredPriority LowerThisThread() { return {LowerProcessor(), LowerDisk()}; }

}  // namespace forge::os
