#include "base/names.h"

#include <iterator>

namespace forge {
namespace {

constexpr std::string_view kModes[] = {"off", "auto", "on"};
constexpr std::string_view kStorages[] = {"memory", "sqlite"};
constexpr std::string_view kStructures[] = {"postings", "bloom"};
constexpr std::string_view kChecks[] = {"off", "on_open", "periodic"};
constexpr std::string_view kProviders[] = {"openai", "openai-responses", "anthropic"};
constexpr std::string_view kStates[] = {"ABSENT", "BUILDING", "COMPLETE", "UNCERTAIN", "CORRUPT", "DISABLED"};
constexpr std::string_view kReasons[] = {
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
};
constexpr std::string_view kPhases[] = {"", "ENUMERATE", "TOKENIZE", "PERSIST", "ACTIVATE"};
constexpr std::string_view kStorageFallbacks[] = {"INSIDE_INDEX_ROOT", "DENIED_PATTERN", "PERMISSION_DENIED",
                                                  "NOT_CREATABLE",     "DISK_FULL",      "UNSUPPORTED_SQLITE"};
constexpr std::string_view kBypasses[] = {"INDEX_OFF",          "NO_INDEX_ROOT",    "KEY_DIFFERS",
                                          "REMOTE_FILE_SYSTEM", "NO_REQUIRED_GRAM", "NAMED_FILE"};
constexpr std::string_view kMaintenanceActions[] = {"BYPASS_EXCLUSION"};
static_assert(std::size(kStates) == static_cast<std::size_t>(IndexState::kDisabled) + 1);
static_assert(std::size(kReasons) == static_cast<std::size_t>(IndexReason::kMaintBudgetExceeded) + 1);
static_assert(std::size(kPhases) == static_cast<std::size_t>(IndexPhase::kActivate) + 1);
static_assert(std::size(kStorageFallbacks) == static_cast<std::size_t>(StorageFallback::kUnsupportedSqlite) + 1);
static_assert(std::size(kBypasses) == static_cast<std::size_t>(Bypass::kNamedFile) + 1);
constexpr std::string_view kFallbackReasons[] = {"LITERAL_NO_MATCHES"};
constexpr std::string_view kFallbackSkips[] = {"PATTERN_TOO_SHORT", "CAPABILITY_MISSING", "BUDGET_EXHAUSTED"};

template <typename Enum>
std::string_view NameOf(Enum value) {
  return NamesOf<Enum>()[static_cast<std::size_t>(value)];
}

}  // namespace

template <>
std::span<const std::string_view> NamesOf<IndexMode>() {
  return kModes;
}
template <>
std::span<const std::string_view> NamesOf<IndexStorage>() {
  return kStorages;
}
template <>
std::span<const std::string_view> NamesOf<TokenStructure>() {
  return kStructures;
}
template <>
std::span<const std::string_view> NamesOf<IntegrityCheck>() {
  return kChecks;
}
template <>
std::span<const std::string_view> NamesOf<ServerMode>() {
  return kModes;
}
template <>
std::span<const std::string_view> NamesOf<Provider>() {
  return kProviders;
}
template <>
std::span<const std::string_view> NamesOf<IndexState>() {
  return kStates;
}
template <>
std::span<const std::string_view> NamesOf<IndexReason>() {
  return kReasons;
}
template <>
std::span<const std::string_view> NamesOf<IndexPhase>() {
  return kPhases;
}
template <>
std::span<const std::string_view> NamesOf<StorageFallback>() {
  return kStorageFallbacks;
}
template <>
std::span<const std::string_view> NamesOf<Bypass>() {
  return kBypasses;
}
template <>
std::span<const std::string_view> NamesOf<MaintenanceAction>() {
  return kMaintenanceActions;
}
template <>
std::span<const std::string_view> NamesOf<FallbackReason>() {
  return kFallbackReasons;
}
template <>
std::span<const std::string_view> NamesOf<FallbackSkip>() {
  return kFallbackSkips;
}

std::string_view Name(IndexMode mode) { return NameOf(mode); }
std::string_view Name(IndexStorage storage) { return NameOf(storage); }
std::string_view Name(TokenStructure structure) { return NameOf(structure); }
std::string_view Name(IntegrityCheck check) { return NameOf(check); }
std::string_view Name(ServerMode mode) { return NameOf(mode); }
std::string_view Name(Provider provider) { return NameOf(provider); }
std::string_view Name(IndexState state) { return NameOf(state); }
std::string_view Name(IndexReason reason) { return NameOf(reason); }
std::string_view Name(IndexPhase phase) { return NameOf(phase); }
std::string_view Name(StorageFallback reason) { return NameOf(reason); }
std::string_view Name(Bypass bypass) { return NameOf(bypass); }
std::string_view Name(const BypassReason& reason) {
  return std::visit([](const auto value) { return NameOf(value); }, reason);
}
std::string_view Name(MaintenanceAction action) { return NameOf(action); }
std::string_view Name(FallbackReason reason) { return NameOf(reason); }
std::string_view Name(FallbackSkip skip) { return NameOf(skip); }

}  // namespace forge
