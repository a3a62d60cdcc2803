// A lock on a file, which other processes and other parts of this one respect.
//
//   auto lock = FileLock::Take(folder + "/lock", LockMode::kExclusive, Deadline::After(100));
//   if (!lock.ok()) ...   // EAGAIN: somebody else holds it
//
// The lock belongs to the open file, not to the process (F_OFD_SETLK): two
// threads exclude each other as two processes do, and closing another
// descriptor of the same file does not lose it. flock(2) was rejected because
// over NFS it turns into a lock of the process.
//
// The kernel ends a lock with the process that holds it, however that dies; the
// file stays, empty, and says nothing. Never delete it: whoever waits for it
// would lock a file that nobody else can open any more.
//
// Advisory: only those who ask are kept out. Not inherited by programs that are
// started; a fork shares it.
#pragma once

#include <string>

#include "base/deadline.h"
#include "os/file.h"

namespace forge::os {

enum class LockMode {
  kShared,     // any number at a time, but none beside an exclusive one
  kExclusive,  // one at a time
};

class FileLock {
 public:
  // Creates the file if there is none, for this user only (0600); refuses a
  // symlink (ELOOP). Tries until the deadline, and at least once. EAGAIN: held by
  // another; ECANCELED: cancelled meanwhile.
  static OsResult<FileLock> Take(const std::string& absolute, LockMode mode, const Deadline& deadline);

  // Holds nothing.
  FileLock() = default;

  bool held() const { return fd_.valid(); }
  void Release() { fd_.Reset(); }

 private:
  explicit FileLock(Fd fd) : fd_(std::move(fd)) {}

  Fd fd_;
};

}  // namespace forge::os
