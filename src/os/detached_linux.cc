#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/cancel.h"
#include "os/detached.h"
#include "os/process_posix.h"

namespace forge::os {
namespace {

constexpr std::size_t kLongestLine = 4096;

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

// Handlers and ignored signals are for us, not for the program.
void ForgetSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Only system calls until exec: we are the copy of one thread of several.
[[noreturn]] void BecomeProgram(const char* program, char* const* argv, char* const* envp, int null_fd, int out_fd) {
  setsid();
  // A second process, which leads no session, cannot get a terminal, and it is
  // the child of init.
  if (const pid_t pid = fork(); pid != 0) _exit(pid < 0 ? 1 : 0);
  umask(077);
  ForgetSignals();
  const bool ready = chdir("/") == 0 && dup2(null_fd, STDIN_FILENO) >= 0 && dup2(out_fd, STDOUT_FILENO) >= 0 &&
                     dup2(null_fd, STDERR_FILENO) >= 0;
  CloseFrom(STDERR_FILENO + 1);
  if (ready) execve(program, argv, envp);
  _exit(127);
}

OsResult<std::string> ReadLine(int fd, const Deadline& deadline) {
  std::string line;
  while (line.size() < kLongestLine) {
    pollfd waits[] = {{fd, POLLIN, 0}, {WakeFd(deadline.cancel()), POLLIN, 0}};
    const int ready = poll(waits, 2, deadline.PollTimeout());
    if (deadline.cancelled()) return OsError{ECANCELED};
    if (ready == 0) return OsError{ETIMEDOUT};
    if (ready < 0 || waits[0].revents == 0) continue;
    char byte = 0;
    const ssize_t count = read(fd, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::string();
    if (byte == '\n') break;
    line += byte;
  }
  return line;
}

}  // namespace

OsResult<std::string> StartDetached(const DetachedProgram& program, const Deadline& deadline) {
  OsResult<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.error();
  const Fd null_fd(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null_fd.valid()) return OsError{errno};
  // Above standard error, so that putting one in place does not overwrite another.
  const Fd null_above(fcntl(null_fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  Fd to_above(fcntl(pipe->write.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!null_above.valid() || !to_above.valid()) return OsError{errno};

  std::vector<std::string> words = {program.program};
  words.insert(words.end(), program.args.begin(), program.args.end());
  const std::vector<char*> argv = Pointers(words);
  const std::vector<char*> envp = Pointers(program.env);
  const pid_t pid = fork();
  if (pid < 0) return OsError{errno};
  if (pid == 0) {
    BecomeProgram(program.program.c_str(), argv.data(), envp.data(), null_above.get(), to_above.get());
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  pipe->write.Reset();
  to_above.Reset();
  return ReadLine(pipe->read.get(), deadline);
}

}  // namespace forge::os
