#include "tests/testing/git.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace forge::testing {
namespace {

// An unnamed file in memory: unlike a pipe it is never full.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("git", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error("memfd_create failed");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }

  void Fill(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = write(fd_, text.data(), text.size());
      if (n <= 0) throw std::runtime_error("write failed");
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    lseek(fd_, 0, SEEK_SET);
  }

  std::string Content() const {
    std::string out(static_cast<std::size_t>(lseek(fd_, 0, SEEK_END)), '\0');
    if (pread(fd_, out.data(), out.size(), 0) < 0) throw std::runtime_error("read failed");
    return out;
  }

 private:
  int fd_;
};

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

std::string RunGit(const std::string& folder, const std::vector<std::string>& args, std::string_view input,
                   const std::string& home) {
  std::vector<std::string> argv = {"git", "-C", folder};
  argv.insert(argv.end(), args.begin(), args.end());
  const char* path = std::getenv("PATH");
  std::vector<std::string> env = {"PATH=" + std::string(path == nullptr ? "/usr/bin:/bin" : path), "HOME=" + home,
                                  "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"};
  MemoryFile in;
  MemoryFile out;
  MemoryFile err;
  in.Fill(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.fd(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.fd(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.fd(), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "git", &actions, nullptr, Pointers(argv).data(), Pointers(env).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start git");
  int status = 0;
  // A fuzzer has a timer; its signal must not look like the end of git.
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("cannot wait for git");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) throw std::runtime_error("git failed: " + err.Content());
  return out.Content();
}

namespace {

bool IsOldGit() {
  static const bool old = [] {
    const std::string text = RunGit("/", {"version"});  // "git version 2.39.5"
    int major = 0;
    int minor = 0;
    if (std::sscanf(text.c_str(), "git version %d.%d", &major, &minor) != 2) throw std::runtime_error(text);
    return major < 2 || (major == 2 && minor < 52);
  }();
  return old;
}

// One line: the stars right behind the literal beginning become one.
std::string LineForOldGit(std::string line) {
  const std::size_t begin = line.starts_with('!') ? 1 : 0;
  const std::size_t stars = line.find_first_of("*?[\\", begin);
  if (stars == std::string::npos || line[stars] != '*' || stars == begin || line[stars - 1] == '/') return line;
  const std::size_t end = std::min(line.find_first_not_of('*', stars), line.size());
  return line.substr(0, stars + 1) + line.substr(end);
}

}  // namespace

std::string RulesForThisGit(std::string_view rules) {
  if (!IsOldGit()) return std::string(rules);
  std::string out;
  while (!rules.empty()) {
    const std::size_t end = std::min(rules.find('\n'), rules.size());
    out += LineForOldGit(std::string(rules.substr(0, end)));
    if (end < rules.size()) out += '\n';
    rules.remove_prefix(std::min(end + 1, rules.size()));
  }
  return out;
}

std::vector<std::string> SplitNul(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace forge::testing
