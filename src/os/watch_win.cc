#include <cerrno>

#include "os/watch.h"

namespace forge::os {

// ReadDirectoryChangesW reports a write when the file is closed or flushed, not when
// the write returns, so no watcher could vouch for a file that is being written
// (R1). A request walks and compares stamps instead.
OsResult<std::unique_ptr<Watcher>> MakeWatcher() { return OsError{ENOTSUP}; }

bool WatchableFolder(int /*folder*/) { return false; }

// FAT stores even seconds.
std::int64_t StampGranularityNs(int /*folder*/) { return 2'100'000'000; }

}  // namespace forge::os
