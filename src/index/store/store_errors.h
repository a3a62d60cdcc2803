// What can be wrong with a store. The code of an error says what to do about it:
//
//   kDamaged   clear the index and build it anew (see damage.h)
//   kDiskFull  continue in memory: what was stored before is still there
//   kLocked    search without the index this once: another process held a lock
//              for longer than the timeout
#pragma once

#include <string>
#include <string_view>

#include "forge/result.h"
#include "index/format/damage.h"
#include "os/file.h"

namespace forge::index {

Error DiskFull(std::string_view what);
Error Locked(std::string_view what);

// Whether an error of the system says that there is no room: a full disk, a quota, a
// limit on the size of files (ulimit -f).
bool IsOutOfSpace(int system_error);

// An error of the system while doing `what`.
Error SystemError(std::string_view what, const os::OsError& error);

}  // namespace forge::index
