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
};

struct SandboxConfig {
  std::vector<std::string> allowed_roots;    // empty: the current folder
  std::vector<std::string> denied_patterns;  // added to the default denies
  bool allow_absolute = true;
  bool include_default_denies = true;
};

struct KeywordConfig {
  std::optional<bool> enabled;  // absent: each front door has its own default
  std::string model;            // the name of one; empty: the first available by preference
  std::int64_t timeout_ms = 45000;
};

// One language model, as [[llm.models]] describes it.
struct ModelConfig {
  std::string name;
  std::string provider = "openai";  // openai, openai-responses or anthropic
  std::string base_url;             // empty: the provider's own
  std::string model;                // as the provider calls it
  // At most one of the four; none: no key is sent.
  std::string api_key;
  std::string api_key_env;
  std::string api_key_file;
  std::vector<std::string> api_key_cmd;  // a program and its arguments; prints the key
  std::string reasoning_effort;          // sent only if not empty
  std::int64_t max_output_tokens = 8192;
  std::int64_t timeout_ms = 30000;  // of one attempt
  std::int64_t max_retries = 2;
};

struct LlmConfig {
  std::vector<ModelConfig> models;
};

struct Config {
  SearchConfig search;
  SandboxConfig sandbox;
  KeywordConfig keyword;
  LlmConfig llm;
};

}  // namespace forge
