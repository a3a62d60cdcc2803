#include "os/home.h"

namespace forge::os {

std::string UserCacheFolder(const Environment& environment) {
  std::string cache = environment.GetAbsolute("XDG_CACHE_HOME");
  if (!cache.empty()) return cache;
  const std::string home = environment.GetAbsolute("HOME");
  return home.empty() ? "" : home + "/.cache";
}

}  // namespace forge::os
