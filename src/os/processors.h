// On which processors threads run.
#pragma once

#include <thread>

namespace forge::os {

// Lets `thread` run on every processor that the calling thread may use, but not on this
// one, which is the caller's. For a helper that is about to be woken: on a virtual machine,
// Linux takes an idle processor for one that the host has taken away, and wakes the
// helper behind its caller on the caller's processor. It stays there until the next
// balancing of loads, 2 to 5 ms later, which is longer than most searches. Moved, it
// begins after 0.1 ms.
//
// For the same reason, a thread that waited for a helper may go on behind it. So who calls
// this asks from time to time whether it still runs where it did, and calls it again if not.
//
// Best effort: does nothing where there is only one processor, where the system forbids
// it, and on systems other than Linux.
void KeepOff(int processor, std::thread& thread);

// The number of the processor that the calling thread runs on; negative if it is not known.
int ThisProcessor();

}  // namespace forge::os
