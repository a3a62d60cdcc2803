// The names of states, reasons and events.
#include <array>

#include "indexer/safety/safety.h"

namespace forge::index {

std::string_view ToString(State state) {
  switch (state) {
    case State::kAbsent: return "ABSENT";
    case State::kBuilding: return "BUILDING";
    case State::kComplete: return "COMPLETE";
    case State::kUncertain: return "UNCERTAIN";
    case State::kCorrupt: return "CORRUPT";
    case State::kDisabled: return "DISABLED";
  }
  return "";
}

std::string_view ToString(Reason reason) {
  switch (reason) {
    case Reason::kNone: return "";
    case Reason::kIndexOff: return "INDEX_OFF";
    case Reason::kPersistenceNotPermitted: return "PERSISTENCE_NOT_PERMITTED";
    case Reason::kMemoryBudgetExceeded: return "MEMORY_BUDGET_EXCEEDED";
    case Reason::kBelowThreshold: return "BELOW_THRESHOLD";
    case Reason::kWatcherOverflow: return "WATCHER_OVERFLOW";
    case Reason::kWatcherOverflowDuringBuild: return "WATCHER_OVERFLOW_DURING_BUILD";
    case Reason::kWatcherDown: return "WATCHER_DOWN";
    case Reason::kEligibilityChanged: return "ELIGIBILITY_CHANGED";
    case Reason::kPolicyChanged: return "POLICY_CHANGED";
    case Reason::kEnumerationError: return "ENUMERATION_ERROR";
    case Reason::kRenameUncertain: return "RENAME_UNCERTAIN";
    case Reason::kOpenRequiresValidation: return "OPEN_REQUIRES_VALIDATION";
    case Reason::kBuildBudgetExceeded: return "BUILD_BUDGET_EXCEEDED";
    case Reason::kDirtyBacklog: return "DIRTY_BACKLOG";
    case Reason::kMaintBudgetExceeded: return "MAINT_BUDGET_EXCEEDED";
  }
  return "";
}

namespace {

struct Named {
  Event event;
  std::string_view name;
};

// In the order of the enumeration.
constexpr auto kEvents = std::to_array<Named>({
    {Event::kModeOff, "mode_off"},
    {Event::kModeOn, "mode_on"},
    {Event::kPersistenceNotPermitted, "persistence_not_permitted"},
    {Event::kCooldownExpired, "cooldown_expired"},
    {Event::kFileMissing, "file_missing"},
    {Event::kBelowThreshold, "below_threshold"},
    {Event::kAboveThreshold, "above_threshold"},
    {Event::kLockTimeout, "lock_timeout"},
    {Event::kKeyMismatch, "key_mismatch"},
    {Event::kIntegrityFailed, "integrity_failed"},
    {Event::kBuildStarted, "build_started"},
    {Event::kBuildCompleted, "build_completed"},
    {Event::kBuildBudgetExceeded, "build_budget_exceeded"},
    {Event::kBuildFailedClean, "build_failed_clean"},
    {Event::kBuildFailedPartial, "build_failed_partial"},
    {Event::kOpened, "opened"},
    {Event::kWatcherStarted, "watcher_started"},
    {Event::kWatcherOverflow, "watcher_overflow"},
    {Event::kWatcherDown, "watcher_down"},
    {Event::kIgnoreChanged, "ignore_changed"},
    {Event::kPolicyChanged, "policy_changed"},
    {Event::kEnumerationError, "enumeration_error"},
    {Event::kEvicted, "evicted"},
    {Event::kMemoryExceeded, "memory_exceeded"},
    {Event::kDirtyApplied, "dirty_applied"},
    {Event::kDirtyBacklog, "dirty_backlog"},
    {Event::kMaintBudgetExceeded, "maint_budget_exceeded"},
    {Event::kQueueDrained, "queue_drained"},
    {Event::kReconcileStarted, "reconcile_started"},
    {Event::kReconcileCompleted, "reconcile_completed"},
    {Event::kReconcileFailed, "reconcile_failed"},
    {Event::kRenameApplied, "rename_applied"},
    {Event::kRenameAmbiguous, "rename_ambiguous"},
});
static_assert(kEvents.size() == static_cast<std::size_t>(Event::kRenameAmbiguous) + 1);

constexpr auto kAllEvents = [] {
  std::array<Event, kEvents.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kEvents[i].event;
  return all;
}();

}  // namespace

std::string_view ToString(Event event) { return kEvents[static_cast<std::size_t>(event)].name; }

std::span<const Event> AllEvents() { return kAllEvents; }

}  // namespace forge::index
