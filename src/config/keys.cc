#include "config/keys.h"

#include <algorithm>
#include <array>

namespace forge::config {
namespace {

constexpr std::string_view kSearch = "tools.search";
constexpr std::string_view kSandbox = "tools.sandbox";
constexpr std::string_view kMcp = "mcp";

// `recommended` differs from the default where the specification's default is
// meant for small trees.
constexpr auto kKeys = std::to_array<Key>({
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
     .slot = [](Config& c) -> Slot { return &c.search.default_timeout_ms; },
     .doc = "How many milliseconds a search may take if the request does not say.",
     .example = "20000"},
    {.section = kSearch,
     .name = "default_max_results",
     .slot = [](Config& c) -> Slot { return &c.search.default_max_results; },
     .doc = "How many lines (matches and context) an answer holds if the request does not say.",
     .example = "200"},
    {.section = kSearch,
     .name = "max_matches_per_file",
     .slot = [](Config& c) -> Slot { return &c.search.max_matches_per_file; },
     .doc = "How many matches one file may contribute; a request may ask for fewer, never for more.",
     .example = "50"},
    {.section = kSearch,
     .name = "max_files",
     .slot = [](Config& c) -> Slot { return &c.search.max_files; },
     .doc = "How many files one search may look at; a request may ask for fewer, never for more.",
     .example = "10000",
     .recommended = "200000"},
    {.section = kSearch,
     .name = "max_file_size_bytes",
     .slot = [](Config& c) -> Slot { return &c.search.max_file_size_bytes; },
     .doc = "Larger files are skipped; a request may ask for a smaller limit, never for a larger one.",
     .example = "2000000",
     .recommended = "16777216"},
    {.section = kSearch,
     .name = "content_max_bytes",
     .slot = [](Config& c) -> Slot { return &c.search.content_max_bytes; },
     .doc = "How long the readable text of an answer may be; many hosts cut what is longer than 12000.",
     .example = "10000",
     .min = 1000,
     .max = 1'000'000},
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
     .doc = "Whether keys and certificates (.ssh, .gnupg, id_rsa*, *.pem, *.key) are denied too.",
     .example = "true"},
    {.section = kMcp,
     .name = "structured",
     .slot = [](Config& c) -> Slot { return &c.mcp.structured; },
     .doc = "Whether the MCP server also sends answers as data; many hosts then hide the text from the model.",
     .example = "false"},
});

// What TypeName and Allowed need to know of a slot.
template <typename T>
struct SlotTraits {
  using Stored = T;
};
template <typename T>
struct SlotTraits<std::optional<T>> {
  using Stored = T;
};

std::string NotAllowed(const Key& key, const Entry& entry, const std::string& place) {
  return key.FullName() + " is " + entry.shown + " (" + place + "), but must be " + Allowed(key);
}

bool InRange(const Key& key, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number >= key.min && *number <= key.max;
  if (const auto* text = std::get_if<std::string>(&value)) return key.may_be_empty || !text->empty();
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return std::none_of(list->begin(), list->end(), [](const std::string& item) { return item.empty(); });
  }
  return true;
}

}  // namespace

std::string Key::FullName() const { return std::string(section) + "." + std::string(name); }

std::span<const Key> Keys() { return kKeys; }

std::optional<std::size_t> FindKey(std::string_view section, std::string_view name) {
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    if (kKeys[i].section == section && kKeys[i].name == name) return i;
  }
  return std::nullopt;
}

std::string_view TypeName(const Key& key) {
  struct Namer {
    std::string_view operator()(bool*) const { return "boolean"; }
    std::string_view operator()(std::optional<bool>*) const { return "boolean"; }
    std::string_view operator()(std::int64_t*) const { return "integer"; }
    std::string_view operator()(std::string*) const { return "string"; }
    std::string_view operator()(std::vector<std::string>*) const { return "list of strings"; }
  };
  Config config;
  return std::visit(Namer(), key.slot(config));
}

std::string Allowed(const Key& key) {
  const std::string_view type = TypeName(key);
  if (type == "boolean") return "true or false";
  if (type == "string") return key.may_be_empty ? "a string" : "a string that is not empty";
  if (type != "integer") return "a list of strings, none of them empty";
  const std::string at_least = "an integer of at least " + std::to_string(key.min);
  if (key.max == std::numeric_limits<std::int64_t>::max()) return at_least;
  return at_least + " and at most " + std::to_string(key.max);
}

Value Get(const Key& key, const Config& config) {
  Config copy = config;
  struct Reader {
    Value operator()(const std::optional<bool>* flag) const { return *flag ? Value(**flag) : Value(); }
    Value operator()(const bool* flag) const { return *flag; }
    Value operator()(const std::int64_t* number) const { return *number; }
    Value operator()(const std::string* text) const { return *text; }
    Value operator()(const std::vector<std::string>* list) const { return *list; }
  };
  return std::visit(Reader(), key.slot(copy));
}

Status Set(const Key& key, const Entry& entry, const std::string& place, Config& config) {
  const bool stored = std::visit(
      [&](auto* slot) {
        using Stored = typename SlotTraits<std::remove_pointer_t<decltype(slot)>>::Stored;
        const Stored* value = std::get_if<Stored>(&entry.value);
        if (value == nullptr || !InRange(key, entry.value)) return false;
        *slot = *value;
        return true;
      },
      key.slot(config));
  if (!stored) return ExecutionFailed(NotAllowed(key, entry, place));
  return {};
}

}  // namespace forge::config
