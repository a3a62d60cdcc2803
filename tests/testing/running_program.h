// A program to talk to while it runs.
//
//   RunningProgram server(command);
//   server.Write("one\n");
//   server.ReadLine();                 // waits for it
//   until server.AllThreadsSleep() ...
//
// No shell; the environment is exactly the command's; standard error is the
// test's. The whole process group is killed at the end of the object's life.
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

  explicit RunningProgram(const Command& command);  // of which it uses argv, env and cwd
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // As much as the program takes without waiting for it.
  std::size_t WriteSome(std::string_view bytes);
  // All of it; false if the program does not take it in time.
  bool Write(std::string_view bytes);
  // A line without its line feed; nothing at the end of the output, or if none
  // comes in time.
  std::optional<std::string> ReadLine();

  void CloseInput();
  void Signal(int number) const;
  // The exit code; -1 if it was a signal, or took too long.
  int Wait();
  // Whether it ends in this time; it can still be killed or waited for.
  bool EndsWithin(std::chrono::microseconds time) const;
  // kill -9; whether that, and not its own end, ended it.
  bool Kill();

  // Nothing of it runs or waits for a disk.
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
