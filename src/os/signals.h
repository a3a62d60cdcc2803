// Signals of a command-line process.
#pragma once

#include "forge/cancel.h"

namespace forge::os {

// The first SIGINT or SIGTERM cancels `stop`, the second ends the process at
// once. A closed pipe becomes a failed write instead of a signal. `stop` must
// outlive the process' use of signals.
void HandleSignals(CancelSource& stop);

// The signal that arrived; 0 if none did.
int SignalReceived();

}  // namespace forge::os
