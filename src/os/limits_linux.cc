#include <sys/resource.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <unistd.h>

#include <fstream>
#include <string>

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

std::int64_t OwnProcess() { return getpid(); }

std::optional<std::uint64_t> OwnMemory() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("Pss:")) return std::stoull(line.substr(4)) * 1024;
  }
  return std::nullopt;
}

// Other C libraries give it back by themselves.
void ReturnFreeMemory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace forge::os
