// Starts a program that outlives this one.
//
// The program gets a session of its own, the folder / and exactly the environment
// given. It inherits nothing else: its input and its errors are /dev/null, its
// output is a pipe to us, and every other descriptor is closed. So no reader of
// our own output waits for it, and no terminal ends it. It is not our child:
// nobody has to wait for its end.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"
#include "os/file.h"

namespace forge::os {

struct DetachedProgram {
  std::string program;            // absolute path
  std::vector<std::string> args;  // without argv[0]
  std::vector<std::string> env;   // "NAME=value"
};

// Starts the program and waits for the first line that it prints, which says that
// it is ready. Returns that line, without its end; "" if the program ended or
// closed its output first. ETIMEDOUT, ECANCELED: it runs, but has said nothing
// so far. ENOTSUP: this system cannot do that.
OsResult<std::string> StartDetached(const DetachedProgram& program, const Deadline& deadline);

}  // namespace forge::os
