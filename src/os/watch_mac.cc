#include <sys/mount.h>
#include <sys/param.h>

#include <cerrno>
#include <string_view>

#include "os/watch.h"

// Compiled, never run by us (docs/systems.md).
namespace forge::os {
namespace {

// Volumes of this machine whose stamps follow its clock.
bool IsLocalApfs(int folder) {
  struct statfs volume;
  if (fstatfs(folder, &volume) != 0) return false;
  return (volume.f_flags & MNT_LOCAL) != 0 && std::string_view(volume.f_fstypename) == "apfs";
}

}  // namespace

// FSEvents reports a change some time after it, so it cannot vouch for the tree (R1).
// A request walks and compares stamps instead.
OsResult<std::unique_ptr<Watcher>> MakeWatcher() { return OsError{ENOTSUP}; }

bool WatchableFolder(int folder) { return IsLocalApfs(folder); }

// APFS stores nanoseconds. HFS+ stores whole seconds, FAT even ones.
std::int64_t StampGranularityNs(int folder) { return IsLocalApfs(folder) ? 50'000'000 : 2'100'000'000; }

}  // namespace forge::os
