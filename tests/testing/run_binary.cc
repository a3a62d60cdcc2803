#include "tests/testing/run_binary.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace forge::testing {
namespace {

using Clock = std::chrono::steady_clock;

// Two connected ends; a pseudo terminal looks the same from here.
struct Pipe {
  explicit Pipe(bool terminal = false) {
    if (terminal) {
      read = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
      if (read < 0 || grantpt(read) != 0 || unlockpt(read) != 0) throw std::runtime_error("no terminal");
      write = open(ptsname(read), O_RDWR | O_NOCTTY | O_CLOEXEC);
      return;
    }
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    Close(read);
    Close(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static void Close(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
  int read = -1;
  int write = -1;
};

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Between fork and exec only async-signal-safe calls.
[[noreturn]] void BecomeTheProgram(const Command& command, char* const* argv, char* const* env, int in, int out,
                                   int err) {
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  // Opened before the change of user: "nobody" may not reach a build folder below /root.
  const int program = open(argv[0], O_RDONLY | O_CLOEXEC);
  if (command.uid) {
    if (setgroups(0, nullptr) != 0 || setgid(*command.uid) != 0 || setuid(*command.uid) != 0) _exit(126);
  }
  if (!command.cwd.empty() && chdir(command.cwd.c_str()) != 0) _exit(126);
  if (command.uid) fexecve(program, argv, env);
  execve(argv[0], argv, env);  // a script cannot be run by its descriptor
  _exit(127);
}

// Reads what there is; false at the end of the stream.
bool Drain(int fd, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t n = read(fd, buffer.data(), buffer.size());
  if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

bool Feed(int fd, const std::string& text, std::size_t& done) {
  const ssize_t n = write(fd, text.data() + done, std::min<std::size_t>(text.size() - done, 65536));
  if (n > 0) done += static_cast<std::size_t>(n);
  return (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN))) && done < text.size();
}

// What a process has used at most until now, in KB; 0 if it has ended.
long PeakOf(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

void Converse(const Command& command, int pid, Pipe& in, Pipe& out, Pipe& err, Ended& ended) {
  const auto end = Clock::now() + command.deadline;
  std::size_t fed = 0;
  fcntl(in.write, F_SETFL, O_NONBLOCK);
  if (command.stdin_text.empty()) Pipe::Close(in.write);
  while (out.read >= 0 || err.read >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) {
      ended.overran = true;
      kill(-pid, SIGKILL);
      return;
    }
    std::array<pollfd, 3> fds{{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}}};
    poll(fds.data(), fds.size(), static_cast<int>(left));
    if (const long peak = PeakOf(pid); peak > 0) ended.max_rss_kb = peak;
    if (fds[0].revents != 0 && !Drain(out.read, ended.out)) Pipe::Close(out.read);
    if (fds[1].revents != 0 && !Drain(err.read, ended.err)) Pipe::Close(err.read);
    if (fds[2].revents != 0 && !Feed(in.write, command.stdin_text, fed)) Pipe::Close(in.write);
    if (command.close_stdout_after && ended.out.size() >= *command.close_stdout_after) Pipe::Close(out.read);
  }
}

}  // namespace

Ended RunProgram(const Command& command) {
  signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> env;
  for (const auto& [key, value] : command.env) env.push_back(key + "=" + value);
  const std::vector<char*> argv = Pointers(command.argv);
  const std::vector<char*> envp = Pointers(env);

  Pipe in;
  Pipe out(command.terminal);
  Pipe err;
  const long own_peak = PeakOf(getpid());
  const int pid = fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  // A pipe would be a text to search, even if nothing comes.
  if (pid == 0 && command.stdin_text.empty()) in.read = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (pid == 0) BecomeTheProgram(command, argv.data(), envp.data(), in.read, out.write, err.write);
  setpgid(pid, pid);
  Pipe::Close(in.read);
  Pipe::Close(out.write);
  Pipe::Close(err.write);
  if (command.while_running) command.while_running(pid);

  Ended ended;
  Converse(command, pid, in, out, err, ended);
  int status = 0;
  rusage usage{};
  wait4(pid, &status, 0, &usage);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The kernel counts the copy of us that fork made, too. What is no more than that says
  // nothing about the program; then what we saw while it ran has to do.
  if (usage.ru_maxrss > own_peak) ended.max_rss_kb = usage.ru_maxrss;
#else
  ended.max_rss_kb = 0;  // mostly the sanitizer's own
#endif
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

bool SomeProcessHas(const std::string& marker) {
  // A process may end while we read about it; then reading fails. A stream
  // buffer by itself would throw, and operator<< does not.
  std::error_code error;
  std::filesystem::directory_iterator entry("/proc", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    std::ostringstream line;
    line << std::ifstream(entry->path() / "cmdline", std::ios::binary).rdbuf();
    if (line.str().find(marker) != std::string::npos) return true;
  }
  return false;
}

}  // namespace forge::testing
