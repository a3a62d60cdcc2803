// The six states of an index, and the reasons for two of them.
//
// Which state may follow which, and why, is the table in indexer/safety/safety.h.
// The words are those of `stats`, of `index status` and of the store.
#pragma once

#include <optional>
#include <string_view>

namespace forge::index {

enum class State { kAbsent, kBuilding, kComplete, kUncertain, kCorrupt, kDisabled };

// Appendix D, in the order of P2: of several reasons, the first is shown.
// Reasons that are not here cannot occur in this program; docs/index.md names
// them.
enum class Reason {
  kNone,
  // reasons of DISABLED
  kMemoryBudgetExceeded,
  kBelowThreshold,
  // reasons of UNCERTAIN
  kWatcherOverflow,
  kWatcherOverflowDuringBuild,
  kWatcherDown,
  kEligibilityChanged,
  kPolicyChanged,
  kEnumerationError,
  kRenameUncertain,
  kOpenRequiresValidation,
  kBuildBudgetExceeded,
  kMaintBudgetExceeded,
};

std::string_view ToString(State state);    // "COMPLETE"
std::string_view ToString(Reason reason);  // "WATCHER_OVERFLOW"; "" for kNone

// The reverse; nothing for any other word.
std::optional<State> StateNamed(std::string_view name);
std::optional<Reason> ReasonNamed(std::string_view name);

}  // namespace forge::index
