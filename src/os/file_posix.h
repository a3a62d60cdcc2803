// What the files for Linux and macOS share about open files.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "os/file.h"

namespace forge::os {

// O_NONBLOCK: opening a FIFO must not wait for its writer. It has no effect on
// regular files.
inline constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

// A place to start from.
extern const int kPlaceFlags;

inline OsError LastError() { return {errno}; }
inline OsResult<Fd> Wrap(int fd) {
  if (fd < 0) return LastError();
  return Fd(fd);
}

// The descriptor, or -1 and errno. Again after a signal.
int OpenRetrying(int folder, const char* path, int flags);

// Every component is opened on its own with O_NOFOLLOW.
int OpenByComponent(int folder, const std::string& relative, int flags);

// Of a link; "" is the opened one itself, where the system can do that.
OsResult<std::string> ReadLinkAt(int folder, const char* name);

struct Stamps {
  timespec modified;
  timespec changed;
};
Stamps StampsOf(const struct stat& st);

FileType TypeOf(mode_t mode);
FileInfo ToInfo(const struct stat& st);

}  // namespace forge::os
