#include "config/reference.h"

#include <optional>

#include "config/keys.h"
#include "config/toml.h"

namespace forge::config {
namespace {

constexpr std::string_view kHead = R"(# Configuration

Nothing needs to be set. `forge-search config init` writes a commented file to start from, `config check` checks it, and `config print --origin` shows every value and where it comes from. A key of `[tools.search]` is written like this, in `~/.forge/config.toml`:

```toml
[tools.search]
max_files = 500000
```

A value comes from the first of these that has it:

1. `--set SECTION.KEY=VALUE` and `--backend`;
2. for keys of `[tools.search]`, the variable `FORGE_SEARCH_<KEY>`;
3. the file of `--config`, else of `$FORGE_CONFIG`, else `~/.forge/config.toml`, else `$XDG_CONFIG_HOME/forge/config.toml`;
4. `search`, `live`, `ask`, `index` and `mcp`: the recommended value; and `search` and `live`, which people read, have no limit on time, results, matches per file, files or file size;
5. the default.

Nothing is read from the folder that is searched; a relative `HOME` or `XDG_CONFIG_HOME` is ignored, because it may lead there. An unknown key is a warning, a wrong type or range an error.

Models for `keyword_search` have a section each, which [keyword-search.md](keyword-search.md) explains.

This page is printed by `forge-search config reference`, from the table that checks a configuration. Keys without a section are of `[tools.search]`.
)";

std::optional<std::size_t> Find(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return FindKey("tools.search", name);
  return FindKey(name.substr(0, dot), name.substr(dot + 1));
}

std::string Row(std::string_view name, const Key& key) {
  const std::string value = TomlText(Get(key, Config()));
  return "| `" + std::string(name) + "` | " + std::string(key.doc) + " | " + Allowed(key) + " | " +
         (value.empty() ? "not set" : "`" + value + "`") + " | " +
         (key.recommended.empty() ? "" : "`" + std::string(key.recommended) + "`") + " |\n";
}

}  // namespace

const std::vector<KeyGroup>& KeyGroups() {
  static const std::vector<KeyGroup> groups = {
      {"Which program searches",
       "All give the same answers; [backends.md](backends.md) says how they differ.",
       {"binary", "fallback_binary", "enabled"}},
      {"What may be searched",
       "",
       {"tools.sandbox.allowed_roots", "tools.sandbox.denied_patterns", "tools.sandbox.include_default_denies",
        "tools.sandbox.allow_absolute"}},
      {"How much an answer holds, and how long it takes",
       "For agents: `search` has no such limits unless you set them.",
       {"default_timeout_ms", "default_max_results", "max_matches_per_file", "max_files", "max_file_size_bytes",
        "content_max_bytes", "max_answer_bytes"}},
      {"What an answer says besides", "", {"emit_stats", "mcp.structured"}},
      {"What the tools are called", "", {"mcp.tool_prefix"}},
      {"When nothing is found", "", {"fuzzy_fallback", "fuzzy_fallback_levels", "fuzzy_min_pattern_len"}},
      {"Finding files by concept",
       "",
       {"tools.keyword_search.enabled", "tools.keyword_search.model", "tools.keyword_search.timeout_ms"}},
      {"Whether there is an index, and of what",
       "[index.md](index.md) explains it.",
       {"index_mode", "index_auto_threshold_files", "index_auto_threshold_bytes", "index_auto_reeval_calls",
        "index_roots", "index_default_hidden", "index_default_no_ignore", "index_default_follow"}},
      {"Where the index is, and how large it may be",
       "",
       {"index_storage", "index_path", "index_max_db_bytes", "index_max_indexes", "index_max_memory_bytes",
        "index_text_cache_bytes", "index_allow_insecure_persistence"}},
      {"The process that keeps it warm",
       "[server.md](server.md) explains it.",
       {"server.mode", "server.idle_timeout_ms"}},
      {"What building it may cost",
       "",
       {"index_build_timeout_ms", "index_build_max_files", "index_build_max_bytes", "index_build_max_cpu_percent",
        "index_build_throttle_ms", "index_idle_boost_ms", "index_retry_on_failure", "index_cooldown_base_ms",
        "index_checkpoint_on_shutdown", "index_shutdown_timeout_ms"}},
      {"How it is kept up to date and checked",
       "",
       {"index_watch", "index_watch_debounce_ms", "reconcile_max_files", "reconcile_max_ms",
        "index_maint_budget_fraction", "index_lock_timeout_ms", "index_integrity_check",
        "index_integrity_period_calls"}},
      {"The other kind of index",
       "",
       {"index_token_structure", "bloom_ngram_k", "bloom_target_fp_rate", "index_max_tokenized_bytes"}},
  };
  return groups;
}

std::string ReferencePage() {
  std::string out(kHead);
  for (const KeyGroup& group : KeyGroups()) {
    out += "\n## " + std::string(group.title) + "\n\n";
    if (!group.words.empty()) out += std::string(group.words) + "\n\n";
    out += "| key | meaning | must be | default | recommended |\n| --- | --- | --- | --- | --- |\n";
    for (const std::string_view name : group.keys) out += Row(name, Keys()[*Find(name)]);
  }
  return out;
}

}  // namespace forge::config
