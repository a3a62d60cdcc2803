#include <cerrno>

#include "os/watch.h"

namespace forge::os {

// FSEvents reports a change some time after it, so it cannot vouch for the tree (R1).
// A request walks and compares stamps instead.
OsResult<std::unique_ptr<Watcher>> MakeWatcher() { return OsError{ENOTSUP}; }

bool WatchableFolder(int /*folder*/) { return false; }

// HFS+ stores whole seconds, FAT even ones.
std::int64_t StampGranularityNs(int /*folder*/) { return 2'100'000'000; }

}  // namespace forge::os
