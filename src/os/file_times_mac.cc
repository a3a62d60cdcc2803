#include <sys/stat.h>

#include "os/file_times.h"

namespace forge::os {

std::int64_t TimeOf(const std::string& path, FileTime which) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return 0;
  const timespec& time = which == FileTime::kModified   ? info.st_mtimespec
                         : which == FileTime::kAccessed ? info.st_atimespec
                                                        : info.st_birthtimespec;
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace forge::os
