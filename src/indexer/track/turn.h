// How long one caller may work on changes, and whether that was enough.
#pragma once

#include <atomic>

#include "base/deadline.h"

namespace forge::indexer {

// Over at a time, or when a search waits for the mutex.
struct Turn {
  Deadline deadline;
  const std::atomic<int>* waiting = nullptr;  // ends the turn when it is not 0; may be null

  bool over() const { return (waiting != nullptr && *waiting > 0) || deadline.over(); }
};

enum class TurnEnd {
  kDone,      // nothing is left
  kTooShort,  // the next turn goes on where this one ended
};

}  // namespace forge::indexer
