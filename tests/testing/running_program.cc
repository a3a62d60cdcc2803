#include "tests/testing/running_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace forge::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Whether the descriptor is ready before `end`.
bool Await(int fd, short what, Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  pollfd one{fd, what, 0};
  return left > 0 && poll(&one, 1, static_cast<int>(left)) > 0;
}

// The fields after the name, which may contain anything: "S 1 2 ...".
std::string StatOf(const std::filesystem::path& folder) {
  std::ostringstream text;
  text << std::ifstream(folder / "stat").rdbuf();
  const std::size_t name_end = text.str().rfind(") ");
  return name_end == std::string::npos ? "" : text.str().substr(name_end + 2);
}

}  // namespace

RunningProgram::RunningProgram(const Command& command) {
  signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> env;
  for (const auto& [key, value] : command.env) env.push_back(key + "=" + value);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (!command.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, command.cwd.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own
  const int error = posix_spawn(&pid_, command.argv[0].c_str(), &actions, &attributes, Pointers(command.argv).data(),
                                Pointers(env).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  out_ = out[0];
  if (error != 0) throw std::runtime_error("cannot start " + command.argv[0]);
  fcntl(in_, F_SETFL, O_NONBLOCK);
}

RunningProgram::~RunningProgram() {
  CloseInput();
  close(out_);
  Kill();
}

std::size_t RunningProgram::WriteSome(std::string_view bytes) {
  const ssize_t n = write(in_, bytes.data(), bytes.size());
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

bool RunningProgram::Write(std::string_view bytes) {
  const auto end = Clock::now() + kPatience;
  while (!bytes.empty()) {
    if (!Await(in_, POLLOUT, end)) return false;
    bytes.remove_prefix(WriteSome(bytes));
  }
  return true;
}

std::optional<std::string> RunningProgram::ReadLine() {
  const auto end = Clock::now() + kPatience;
  for (;;) {
    if (const std::size_t feed = read_.find('\n'); feed != std::string::npos) {
      std::string line = read_.substr(0, feed);
      read_.erase(0, feed + 1);
      return line;
    }
    if (!Await(out_, POLLIN, end)) return std::nullopt;
    std::array<char, 65536> buffer{};
    const ssize_t n = read(out_, buffer.data(), buffer.size());
    if (n <= 0) return std::nullopt;
    read_.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

void RunningProgram::CloseInput() {
  if (in_ >= 0) close(in_);
  in_ = -1;
}

void RunningProgram::Signal(int number) const { kill(pid_, number); }

int RunningProgram::Wait() {
  const auto end = Clock::now() + kPatience;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > end) return -1;
    usleep(1000);
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool RunningProgram::EndsWithin(std::chrono::microseconds time) const {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (handle < 0) throw std::runtime_error("pidfd_open failed");
  pollfd entry{handle, POLLIN, 0};
  const timespec most{static_cast<time_t>(time.count() / 1'000'000),
                      static_cast<long>(time.count() % 1'000'000 * 1000)};
  const bool ended = ppoll(&entry, 1, &most, nullptr) == 1;
  close(handle);
  return ended;
}

bool RunningProgram::Kill() {
  if (pid_ < 0) return false;
  kill(-pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

bool RunningProgram::AllThreadsSleep() const {
  std::error_code error;
  std::filesystem::directory_iterator thread("/proc/" + std::to_string(pid_) + "/task", error);
  for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
    const std::string stat = StatOf(thread->path());
    if (!stat.empty() && stat[0] != 'S') return false;  // empty: it has just ended
  }
  return !error;
}

long RunningProgram::rss_kb() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  }
  return -1;
}

long RunningProgram::cpu_ticks() const {
  std::istringstream fields(StatOf("/proc/" + std::to_string(pid_)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;  // up to cmajflt
  long user = 0;
  long system = 0;
  fields >> user >> system;
  return user + system;
}

}  // namespace forge::testing
