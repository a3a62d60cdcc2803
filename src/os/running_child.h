// What running a child has in common on all systems: when it is looked after, and when
// it ends. A system's file has the rest (process_posix.cc, process_win.cc).
#pragma once

#include <string_view>

#include "base/deadline.h"
#include "os/process.h"

namespace forge::os {

class RunningChild {
 public:
  RunningChild() = default;
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;
  virtual ~RunningChild() = default;

  // Ends when the child has exited and its output is read. A grandchild that holds the
  // pipes open does not matter, nor does a child that closed them.
  OsResult<RunOutcome> Wait(const Deadline& deadline, const OutputSink& sink, const LookAfter& look_after);

 protected:
  enum class Next {
    kGoOn,
    kEnough,  // the sink wants no more
    kEnded,   // the child has exited, and nothing of its output is left
  };

  void KeepStderr(std::string_view piece);

  RunOutcome outcome_;

 private:
  // Waits for output or the end of the child, until the deadline, and passes on what
  // has come.
  virtual Next Step(const Deadline& deadline, const OutputSink& sink) = 0;

  // Ends the child and all that it started, and completes `outcome_`. An error if it is
  // not known how the child ended.
  virtual OsResult<bool> End() = 0;

  OsResult<RunOutcome> Finish(RunOutcome::End end);
};

}  // namespace forge::os
