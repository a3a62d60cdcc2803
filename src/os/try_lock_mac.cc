#include <sys/file.h>

#include <cerrno>

#include "os/file_lock_posix.h"

namespace forge::os {

int TryLock(int fd, LockMode mode) {
  while (flock(fd, (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return EAGAIN;
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace forge::os
