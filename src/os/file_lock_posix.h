// The one step of locking a file that Linux and macOS do differently.
#pragma once

#include "os/file_lock.h"

namespace forge::os {

// 0 or an errno. The lock belongs to the open file.
int TryLock(int fd, LockMode mode);

}  // namespace forge::os
