// A lock on a file, which other processes and other parts of this one respect.
//
//   auto lock = FileLock::Take(folder + "/lock", LockMode::kExclusive, Deadline::After(100));
//   if (!lock.ok()) ...   // EAGAIN: another process or thread holds it
//
// The lock belongs to the open file, not to the process (F_OFD_SETLK): two
// threads exclude each other as two processes do, and closing another
// descriptor of the same file does not lose it. flock(2) was rejected because
// over NFS it turns into a lock of the process.
//
// The kernel ends the lock when the process that holds it ends, even in a
// crash. The file stays; its existence means nothing. Never delete it: a
// process that waits for it would lock a file that no other process can open
// any more.
//
// The lock is advisory: it stops only code that asks for it. Programs that we
// start do not inherit it; a fork shares it.
#pragma once

#include <cstdint>
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
  // Creates the file if there is none, for this user only (0600). Refuses a
  // symlink (ELOOP). Tries until the deadline, and at least once. EAGAIN:
  // another process or thread holds the lock. ECANCELED: the request was
  // cancelled.
  static OsResult<FileLock> Take(const std::string& absolute, LockMode mode, const Deadline& deadline);

  // Holds nothing.
  FileLock() = default;

  // Writes the number of this process into the file, for others to read. Requires
  // held().
  void Sign() const;
  // The number of the process that signed it last; 0: none. It means something
  // only while another process holds the lock.
  static std::int64_t SignerOf(const std::string& absolute);

  bool held() const { return fd_.valid(); }
  void Release() { fd_.Reset(); }

 private:
  explicit FileLock(Fd fd) : fd_(std::move(fd)) {}

  Fd fd_;
};

}  // namespace forge::os
