#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "os/watch.h"

namespace forge::os {
namespace {

constexpr std::uint32_t kXfs = 0x58465342;
constexpr std::uint32_t kZfs = 0x2FC12FC1;
constexpr std::uint32_t kBcachefs = 0xCA451A4E;

constexpr std::int64_t kFineNs = 50'000'000;       // several ticks of the clock that stamps files
constexpr std::int64_t kCoarseNs = 2'100'000'000;  // FAT stores even seconds

enum class Trust {
  kNone,    // may change without this kernel (network, FUSE, 9p) or silently (/proc, /sys); or not known
  kEvents,  // all changes go through this kernel
  kStamps,  // and stamps follow its clock
};

Trust TrustIn(int folder) {
  struct statfs status = {};
  if (fstatfs(folder, &status) != 0) return Trust::kNone;
  switch (static_cast<std::uint32_t>(status.f_type)) {
    case EXT4_SUPER_MAGIC:  // also of ext2 and ext3
    case kXfs:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC: return Trust::kStamps;
    case F2FS_SUPER_MAGIC:
    case kZfs:
    case kBcachefs: return Trust::kEvents;
    default: return Trust::kNone;
  }
}

// ext with small inodes keeps whole seconds, under the same magic number. There
// the nanoseconds are always 0, so one stamp that has some is proof of fine ones.
bool HasNanoseconds(int folder) {
  struct stat status = {};
  return fstat(folder, &status) == 0 && status.st_ctim.tv_nsec != 0;
}

}  // namespace

bool WatchableFolder(int folder) { return TrustIn(folder) != Trust::kNone; }

std::int64_t StampGranularityNs(int folder) {
  return TrustIn(folder) == Trust::kStamps && HasNanoseconds(folder) ? kFineNs : kCoarseNs;
}

}  // namespace forge::os
