#include "os/process_posix.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>

#include "base/cancel.h"
#include "base/strings.h"
#include "os/named_file.h"
#include "os/process.h"
#include "os/running_child.h"

namespace forge::os {
namespace {

// We put the child's 0, 1 and 2 in place one after the other, so none of them may
// be the source of another. We can get such a number if our own caller closed it.
OsResult<Fd> AboveStandard(int fd) {
  Fd above(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!above.valid()) return OsError{errno};
  return above;
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

// What the child needs. We prepare it before vfork, because the child may only
// make system calls until exec.
struct Launch {
  const char* program;
  char* const* argv;
  char* const* envp;
  int folder;
  int null_fd;
  int out_fd;
  int err_fd;
  pid_t parent;
  rlimit memory;
  sigset_t no_signals;
};

// What we may use, if that is less.
rlimit MemoryLimit(std::uint64_t wanted) {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_DATA, &limit);
  if (wanted != 0) limit.rlim_cur = limit.rlim_max = std::min<rlim_t>({wanted, limit.rlim_cur, limit.rlim_max});
  return limit;
}

// The program that uses this library may handle signals. Its handlers must not
// run in the child, which shares our memory until exec. So the child resets them
// before it lets signals in; exec would do the same, but later. Ignored signals
// stay ignored, except the two that end a pipeline.
void ForgetHandlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) != 0) continue;
    const bool ignored = action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGINT;
    if (!ignored && action.sa_handler != SIG_DFL) signal(number, SIG_DFL);
  }
}

// No signal reaches this thread while the object lives: between vfork and exec,
// and in the child, which inherits the mask.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

[[noreturn]] void BecomeChild(const Launch& launch, volatile int& failure) {
  setpgid(0, 0);
  DieWithParent();
  // Nothing ends this process if the parent died before this call.
  if (getppid() != launch.parent) _exit(127);
  ForgetHandlers();
  sigprocmask(SIG_SETMASK, &launch.no_signals, nullptr);
  // The memory last: a sanitizer in this child may need more than the program.
  const bool ready = dup2(launch.null_fd, 0) >= 0 && dup2(launch.out_fd, 1) >= 0 && dup2(launch.err_fd, 2) >= 0 &&
                     (launch.folder < 0 || fchdir(launch.folder) == 0) && setrlimit(RLIMIT_DATA, &launch.memory) == 0;
  if (ready) execve(launch.program, launch.argv, launch.envp);
  failure = errno;
  _exit(127);
}

// vfork, because fork copies page tables: milliseconds once an index is in
// memory. The child shares our memory until it has exec'ed or exited, and we
// are suspended meanwhile, so `failure` reports errno for free.
OsResult<pid_t> Start(const Command& command, int out_fd, int err_fd) {
  const Fd null_fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null_fd.valid()) return OsError{errno};
  std::array<int, 4> sources = {null_fd.get(), out_fd, err_fd, command.folder};
  std::array<Fd, 4> copies;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] < 0 || sources[i] > STDERR_FILENO) continue;
    auto copy = AboveStandard(sources[i]);
    if (!copy.ok()) return copy.error();
    copies[i] = std::move(*copy);
    sources[i] = copies[i].get();
  }
  std::vector<std::string> args = command.args;
  args.insert(args.begin(), command.program);
  const std::vector<char*> argv = Pointers(args);
  const std::vector<char*> envp = Pointers(command.env);
  Launch launch{command.program.c_str(),
                argv.data(),
                envp.data(),
                sources[3],
                sources[0],
                sources[1],
                sources[2],
                getpid(),
                MemoryLimit(command.max_memory),
                {}};
  sigemptyset(&launch.no_signals);
  volatile int failure = 0;
  const SignalsBlocked blocked;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const pid_t pid = vfork();
#pragma GCC diagnostic pop
  if (pid == 0) BecomeChild(launch, failure);
  if (pid < 0) return OsError{errno};
  // The child does this too. But a sanitizer makes a fork of vfork; then we may
  // be here before the child, and want to kill its group at once.
  setpgid(pid, pid);
  if (failure != 0) {
    waitpid(pid, nullptr, 0);
    return OsError{failure};
  }
  return pid;
}

// Reads one piece of what is there.
enum class Drained { kPiece, kNothing, kClosed, kFailed };

template <typename Take>
Drained Drain(int fd, Take take) {
  std::array<char, 65536> buffer;
  const ssize_t n = read(fd, buffer.data(), buffer.size());
  if (n > 0) {
    take(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
    return Drained::kPiece;
  }
  if (n == 0) return Drained::kClosed;
  return errno == EINTR || errno == EAGAIN ? Drained::kNothing : Drained::kFailed;
}

class Running final : public RunningChild {
 public:
  Running(pid_t pid, Fd out, Fd err)
      : pid_(pid), pidfd_(OpenProcessEnd(pid)), out_(std::move(out)), err_(std::move(err)) {
    fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    fcntl(err_.get(), F_SETFL, O_NONBLOCK);
  }
  ~Running() override {
    if (!reaped_) Reap();
  }

 private:
  static constexpr int kBlindMs = 2;

  Next Step(const Deadline& deadline, const OutputSink& sink) override {
    std::array<pollfd, 4> fds{{{out_.get(), POLLIN, 0},
                               {err_.get(), POLLIN, 0},
                               {pidfd_.get(), POLLIN, 0},
                               {WakeFd(deadline.cancel()), POLLIN, 0}}};
    // Without such a descriptor (before Linux 5.3, or none left) poll() does not
    // report the exit, so we look for it from time to time.
    const bool blind = !pidfd_.valid();
    const int ready = poll(fds.data(), fds.size(), blind ? kBlindMs : deadline.PollTimeout());
    if (ready < 0 || (ready == 0 && !blind)) return Next::kGoOn;
    const bool exited = blind ? HasExited() : fds[2].revents != 0;
    bool wanted = true;
    bool quiet = true;
    const auto take = [&](Fd& fd, auto keep) {
      if (!fd.valid()) return;
      const Drained drained = Drain(fd.get(), keep);
      if (drained == Drained::kFailed) read_error_ = errno;
      if (drained == Drained::kClosed || drained == Drained::kFailed) fd.Reset();
      quiet &= drained != Drained::kPiece;
    };
    take(out_, [&](std::string_view piece) { wanted = sink(piece); });
    take(err_, [&](std::string_view piece) { KeepStderr(piece); });
    if (!wanted) return Next::kEnough;
    // No output after we saw the exit: we have read everything that the child
    // wrote.
    return exited && quiet ? Next::kEnded : Next::kGoOn;
  }

  // Leaves the zombie. If there is no such child, the system has reaped it.
  bool HasExited() const {
    siginfo_t info = {};
    const int rc = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return rc == 0 ? info.si_pid == pid_ : errno == ECHILD;
  }

  // A child whose status is lost may have died half way, so its output may be
  // incomplete. It is if it could not be read.
  OsResult<bool> End() override {
    const std::optional<int> status = Reap();
    if (read_error_ != 0 && outcome_.end == RunOutcome::End::kExited) return OsError{read_error_};
    if (!status && outcome_.end == RunOutcome::End::kExited) return OsError{ECHILD};
    if (status && WIFEXITED(*status)) outcome_.exit_code = WEXITSTATUS(*status);
    if (status && WIFSIGNALED(*status)) outcome_.signal = WTERMSIG(*status);
    return true;
  }

  // We kill the group while the zombie still holds the child's id, so that no
  // other process can have that id. Returns nothing if the status is lost because
  // this process ignores SIGCHLD.
  std::optional<int> Reap() {
    kill(-pid_, SIGKILL);
    reaped_ = true;
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0) {
      if (errno != EINTR) return std::nullopt;
    }
    return status;
  }

  const pid_t pid_;
  const Fd pidfd_;
  Fd out_;
  Fd err_;
  int read_error_ = 0;
  bool reaped_ = false;
};

bool IsExecutable(const std::string& path) {
  const auto info = StatPath(path);
  return info.ok() && info->type == FileType::kRegular && access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> Absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char* full = realpath(path.c_str(), nullptr);
  if (full == nullptr) return std::nullopt;
  std::string out(full);
  std::free(full);
  return out;
}

}  // namespace

OsResult<RunOutcome> Run(const Command& command, const Deadline& deadline, const OutputSink& sink,
                         const LookAfter& look_after) {
  auto out = MakePipe();
  auto err = MakePipe();
  if (!out.ok()) return out.error();
  if (!err.ok()) return err.error();
  const auto pid = Start(command, out->write.get(), err->write.get());
  if (!pid.ok()) return pid.error();
  out->write.Reset();
  err->write.Reset();
  return Running(*pid, std::move(out->read), std::move(err->read)).Wait(deadline, sink, look_after);
}

std::optional<std::string> FindProgram(const std::string& name, std::string_view search_path) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) return IsExecutable(name) ? Absolute(name) : std::nullopt;
  for (const std::string_view folder : Split(search_path, ':')) {
    // An empty entry of $PATH means the current folder, which may be the tree
    // that is searched: a program from there must not run.
    if (!folder.starts_with('/')) continue;
    const std::string path = std::string(folder) + "/" + name;
    if (IsExecutable(path)) return path;
  }
  return std::nullopt;
}

}  // namespace forge::os
