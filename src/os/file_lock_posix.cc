#include "os/file_lock_posix.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <utility>

#include "base/cancel.h"
#include "os/file_lock.h"

namespace forge::os {
namespace {

// There is no wait with a timeout (F_OFD_SETLKW waits for ever). So we ask
// again and again, with longer and longer pauses.
constexpr int kFirstPauseMs = 1;
constexpr int kLongestPauseMs = 20;

constexpr int kNumberWidth = 12;

int Pause(int milliseconds, const Deadline& deadline) {
  const int left = deadline.PollTimeout();
  pollfd cancelled = {WakeFd(deadline.cancel()), POLLIN, 0};  // poll ignores a negative descriptor
  poll(&cancelled, 1, left < 0 ? milliseconds : std::min(milliseconds, left));
  return std::min(milliseconds * 2, kLongestPauseMs);
}

}  // namespace

OsResult<FileLock> FileLock::Take(const std::string& absolute, LockMode mode, const Deadline& deadline) {
  // O_NONBLOCK: a FIFO at this path must not block the process.
  Fd fd(open(absolute.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, S_IRUSR | S_IWUSR));
  if (!fd.valid()) return OsError{errno};
  int pause = kFirstPauseMs;
  while (true) {
    const int code = TryLock(fd.get(), mode);
    if (code == 0) return FileLock(std::move(fd));
    if (code != EAGAIN) return OsError{code};
    if (deadline.cancelled()) return OsError{ECANCELED};
    if (deadline.expired()) return OsError{EAGAIN};
    pause = Pause(pause, deadline);
  }
}

void FileLock::Sign() const {
  // As wide as any number, so that it covers the one before. Without space on the
  // disk the lock works all the same.
  char text[kNumberWidth + 1];
  std::snprintf(text, sizeof text, "%-*d", kNumberWidth, static_cast<int>(getpid()));
  if (pwrite(fd_.get(), text, kNumberWidth, 0) != kNumberWidth) return;
}

std::int64_t FileLock::SignerOf(const std::string& absolute) {
  const Fd fd(open(absolute.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  char text[kNumberWidth];
  const ssize_t size = fd.valid() ? pread(fd.get(), text, sizeof text, 0) : 0;
  std::int64_t number = 0;
  if (size > 0) std::from_chars(text, text + size, number);
  return number;
}

}  // namespace forge::os
