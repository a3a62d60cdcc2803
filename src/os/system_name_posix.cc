#include <sys/utsname.h>
#include <unistd.h>

#include "os/system_name.h"

namespace forge::os {

std::string SystemName() {
  utsname name = {};
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

bool MakeFolderLink(const std::string& target, const std::string& path) {
  return symlink(target.c_str(), path.c_str()) == 0;
}

}  // namespace forge::os
