#include <sys/resource.h>
#include <unistd.h>

#include <thread>

#include "os/limits.h"

namespace forge::os {

std::optional<std::uint64_t> MaxOpenFiles() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::uint64_t Processors() { return std::thread::hardware_concurrency(); }

std::int64_t OwnProcess() { return getpid(); }

}  // namespace forge::os
