#include "os/processors.h"

namespace forge::os {

void KeepOff(int /*processor*/, std::thread& /*thread*/) {}

int ThisProcessor() { return -1; }

}  // namespace forge::os
