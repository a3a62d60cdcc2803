#include "index/snapshot/state.h"

#include <algorithm>
#include <array>

namespace forge::index {
namespace {

// In the order of the enumerations.
constexpr auto kStates = std::to_array<std::string_view>({
    "ABSENT",
    "BUILDING",
    "COMPLETE",
    "UNCERTAIN",
    "CORRUPT",
    "DISABLED",
});
static_assert(kStates.size() == static_cast<std::size_t>(State::kDisabled) + 1);

constexpr auto kReasons = std::to_array<std::string_view>({
    "",
    "MEMORY_BUDGET_EXCEEDED",
    "BELOW_THRESHOLD",
    "WATCHER_OVERFLOW",
    "WATCHER_OVERFLOW_DURING_BUILD",
    "WATCHER_DOWN",
    "ELIGIBILITY_CHANGED",
    "POLICY_CHANGED",
    "ENUMERATION_ERROR",
    "RENAME_UNCERTAIN",
    "OPEN_REQUIRES_VALIDATION",
    "BUILD_BUDGET_EXCEEDED",
    "MAINT_BUDGET_EXCEEDED",
});
static_assert(kReasons.size() == static_cast<std::size_t>(Reason::kMaintBudgetExceeded) + 1);

template <typename Enum, typename Names>
std::optional<Enum> Named(const Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view ToString(State state) { return kStates[static_cast<std::size_t>(state)]; }
std::string_view ToString(Reason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::optional<State> StateNamed(std::string_view name) { return Named<State>(kStates, name); }
std::optional<Reason> ReasonNamed(std::string_view name) { return Named<Reason>(kReasons, name); }

}  // namespace forge::index
