#include <fstream>
#include <string>

#include "os/limits.h"

namespace forge::os {

std::optional<std::uint64_t> MaxWatches() {
  std::ifstream file("/proc/sys/fs/inotify/max_user_watches");
  std::uint64_t watches = 0;
  if (!(file >> watches)) return std::nullopt;
  return watches;
}

std::optional<std::uint64_t> OwnMemory() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("Pss:")) return std::stoull(line.substr(4)) * 1024;
  }
  return std::nullopt;
}

}  // namespace forge::os
