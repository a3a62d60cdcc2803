#include <fcntl.h>
#include <mach-o/dyld.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "os/named_file.h"
#include "os/process.h"
#include "os/process_posix.h"

namespace forge::os {

OsResult<Pipe> MakePipe() {
  int fds[2];
  if (pipe(fds) != 0) return OsError{errno};
  Pipe made{Fd(fds[0]), Fd(fds[1])};
  for (const int fd : fds) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return made;
}

// macOS has nothing of the kind: a child of a process that was killed goes on to the
// end of its search.
void DieWithParent() {}

int OpenProcessEnd(pid_t /*process*/) { return -1; }

// Not by sysconf(3): where the limit is "unlimited", that would be a number without end.
void CloseFrom(int first) {
  const int most = getdtablesize();
  for (int fd = first; fd < most; ++fd) close(fd);
}

std::string OwnPath() {
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) return "";
  const OsResult<std::string> real = CanonicalPath(path.c_str());
  return real.ok() ? *real : "";
}

OsResult<FileInfo> OwnFile() { return StatPath(OwnPath()); }

}  // namespace forge::os
