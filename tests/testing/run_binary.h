// Runs a program as a user would, and reports everything about its end.
//
// No shell. The environment is exactly `env`, so the home folder of the tester
// cannot change a result. We collect output while the program runs, so a full
// pipe never blocks it. At the deadline we kill its process group.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forge::testing {

struct Command {
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string stdin_text;
  std::string cwd;
  bool terminal = false;                          // standard output is a terminal
  std::optional<unsigned> uid;                    // become this user (and group) first
  std::chrono::milliseconds deadline{60000};      // generous: the tests share two cores
  std::optional<std::size_t> close_stdout_after;  // bytes; then the pipe is closed, as `head` does
  std::function<void(int pid)> while_running;     // called once, right after the start
};

struct Ended {
  int exit_code = -1;  // -1 if a signal ended it
  int signal = 0;
  bool overran = false;  // killed at the deadline
  std::string out;
  std::string err;
  long max_rss_kb = 0;  // 0 with a sanitizer
};

Ended RunProgram(const Command& command);

// Whether a process lives whose command line contains `marker`.
bool SomeProcessHas(const std::string& marker);

}  // namespace forge::testing
