// The words of public enums, for code that reads them from text or lists them.
// Name(value), in the public headers, is the other direction.
//
//   NamesOf<IndexMode>()           {"off", "auto", "on"}
//   FromName<IndexMode>("auto")    IndexMode::kAuto
//   FromName<IndexMode>("maybe")   nothing
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "forge/config.h"
#include "forge/index.h"
#include "forge/search.h"

namespace forge {

// In the order of the enum, whose values are 0, 1, 2 and so on.
template <typename Enum>
std::span<const std::string_view> NamesOf();
template <>
std::span<const std::string_view> NamesOf<IndexMode>();
template <>
std::span<const std::string_view> NamesOf<IndexStorage>();
template <>
std::span<const std::string_view> NamesOf<TokenStructure>();
template <>
std::span<const std::string_view> NamesOf<IntegrityCheck>();
template <>
std::span<const std::string_view> NamesOf<ServerMode>();
template <>
std::span<const std::string_view> NamesOf<Provider>();
template <>
std::span<const std::string_view> NamesOf<IndexState>();
template <>
std::span<const std::string_view> NamesOf<IndexReason>();
template <>
std::span<const std::string_view> NamesOf<IndexPhase>();
template <>
std::span<const std::string_view> NamesOf<StorageFallback>();
template <>
std::span<const std::string_view> NamesOf<Bypass>();
template <>
std::span<const std::string_view> NamesOf<MaintenanceAction>();
template <>
std::span<const std::string_view> NamesOf<FallbackReason>();
template <>
std::span<const std::string_view> NamesOf<FallbackSkip>();

template <typename Enum>
std::optional<Enum> FromName(std::string_view name) {
  const std::span<const std::string_view> names = NamesOf<Enum>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// The name of what is there.
template <typename T>
std::string_view NameOr(const std::optional<T>& value, std::string_view otherwise) {
  return value ? Name(*value) : otherwise;
}

}  // namespace forge
