#include "os/processors.h"

namespace forge::os {

void KeepOffThisProcessor(std::thread& /*thread*/) {}

int ThisProcessor() { return -1; }

}  // namespace forge::os
