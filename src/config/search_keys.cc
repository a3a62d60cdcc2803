#include <array>

#include "config/key_rows.h"

namespace forge::config {
namespace {

// `recommended` differs from the default where the specification's default is
// meant for small trees.
constexpr auto kSearchRows = std::to_array<Key>({
    {.section = kSearch,
     .name = "enabled",
     .slot = [](Config& c) -> Slot { return &c.search.enabled; },
     .doc = "Whether the Search tool may be used; unset means on for the command line and the MCP server.",
     .example = "true",
     .recommended = "true"},
    {.section = kSearch,
     .name = "binary",
     .slot = [](Config& c) -> Slot { return &c.search.binary; },
     .doc = "The backend that scans files: ugrep, rg, the path of one of them, or native (in-process, needs nothing).",
     .example = "\"ugrep\"",
     .recommended = "\"native\""},
    {.section = kSearch,
     .name = "fallback_binary",
     .slot = [](Config& c) -> Slot { return &c.search.fallback_binary; },
     .doc = "The backend to use if `binary` is missing or too old; empty for none.",
     .example = "\"rg\"",
     .may_be_empty = true},
    {.section = kSearch,
     .name = "default_timeout_ms",
     .slot = [](Config& c) -> Slot { return &c.search.default_timeout; },
     .doc = "How many milliseconds a search may take if the request does not say.",
     .example = "20000",
     .limits_answers = true},
    {.section = kSearch,
     .name = "default_max_results",
     .slot = [](Config& c) -> Slot { return &c.search.default_max_results; },
     .doc = "How many lines (matches and context) an answer holds if the request does not say.",
     .example = "200",
     .limits_answers = true},
    {.section = kSearch,
     .name = "max_matches_per_file",
     .slot = [](Config& c) -> Slot { return &c.search.max_matches_per_file; },
     .doc = "How many matches one file may contribute; a request may ask for fewer, never for more.",
     .example = "50",
     .limits_answers = true},
    {.section = kSearch,
     .name = "max_files",
     .slot = [](Config& c) -> Slot { return &c.search.max_files; },
     .doc = "How many files one search may look at; a request may ask for fewer, never for more.",
     .example = "10000",
     .recommended = "200000",
     .limits_answers = true},
    {.section = kSearch,
     .name = "max_file_size_bytes",
     .slot = [](Config& c) -> Slot { return &c.search.max_file_size_bytes; },
     .doc = "Larger files are skipped; a request may ask for a smaller limit, never for a larger one.",
     .example = "2000000",
     .recommended = "33554432",
     .limits_answers = true},
    {.section = kSearch,
     .name = "content_max_bytes",
     .slot = [](Config& c) -> Slot { return &c.search.content_max_bytes; },
     .doc = "How long the readable text of an answer may be; many hosts cut what is longer than 12000.",
     .example = "10000",
     .min = 1000,
     .max = 1'000'000},
    {.section = kSearch,
     .name = "max_answer_bytes",
     .slot = [](Config& c) -> Slot { return &c.search.max_answer_bytes; },
     .doc = "How many bytes one answer may hold: its text, and 256 for each line; the search ends there.",
     .example = "67108864",
     .min = 1'000'000},
    {.section = kSearch,
     .name = "emit_stats",
     .slot = [](Config& c) -> Slot { return &c.search.emit_stats; },
     .doc = "Whether an answer says how it was found, in the field `stats`.",
     .example = "true"},
    {.section = kSearch,
     .name = "fuzzy_fallback",
     .slot = [](Config& c) -> Slot { return &c.search.fuzzy_fallback; },
     .doc = "Whether a search for plain text that finds nothing runs again with mistakes allowed.",
     .example = "true"},
    {.section = kSearch,
     .name = "fuzzy_fallback_levels",
     .slot = [](Config& c) -> Slot { return &c.search.fuzzy_fallback_levels; },
     .doc = "How many mistakes to allow then, in the order to try; the first level that finds something is the last.",
     .example = "[1, 2, 3]",
     .max = 4},
    {.section = kSearch,
     .name = "fuzzy_min_pattern_len",
     .slot = [](Config& c) -> Slot { return &c.search.fuzzy_min_pattern_len; },
     .doc = "Shorter patterns are not tried again: nearly everything is similar to them.",
     .example = "4",
     .min = 0},
});

constexpr auto kSandboxRows = std::to_array<Key>({
    {.section = kSandbox,
     .name = "allowed_roots",
     .slot = [](Config& c) -> Slot { return &c.sandbox.allowed_roots; },
     .doc = "Folders that may be searched if no --root is given; empty means the current folder.",
     .example = "[\"/home/me/src\"]"},
    {.section = kSandbox,
     .name = "denied_patterns",
     .slot = [](Config& c) -> Slot { return &c.sandbox.denied_patterns; },
     .doc = "Globs of files and folders that are never read, whatever a request asks for.",
     .example = "[\"**/secrets/**\"]"},
    {.section = kSandbox,
     .name = "allow_absolute",
     .slot = [](Config& c) -> Slot { return &c.sandbox.allow_absolute; },
     .doc = "Whether a request may name an absolute path (inside a root).",
     .example = "true"},
    {.section = kSandbox,
     .name = "include_default_denies",
     .slot = [](Config& c) -> Slot { return &c.sandbox.include_default_denies; },
     .doc = "Whether files that usually hold keys and passwords are denied too (.ssh, id_rsa*, *.pem, .env, ...); "
            "search.md lists them.",
     .example = "true"},
});

constexpr auto kKeywordRows = std::to_array<Key>({
    {.section = kKeyword,
     .name = "enabled",
     .slot = [](Config& c) -> Slot { return &c.keyword.enabled; },
     .doc = "Whether keyword_search may be used, which sends excerpts of files to a model; unset means on.",
     .example = "true"},
    {.section = kKeyword,
     .name = "model",
     .slot = [](Config& c) -> Slot { return &c.keyword.model; },
     .doc = "The name of the model to ask; empty for the first one available.",
     .example = "\"\"",
     .may_be_empty = true},
    {.section = kKeyword,
     .name = "timeout_ms",
     .slot = [](Config& c) -> Slot { return &c.keyword.timeout; },
     .doc = "How many milliseconds a keyword search may take, the model's answer included.",
     .example = "45000"},
});

constexpr auto kMcpRows = std::to_array<Key>({
    {.section = kMcp,
     .name = "structured",
     .slot = [](Config& c) -> Slot { return &c.mcp.structured; },
     .doc = "Whether the MCP server also sends answers as data; many hosts then hide the text from the model.",
     .example = "false"},
    {.section = kMcp,
     .name = "tool_prefix",
     .slot = [](Config& c) -> Slot { return &c.mcp.tool_prefix; },
     .doc = "What the MCP server puts before the names of its tools, for a host with a tool of the same name; "
            "--tool-prefix wins.",
     .example = "\"forge_\"",
     .may_be_empty = true,
     .is_tool_prefix = true},
});

constexpr auto kServerRows = std::to_array<Key>({
    {.section = kServer,
     .name = "mode",
     .slot = [](Config& c) -> Slot { return &c.server.mode; },
     .doc = "Whether a shared server may answer: off; auto, where an index is used (`mcp` starts one, other commands "
            "use one that runs); on, where every command may start one.",
     .example = "\"auto\""},
    {.section = kServer,
     .name = "idle_timeout_ms",
     .slot = [](Config& c) -> Slot { return &c.server.idle_timeout; },
     .doc = "How many milliseconds the shared server keeps a tree that nobody uses, and itself without clients.",
     .example = "600000",
     .min = 1000},
});

}  // namespace

std::span<const Key> SearchRows() { return kSearchRows; }

std::span<const Key> SandboxRows() { return kSandboxRows; }

std::span<const Key> KeywordRows() { return kKeywordRows; }

std::span<const Key> McpRows() { return kMcpRows; }

std::span<const Key> ServerRows() { return kServerRows; }

}  // namespace forge::config
