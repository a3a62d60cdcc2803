// The rows of the table of keys, by subject. Only keys.cc reads them; other code
// calls Keys().
#pragma once

#include <span>
#include <string_view>

#include "config/keys.h"

namespace forge::config {

inline constexpr std::string_view kSearch = "tools.search";
inline constexpr std::string_view kSandbox = "tools.sandbox";
inline constexpr std::string_view kMcp = "mcp";
inline constexpr std::string_view kServer = "server";
inline constexpr std::string_view kKeyword = "tools.keyword_search";

std::span<const Key> SearchRows();
std::span<const Key> IndexRows();  // part of [tools.search] too (CFG-LSI-IDX-01)
std::span<const Key> SandboxRows();
std::span<const Key> KeywordRows();
std::span<const Key> McpRows();
std::span<const Key> ServerRows();

}  // namespace forge::config
