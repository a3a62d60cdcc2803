#include "os/this_system.h"

namespace forge::os {

System ThisSystem() { return System::kLinux; }

}  // namespace forge::os
