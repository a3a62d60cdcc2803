// A running program that a test can talk to.
//
//   RunningProgram server(command);
//   server.Write("one\n");
//   server.ReadLine();                 // waits for it
//   until server.AllThreadsSleep() ...
//
// No shell; the environment is exactly the command's; standard error is the
// test's. The destructor kills the whole process group.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "tests/testing/run_binary.h"

namespace forge::testing {

class RunningProgram {
 public:
  static constexpr std::chrono::seconds kPatience{60};  // generous: the tests share two cores

  explicit RunningProgram(const Command& command);  // uses only its argv, env and cwd
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // Writes as much as the program takes without waiting for it.
  std::size_t WriteSome(std::string_view bytes);
  // Writes all of it; false if the program does not take it in time.
  bool Write(std::string_view bytes);
  // A line without its line feed; nothing at the end of the output, or if no
  // line comes in time.
  std::optional<std::string> ReadLine();

  void CloseInput();
  void Signal(int number) const;
  // The exit code; -1 if a signal ended it, or it took too long.
  int Wait();
  // Whether it ends in this time; if not, the test can still kill it or wait.
  bool EndsWithin(std::chrono::microseconds time) const;
  // kill -9; true if that ended it, and not the program itself.
  bool Kill();

  // No thread of it runs or waits for a disk.
  bool AllThreadsSleep() const;
  long rss_kb() const;     // now
  long cpu_ticks() const;  // used so far, of sysconf(_SC_CLK_TCK) a second

 private:
  int pid_ = -1;  // -1 once it was waited for
  int in_ = -1;
  int out_ = -1;
  std::string read_;  // not yet taken as lines
};

}  // namespace forge::testing
