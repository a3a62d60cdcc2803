// The six states of an index, and the reasons for two of them.
//
// Which state may follow which, and why, is the table in indexer/safety/safety.h.
// The reasons are those of Appendix D, in the order of P2. Words of it that are not
// among them have no cause in this program; docs/index-internals.md names them.
#pragma once

#include "forge/index.h"

namespace forge::index {

using State = IndexState;
using Reason = IndexReason;

}  // namespace forge::index
