// One validated configuration.
//
// The structs hold what was decided, with the specification's defaults
// (LS section 5). Where each value came from is kept beside them, for `doctor`
// and `config print`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace forge {

struct SearchConfig {
  std::optional<bool> enabled;  // absent: each front door has its own default
  std::string binary = "ugrep";
  std::string fallback_binary = "rg";
  std::int64_t default_timeout_ms = 20000;
  std::int64_t default_max_results = 200;
  std::int64_t max_matches_per_file = 50;
  std::int64_t max_files = 10000;
  std::int64_t max_file_size_bytes = 2000000;
  std::int64_t content_max_bytes = 10000;
};

struct SandboxConfig {
  std::vector<std::string> allowed_roots;    // empty: the current folder
  std::vector<std::string> denied_patterns;  // added to the default denies
  bool allow_absolute = true;
  bool include_default_denies = true;
};

struct McpConfig {
  bool structured = false;
};

struct Config {
  SearchConfig search;
  SandboxConfig sandbox;
  McpConfig mcp;
};

}  // namespace forge
