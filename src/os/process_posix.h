// The parts of starting a process that Linux and macOS do differently.
#pragma once

#include <sys/types.h>

#include "os/file.h"

namespace forge::os {

struct Pipe {
  Fd read;
  Fd write;
};
// No program that we start inherits it.
OsResult<Pipe> MakePipe();

// In the child, which may only make system calls: it ends with its parent, where the
// system can do that.
void DieWithParent();

// A descriptor that is readable when the process has ended; -1: the system has none.
int OpenProcessEnd(pid_t process);

// Closes every descriptor from `first` on; for a child, as above.
void CloseFrom(int first);

}  // namespace forge::os
