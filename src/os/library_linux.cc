#include "os/library.h"

namespace forge::os {

std::string LibraryName(const std::string& name, int version) {
  return "lib" + name + ".so." + std::to_string(version);
}

}  // namespace forge::os
