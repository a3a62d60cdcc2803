#include <cerrno>

#include "os/mounts.h"

namespace forge::os {

// For watchers, of which there is none here (watch_mac.cc).
OsResult<std::unique_ptr<Mounts>> OpenMounts() { return OsError{ENOTSUP}; }

}  // namespace forge::os
