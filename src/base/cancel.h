// What the library's own code needs from a CancelToken, in addition to its
// public part: a descriptor that becomes readable on cancellation (base/wake_event.h).
// A thread that waits in poll(2) for a child process or a server adds it, and so
// wakes at once.
//
//   pollfd waits[] = {{child, POLLIN, 0}, {WakeFd(deadline.cancel()), POLLIN, 0}};
//
// Thread-safe. The descriptor lives as long as any copy of the token.
#pragma once

#include "forge/cancel.h"

namespace forge {

struct CancelAccess {
  static int WakeFd(const CancelToken& token);
};

// -1, which poll(2) passes over, for a token that can never be cancelled.
inline int WakeFd(const CancelToken& token) { return CancelAccess::WakeFd(token); }

}  // namespace forge
