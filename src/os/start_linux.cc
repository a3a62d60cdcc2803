#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "os/named_file.h"
#include "os/process.h"
#include "os/process_posix.h"

namespace forge::os {

OsResult<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return OsError{errno};
  return Pipe{Fd(fds[0]), Fd(fds[1])};
}

void DieWithParent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int OpenProcessEnd(pid_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

// /proc would need memory to list, and after fork(2) in a process with threads
// there is none to be had.
void CloseFrom(int first) {
  constexpr int kCloseRange = 436;  // newer than the headers of some distributions
  if (syscall(kCloseRange, first, ~0U, 0) == 0) return;
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = first; fd < (most > 0 ? most : 1024); ++fd) close(fd);
}

std::string OwnPath() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

OsResult<FileInfo> OwnFile() { return StatPath("/proc/self/exe"); }

}  // namespace forge::os
