#include "tests/testing/running_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <stdexcept>

namespace forge::testing {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env) {
  signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> variables;
  for (const auto& [key, value] : env) variables.push_back(key + "=" + value);
  const std::vector<char*> arguments = Pointers(argv);
  const std::vector<char*> environment = Pointers(variables);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    dup2(ends[0], 0);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    execve(arguments[0], arguments.data(), environment.data());
    _exit(127);
  }
  close(ends[0]);
  close(nowhere);
  stdin_ = ends[1];
  handle_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (handle_ < 0) throw std::runtime_error("pidfd_open failed");
}

RunningProgram::~RunningProgram() {
  Kill();
  close(stdin_);
  close(handle_);
}

void RunningProgram::Say(const std::string& text) const {
  // It may be dead already; then nobody listens.
  [[maybe_unused]] const ssize_t written = write(stdin_, text.data(), text.size());
}

bool RunningProgram::EndsWithin(std::chrono::microseconds time) const {
  pollfd entry{handle_, POLLIN, 0};
  const timespec most{static_cast<time_t>(time.count() / 1'000'000),
                      static_cast<long>(time.count() % 1'000'000 * 1000)};
  return ppoll(&entry, 1, &most, nullptr) == 1;
}

bool RunningProgram::Kill() {
  if (pid_ <= 0) return false;
  kill(pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

}  // namespace forge::testing
