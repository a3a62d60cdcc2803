// The system's part of AllocateAligned and Buffer (os/file.h).
#pragma once

#include <cstddef>

#include "os/file.h"

namespace forge::os {

// Null if there is not enough memory.
AlignedBytes TryAllocate(std::size_t size);

}  // namespace forge::os
