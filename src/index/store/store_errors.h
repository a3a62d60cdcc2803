// What can be wrong with a store, so that callers can tell it apart.
//
//   damage     clear it and build anew (IsDamage; see damage.h)
//   disk full  go on in memory (IsDiskFull)
//   locked     search without the index this once (IsLocked)
//
// The predicates are in store.h.
#pragma once

#include <string>
#include <string_view>

#include "forge/result.h"
#include "index/format/damage.h"
#include "os/file.h"

namespace forge::index {

Error DiskFull(std::string_view what);
Error Locked(std::string_view what);

// An error of the system while doing `what`; ENOSPC and EDQUOT are a full disk.
Error SystemError(std::string_view what, const os::OsError& error);

}  // namespace forge::index
