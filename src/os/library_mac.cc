#include "os/library.h"

namespace forge::os {

std::string LibraryName(const std::string& name, int version) {
  return "lib" + name + "." + std::to_string(version) + ".dylib";
}

}  // namespace forge::os
