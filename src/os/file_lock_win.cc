#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <utility>

#include "base/cancel.h"
#include "os/file_lock.h"
#include "os/limits.h"
#include "os/private_file.h"
#include "os/system_win.h"

namespace forge::os {
namespace {

constexpr int kFirstPauseMs = 1;
constexpr int kLongestPauseMs = 20;
constexpr int kNumberWidth = 12;

// Other programs cannot read locked bytes. So we lock one far behind the number
// that is in the file.
constexpr DWORD kLockedByte = 0x40000000;

// 0 or an errno.
int TryLock(int fd, LockMode mode) {
  OVERLAPPED place = {};
  place.Offset = kLockedByte;
  const DWORD how = LOCKFILE_FAIL_IMMEDIATELY | (mode == LockMode::kExclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0);
  if (LockFileEx(HandleOf(fd), how, 0, 1, 0, &place) != 0) return 0;
  const DWORD code = GetLastError();
  return code == ERROR_LOCK_VIOLATION || code == ERROR_IO_PENDING ? EAGAIN : ErrorOf(code).code;
}

int Pause(int milliseconds, const Deadline& deadline) {
  const int left = deadline.PollTimeout();
  WaitAny({WakeFd(deadline.cancel())}, left < 0 ? milliseconds : std::min(milliseconds, left));
  return std::min(milliseconds * 2, kLongestPauseMs);
}

}  // namespace

OsResult<FileLock> FileLock::Take(const std::string& absolute, LockMode mode, const Deadline& deadline) {
  OsResult<Fd> fd = OpenPrivateFile(absolute);
  if (!fd.ok()) return fd.error();
  int pause = kFirstPauseMs;
  while (true) {
    const int code = TryLock(fd->get(), mode);
    if (code == 0) return FileLock(std::move(*fd));
    if (code != EAGAIN) return OsError{code};
    if (deadline.cancelled()) return OsError{ECANCELED};
    if (deadline.expired()) return OsError{EAGAIN};
    pause = Pause(pause, deadline);
  }
}

void FileLock::Sign() const {
  char text[kNumberWidth + 1];
  std::snprintf(text, sizeof text, "%-*lld", kNumberWidth, static_cast<long long>(OwnProcess()));
  static_cast<void>(WriteAt(fd_.get(), 0, {text, kNumberWidth}));
}

std::int64_t FileLock::SignerOf(const std::string& absolute) {
  const OsResult<Fd> fd = OpenFileItself(absolute);
  if (!fd.ok()) return 0;
  std::array<char, kNumberWidth> text;
  const OsResult<std::size_t> size = ReadAt(fd->get(), 0, text.data(), text.size());
  std::int64_t number = 0;
  if (size.ok()) std::from_chars(text.data(), text.data() + *size, number);
  return number;
}

}  // namespace forge::os
