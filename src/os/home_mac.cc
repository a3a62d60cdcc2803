#include "os/home.h"

namespace forge::os {

std::string UserCacheFolder(const Environment& environment) {
  const std::string home = environment.GetAbsolute("HOME");
  return home.empty() ? "" : home + "/Library/Caches";
}

}  // namespace forge::os
