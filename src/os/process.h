// Child processes: no shell, no input, and none is left behind.
//
// A child gets /dev/null as input, exactly the environment given, its own
// process group, and dies with its parent (PR_SET_PDEATHSIG). However it ends,
// Run() reaps the child and kills its whole group before it returns. Closing the
// child's pipe would not be enough: a searcher that prints nothing does not notice
// (measured: 13 s and more).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "os/file.h"

namespace forge::os {

struct Command {
  std::string program;            // absolute path
  std::vector<std::string> args;  // without argv[0]
  std::vector<std::string> env;   // "NAME=value"
  int folder = -1;                // descriptor of the working folder; -1: ours
  // How much memory of its own it may have, in bytes; 0: as much as we may. It
  // counts what the child can write to and does not share: heap and stacks, not
  // mapped files (RLIMIT_DATA).
  std::uint64_t max_memory = 0;
};

struct RunOutcome {
  enum class End {
    kExited,    // by itself; `exit_code` or `signal` is set
    kStopped,   // the sink had enough, or what looks after the child stopped it
    kDeadline,  // killed at the deadline
    kCancelled,
  };
  End end = End::kExited;
  int exit_code = 0;
  int signal = 0;           // 0 unless it died by one
  std::string stderr_text;  // the first stderr_limit bytes
  bool stderr_cut = false;
};

// Receives standard output piece by piece; false stops the child.
using OutputSink = std::function<bool(std::string_view)>;

// Looks after a child that takes long: called after kFirstLook, and then each
// time that the child has run twice as long; false stops the child.
using LookAfter = std::function<bool()>;

inline constexpr std::size_t kStderrLimit = 64 * 1024;
inline constexpr std::chrono::milliseconds kFirstLook{500};

// Runs the command to its end. Fails if it cannot be started. Fails with ECHILD
// if its status is lost because this process ignores SIGCHLD.
OsResult<RunOutcome> Run(const Command& command, const Deadline& deadline, const OutputSink& sink,
                         const LookAfter& look_after = {});

// The path of the running program; "" if it is not known.
std::string OwnPath();

// The state of the file that runs, also when another file has its name by now.
OsResult<FileInfo> OwnFile();

// The absolute path of `name`: itself if it has a slash, else the first
// executable of that name on `search_path` (in the form of $PATH).
std::optional<std::string> FindProgram(const std::string& name, std::string_view search_path);

}  // namespace forge::os
