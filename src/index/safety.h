// Whether the index may be believed: six states, one table, one pure function.
//
// A machine holds a set of open causes of doubt. The state shown is the most
// severe, and COMPLETE is reached only when the set is empty (F4): so a second
// cause is never forgotten when the first is resolved. What may happen is an
// Event; Next() applies the transition table of LSI 4.2.2 with the rows that
// were missing (F1 to F7) and the precedence P1 to P4.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>

namespace forge::index {

enum class State { kAbsent, kBuilding, kComplete, kUncertain, kCorrupt, kDisabled };

// Appendix D, in the order of P2: the first of several is the one shown.
enum class Reason {
  kNone,
  // of DISABLED
  kIndexOff,
  kPersistenceNotPermitted,
  kBelowThreshold,
  kMemoryBudgetExceeded,
  // of UNCERTAIN
  kOpenRequiresValidation,
  kWatcherOverflow,
  kWatcherOverflowDuringBuild,
  kWatcherDown,
  kEligibilityChanged,
  kPolicyChanged,
  kEnumerationError,
  kRenameUncertain,
  kBuildBudgetExceeded,
  kDirtyBacklog,
  kMaintBudgetExceeded,
};

std::string_view ToString(State state);
std::string_view ToString(Reason reason);  // "WATCHER_OVERFLOW"; "" for kNone

enum class Event {
  kModeOff,
  kModeOn,  // reconfigured from off
  kPersistenceNotPermitted,
  kCooldownExpired,
  kFileMissing,
  kBelowThreshold,
  kAboveThreshold,  // re-evaluated while DISABLED/BELOW_THRESHOLD
  kLockTimeout,
  kKeyMismatch,
  kIntegrityFailed,
  kBuildStarted,
  kBuildCompleted,
  kBuildBudgetExceeded,
  kBuildFailedClean,
  kBuildFailedPartial,
  kOpened,
  kWatcherStarted,
  kWatcherOverflow,
  kWatcherDown,
  kIgnoreChanged,
  kPolicyChanged,
  kEnumerationError,
  kEvicted,
  kMemoryExceeded,
  kDirtyApplied,  // dirty at the start of a call, brought up to date in budget
  kDirtyBacklog,
  kMaintBudgetExceeded,
  kQueueDrained,
  kReconcileStarted,
  kReconcileCompleted,
  kReconcileFailed,
  kRenameApplied,
  kRenameAmbiguous,
};
std::string_view ToString(Event event);
std::span<const Event> AllEvents();

struct Safety {
  State state = State::kAbsent;
  std::set<Reason> causes;       // of UNCERTAIN, or collected while BUILDING (F3)
  Reason disabled = Reason::kNone;  // of DISABLED
  std::uint64_t coverage_epoch = 0;

  // The one shown; kNone if there is none.
  Reason reason() const;
  friend bool operator==(const Safety&, const Safety&) = default;
};

// One thing happened.
Safety Next(const Safety& safety, Event event);

// Several at once: P1 to P4, whatever their order.
Safety Next(const Safety& safety, std::span<const Event> events);

// The exclusion gate, the only one (FR-LSI-SAFE-02, P3).
bool MayExclude(const Safety& safety);

}  // namespace forge::index
