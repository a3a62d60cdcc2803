#include <fcntl.h>
#include <sys/stat.h>

#include "os/file_times.h"

namespace forge::os {

std::int64_t TimeOf(const std::string& path, FileTime which) {
  struct statx info = {};
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) return 0;
  const struct statx_timestamp& time = which == FileTime::kModified   ? info.stx_mtime
                                       : which == FileTime::kAccessed ? info.stx_atime
                                                                      : info.stx_btime;
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace forge::os
