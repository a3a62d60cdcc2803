#include <fcntl.h>

#include <cerrno>

#include "os/file_lock_posix.h"

namespace forge::os {

int TryLock(int fd, LockMode mode) {
  struct flock lock = {};
  lock.l_type = mode == LockMode::kShared ? F_RDLCK : F_WRLCK;
  lock.l_whence = SEEK_SET;  // from 0 with length 0: the whole file, however long
  while (fcntl(fd, F_OFD_SETLK, &lock) != 0) {
    if (errno == EACCES) return EAGAIN;  // POSIX allows either
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace forge::os
