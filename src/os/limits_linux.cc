#include <sys/resource.h>

#include <fstream>

#include "os/limits.h"

namespace forge::os {

std::optional<std::uint64_t> MaxOpenFiles() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::optional<std::uint64_t> MaxWatches() {
  std::ifstream file("/proc/sys/fs/inotify/max_user_watches");
  std::uint64_t watches = 0;
  if (!(file >> watches)) return std::nullopt;
  return watches;
}

}  // namespace forge::os
