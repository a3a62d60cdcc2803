#include "os/processors.h"

namespace forge::os {

void KeepOffThisProcessor(std::thread& /*thread*/) {}

}  // namespace forge::os
