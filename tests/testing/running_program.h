// A program that runs beside the test, until it ends or is killed.
//
//   RunningProgram server({binary, "mcp"}, {{"PATH", "/usr/bin"}});
//   server.Say(handshake);
//   if (!server.EndsWithin(std::chrono::milliseconds(20))) server.Kill();
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace forge::testing {

class RunningProgram {
 public:
  // No shell, exactly this environment; what it writes is thrown away.
  RunningProgram(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // To its standard input.
  void Say(const std::string& text) const;

  // Waits for its end at most this long.
  bool EndsWithin(std::chrono::microseconds time) const;

  // kill -9; whether that, and not its own end, ended it.
  bool Kill();

 private:
  int pid_ = 0;
  int handle_ = -1;
  int stdin_ = -1;
};

}  // namespace forge::testing
