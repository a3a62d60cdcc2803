// The rows of the table of keys, by subject. Only keys.cc reads them: everybody
// else asks Keys().
#pragma once

#include <span>
#include <string_view>

#include "config/keys.h"

namespace forge::config {

inline constexpr std::string_view kSearch = "tools.search";
inline constexpr std::string_view kSandbox = "tools.sandbox";

std::span<const Key> SearchRows();
std::span<const Key> IndexRows();  // of [tools.search] too (CFG-LSI-IDX-01)
std::span<const Key> SandboxRows();

}  // namespace forge::config
