// Every trigger with its name, for tests that go through all of them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "indexer/safety/safety.h"

namespace forge::index {

struct NamedTrigger {
  Trigger trigger;
  std::string_view name;
};

// In the order of the enumeration.
inline constexpr auto kTriggers = std::to_array<NamedTrigger>({
    {Trigger::kCooldownExpired, "cooldown_expired"},
    {Trigger::kFileMissing, "file_missing"},
    {Trigger::kBelowThreshold, "below_threshold"},
    {Trigger::kAboveThreshold, "above_threshold"},
    {Trigger::kIntegrityFailed, "integrity_failed"},
    {Trigger::kBuildStarted, "build_started"},
    {Trigger::kBuildCompleted, "build_completed"},
    {Trigger::kBuildBudgetExceeded, "build_budget_exceeded"},
    {Trigger::kBuildFailedClean, "build_failed_clean"},
    {Trigger::kBuildFailedPartial, "build_failed_partial"},
    {Trigger::kOpened, "opened"},
    {Trigger::kWatcherStarted, "watcher_started"},
    {Trigger::kWatcherOverflow, "watcher_overflow"},
    {Trigger::kWatcherDown, "watcher_down"},
    {Trigger::kIgnoreChanged, "ignore_changed"},
    {Trigger::kPolicyChanged, "policy_changed"},
    {Trigger::kEnumerationError, "enumeration_error"},
    {Trigger::kEvicted, "evicted"},
    {Trigger::kMemoryExceeded, "memory_exceeded"},
    {Trigger::kDirtyApplied, "dirty_applied"},
    {Trigger::kMaintBudgetExceeded, "maint_budget_exceeded"},
    {Trigger::kReconcileStarted, "reconcile_started"},
    {Trigger::kReconcileCompleted, "reconcile_completed"},
    {Trigger::kReconcileFailed, "reconcile_failed"},
    {Trigger::kRenameAmbiguous, "rename_ambiguous"},
});
static_assert(kTriggers.size() == static_cast<std::size_t>(Trigger::kRenameAmbiguous) + 1);

inline constexpr auto kAllTriggers = [] {
  std::array<Trigger, kTriggers.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kTriggers[i].trigger;
  return all;
}();

inline std::string_view ToString(Trigger trigger) { return kTriggers[static_cast<std::size_t>(trigger)].name; }

inline std::span<const Trigger> AllTriggers() { return kAllTriggers; }

}  // namespace forge::index
