// One validated configuration.
//
//   forge::EngineOptions options;
//   options.config.search.binary = "native";
//   options.config.search.default_timeout = std::chrono::seconds(5);
//   options.config.search.index.mode = forge::IndexMode::kAuto;
//
// The defaults are those of the specification (LS section 5). Each member has a
// key of the same name in the configuration file, see docs/configuration.md.
// The keys of times end in "_ms".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

enum class IndexMode { kOff, kAuto, kOn };
enum class IndexStorage { kMemory, kSqlite };
enum class TokenStructure { kPostings, kBloom };
enum class IntegrityCheck { kOff, kOnOpen, kPeriodic };
// Whether the program may let a shared server answer (`forge-search serve`).
enum class ServerMode {
  kOff,   // never
  kAuto,  // with an index: agents start one if there is none, single commands use one that runs
  kOn,    // every command that can use one starts it if there is none
};
// The protocol of a server of language models.
enum class Provider { kOpenAi, kOpenAiResponses, kAnthropic };

// The words of the configuration file and of the tools' JSON: "off", "sqlite",
// "postings", "on_open", "openai-responses", ...
std::string_view Name(IndexMode mode);
std::string_view Name(IndexStorage storage);
std::string_view Name(TokenStructure structure);
std::string_view Name(IntegrityCheck check);
std::string_view Name(ServerMode mode);
std::string_view Name(Provider provider);

// The index and what tracks changes (LSI section 13). Keys of [tools.search],
// most with the prefix "index_".
struct IndexConfig {
  IndexMode mode = IndexMode::kOff;
  IndexStorage storage = IndexStorage::kSqlite;
  std::string path;                // cache folder; empty: the user's
  std::vector<std::string> roots;  // empty: the working folder
  TokenStructure token_structure = TokenStructure::kPostings;
  bool default_hidden = false;
  bool default_follow = false;
  bool default_no_ignore = false;

  std::int64_t auto_threshold_files = 2000;
  std::int64_t auto_threshold_bytes = 500000000;
  std::int64_t auto_reeval_calls = 100;

  std::chrono::milliseconds build_timeout{300000};
  std::int64_t build_max_files = 0;  // 0: no limit
  std::int64_t build_max_bytes = 0;  // 0: no limit
  std::int64_t build_max_cpu_percent = 50;
  std::chrono::milliseconds build_throttle{10};
  std::chrono::milliseconds idle_boost{1000};
  bool retry_on_failure = false;
  bool checkpoint_on_shutdown = true;
  std::chrono::milliseconds shutdown_timeout{5000};

  bool watch = true;
  std::chrono::milliseconds watch_debounce{250};

  std::int64_t max_db_bytes = 1073741824;
  std::int64_t max_indexes = 10;
  std::int64_t max_memory_bytes = 268435456;
  std::int64_t text_cache_bytes = 536870912;  // 0: none
  std::chrono::milliseconds lock_timeout{250};
  IntegrityCheck integrity_check = IntegrityCheck::kOnOpen;
  std::int64_t integrity_period_calls = 200;
  bool allow_insecure_persistence = false;

  std::int64_t reconcile_max_files = 50000;            // without the prefix
  std::chrono::milliseconds reconcile_max_time{2000};  // without the prefix
  double maint_budget_fraction = 0.25;
  std::chrono::milliseconds cooldown_base{60000};

  std::int64_t bloom_ngram_k = 3;      // without the prefix
  double bloom_target_fp_rate = 0.01;  // without the prefix
  std::int64_t max_tokenized_bytes = 1048576;
};

struct SearchConfig {
  std::optional<bool> enabled;  // absent: each front door has its own default
  std::string binary = "ugrep";
  std::string fallback_binary = "rg";
  std::chrono::milliseconds default_timeout{20000};
  std::int64_t default_max_results = 200;
  std::int64_t max_matches_per_file = 50;
  std::int64_t max_files = 10000;
  std::int64_t max_file_size_bytes = 2000000;
  IndexConfig index;
  bool emit_stats = false;
  bool fuzzy_fallback = false;
  std::vector<std::int64_t> fuzzy_fallback_levels = {1, 2, 3};
  std::int64_t fuzzy_min_pattern_len = 4;
  std::int64_t content_max_bytes = 10000;
  std::int64_t max_answer_bytes = 67108864;
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
  std::chrono::milliseconds timeout{45000};
};

// One language model, as [[llm.models]] describes it.
struct ModelConfig {
  std::string name;
  Provider provider = Provider::kOpenAi;
  std::string base_url;  // empty: the provider's own
  std::string model;     // as the provider calls it
  // At most one of the four; none: no key is sent.
  std::string api_key;
  std::string api_key_env;
  std::string api_key_file;
  std::vector<std::string> api_key_cmd;  // a program and its arguments; prints the key
  std::string reasoning_effort;          // sent only if not empty
  std::int64_t max_output_tokens = 8192;
  std::chrono::milliseconds timeout{30000};  // of one attempt
  std::int64_t max_retries = 2;
};

struct LlmConfig {
  std::vector<ModelConfig> models;
};

struct McpConfig {
  bool structured = false;
  std::string tool_prefix;
};

// For the program. Engine::Create answers in the process that calls it, always.
struct ServerConfig {
  ServerMode mode = ServerMode::kAuto;
  std::chrono::milliseconds idle_timeout{600000};
};

struct Config {
  SearchConfig search;
  SandboxConfig sandbox;
  KeywordConfig keyword;
  LlmConfig llm;
  McpConfig mcp;
  ServerConfig server;
};

}  // namespace forge
