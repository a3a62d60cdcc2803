// Waiting that ends early.
#pragma once

#include <chrono>

#include "base/deadline.h"

namespace forge::os {

// Waits for `time`. False if the deadline or a cancellation came first; then it
// returns at once.
bool WaitFor(std::chrono::milliseconds time, const Deadline& deadline);

}  // namespace forge::os
