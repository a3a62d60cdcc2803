#include "base/names.h"

namespace forge {
namespace {

constexpr std::string_view kModes[] = {"off", "auto", "on"};
constexpr std::string_view kStorages[] = {"memory", "sqlite"};
constexpr std::string_view kStructures[] = {"postings", "bloom"};
constexpr std::string_view kChecks[] = {"off", "on_open", "periodic"};
constexpr std::string_view kProviders[] = {"openai", "openai-responses", "anthropic"};
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
std::span<const std::string_view> NamesOf<Provider>() {
  return kProviders;
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
std::string_view Name(Provider provider) { return NameOf(provider); }
std::string_view Name(FallbackReason reason) { return NameOf(reason); }
std::string_view Name(FallbackSkip skip) { return NameOf(skip); }

}  // namespace forge
