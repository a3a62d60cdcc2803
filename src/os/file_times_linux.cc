#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "os/file_times.h"

namespace forge::os {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// For kernels before 4.11, which do not tell when a file was made.
std::int64_t OldTimeOf(const std::string& path, FileTime which) {
  struct stat info = {};
  if (which == FileTime::kCreated || stat(path.c_str(), &info) != 0) return 0;
  const timespec& time = which == FileTime::kModified ? info.st_mtim : info.st_atim;
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace

std::int64_t TimeOf(const std::string& path, FileTime which) {
  struct statx info = {};
  // By its number: glibc has a function for it since 2.28 only.
  if (syscall(SYS_statx, AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) {
    return errno == ENOSYS ? OldTimeOf(path, which) : 0;
  }
  const struct statx_timestamp& time = which == FileTime::kModified   ? info.stx_mtime
                                       : which == FileTime::kAccessed ? info.stx_atime
                                                                      : info.stx_btime;
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace forge::os
