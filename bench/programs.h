// Runs other programs for comparison: how long, how much processor time and
// memory.
#pragma once

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double Milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

struct Query {
  std::string name;
  std::string flags;  // -i or -s
  std::string pattern;
};

// Lines of name, flags and pattern between tabs; '#' begins a comment.
inline std::vector<Query> ReadQueries(const char* file) {
  std::vector<Query> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Query& query = out.emplace_back();
    std::getline(fields, query.name, '\t');
    std::getline(fields, query.flags, '\t');
    std::getline(fields, query.pattern, '\t');
  }
  return out;
}

inline std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

struct Cost {
  double wall_ms = 0;
  double cpu_ms = 0;
  double peak_mb = 0;  // of its largest process
};

// Runs a shell command, with everything that it starts. It does not fork: after
// a fork, this process would pay with a page fault for each page that it writes
// to.
inline Cost Run(const std::string& command) {
  const auto start = Clock::now();
  std::string shell = "sh";
  std::string option = "-c";
  std::string text = command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ) != 0) std::perror("posix_spawn");
  rusage usage{};
  int status = 0;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) std::perror("wait4");
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return {Milliseconds(start), ms(usage.ru_utime) + ms(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

inline bool Installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

struct Times {
  std::vector<double> ms;
  void Add(double t) { ms.insert(std::upper_bound(ms.begin(), ms.end(), t), t); }
  double best() const { return ms.empty() ? 0 : ms.front(); }
  double median() const { return ms.empty() ? 0 : ms[ms.size() / 2]; }
};

}  // namespace bench
