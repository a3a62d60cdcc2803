// Every event with its name, for tests that go through all of them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "indexer/safety/safety.h"

namespace forge::index {

struct NamedEvent {
  Event event;
  std::string_view name;
};

// In the order of the enumeration.
inline constexpr auto kEvents = std::to_array<NamedEvent>({
    {Event::kCooldownExpired, "cooldown_expired"},
    {Event::kFileMissing, "file_missing"},
    {Event::kBelowThreshold, "below_threshold"},
    {Event::kAboveThreshold, "above_threshold"},
    {Event::kLockTimeout, "lock_timeout"},
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
    {Event::kMaintBudgetExceeded, "maint_budget_exceeded"},
    {Event::kReconcileStarted, "reconcile_started"},
    {Event::kReconcileCompleted, "reconcile_completed"},
    {Event::kReconcileFailed, "reconcile_failed"},
    {Event::kRenameAmbiguous, "rename_ambiguous"},
});
static_assert(kEvents.size() == static_cast<std::size_t>(Event::kRenameAmbiguous) + 1);

inline constexpr auto kAllEvents = [] {
  std::array<Event, kEvents.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kEvents[i].event;
  return all;
}();

inline std::string_view ToString(Event event) { return kEvents[static_cast<std::size_t>(event)].name; }

inline std::span<const Event> AllEvents() { return kAllEvents; }

}  // namespace forge::index
