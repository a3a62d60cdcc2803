#include "config/models.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"

namespace forge::config {
namespace {

// Adds a model if there is none yet: to answer questions about a key (type,
// default), an empty configuration needs one as well.
ModelConfig& Last(Config& config) {
  if (config.llm.models.empty()) config.llm.models.emplace_back();
  return config.llm.models.back();
}

constexpr auto kModelKeys = std::to_array<Key>({
    {.section = kModelsSection,
     .name = "name",
     .slot = [](Config& c) -> Slot { return &Last(c).name; },
     .doc = "What you call it.",
     .example = "\"local\""},
    {.section = kModelsSection,
     .name = "provider",
     .slot = [](Config& c) -> Slot { return &Last(c).provider; },
     .doc = "openai (chat completions; also Ollama, llama.cpp and the like), openai-responses or anthropic.",
     .example = "\"openai\""},
    {.section = kModelsSection,
     .name = "base_url",
     .slot = [](Config& c) -> Slot { return &Last(c).base_url; },
     .doc = "Where the server is; https, or http on this machine. Without it, the provider's own address.",
     .example = "\"http://localhost:11434/v1\""},
    {.section = kModelsSection,
     .name = "model",
     .slot = [](Config& c) -> Slot { return &Last(c).model; },
     .doc = "What the provider calls it.",
     .example = "\"qwen3-coder:30b\""},
    {.section = kModelsSection,
     .name = "api_key_env",
     .slot = [](Config& c) -> Slot { return &Last(c).api_key_env; },
     .doc = "The environment variable that holds the key. Without a source, no key is sent.",
     .example = "\"MY_API_KEY\""},
    {.section = kModelsSection,
     .name = "api_key_file",
     .slot = [](Config& c) -> Slot { return &Last(c).api_key_file; },
     .doc = "Or: the file that holds it.",
     .example = "\"~/.config/my-key\""},
    {.section = kModelsSection,
     .name = "api_key_cmd",
     .slot = [](Config& c) -> Slot { return &Last(c).api_key_cmd; },
     .doc = "Or: a program and its arguments; it prints the key.",
     .example = "[\"pass\", \"show\", \"my-key\"]"},
    {.section = kModelsSection,
     .name = "api_key",
     .slot = [](Config& c) -> Slot { return &Last(c).api_key; },
     .doc = "Or: the key itself.",
     .example = "\"...\""},
    {.section = kModelsSection,
     .name = "reasoning_effort",
     .slot = [](Config& c) -> Slot { return &Last(c).reasoning_effort; },
     .doc = "For models that reason: minimal, low, medium or high, in the words of the provider.",
     .example = "\"low\""},
    {.section = kModelsSection,
     .name = "max_output_tokens",
     .slot = [](Config& c) -> Slot { return &Last(c).max_output_tokens; },
     .doc = "How long an answer may be, its reasoning included.",
     .example = "8192"},
    {.section = kModelsSection,
     .name = "timeout_ms",
     .slot = [](Config& c) -> Slot { return &Last(c).timeout; },
     .doc = "How long one attempt may take.",
     .example = "30000"},
    {.section = kModelsSection,
     .name = "max_retries",
     .slot = [](Config& c) -> Slot { return &Last(c).max_retries; },
     .doc = "How many more attempts are made after a failure that may be temporary.",
     .example = "2",
     .min = 0,
     .max = 10},
});

const Key* FindModelKey(std::string_view name) {
  for (const Key& key : kModelKeys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::string Unknown(const Entry& entry, const std::string& place) {
  std::vector<std::string_view> names;
  names.reserve(std::size(kModelKeys));
  for (const Key& key : kModelKeys) names.push_back(key.name);
  const std::string_view near = NearestWord(entry.name, names);
  return "unknown key " + entry.section + "." + entry.name + " (" + place + "), ignored" +
         (near.empty() ? "" : "; did you mean " + std::string(near) + "?");
}

bool IsVariableName(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// These may hold a key or a password, the second by mistake.
bool MayHoldSecret(std::string_view key) { return key == "api_key" || key == "api_key_env" || key == "base_url"; }

Status CheckModel(const ModelConfig& model, const std::string& where) {
  if (model.name.empty()) return ExecutionFailed(where + " has no name");
  const std::string it = where + " (\"" + model.name + "\")";
  if (model.model.empty()) return ExecutionFailed(it + " has no model: what does the provider call it?");
  const int sources = int{!model.api_key.empty()} + int{!model.api_key_env.empty()} + int{!model.api_key_file.empty()} +
                      int{!model.api_key_cmd.empty()};
  if (sources > 1) {
    return ExecutionFailed(it + " has more than one of api_key, api_key_env, api_key_file and api_key_cmd");
  }
  // Messages name the variable, so it must not be a key.
  if (!IsVariableName(model.api_key_env)) {
    return ExecutionFailed(it + ": api_key_env is not the name of a variable; a key itself belongs into api_key");
  }
  return {};
}

}  // namespace

std::span<const Key> ModelKeys() { return kModelKeys; }

bool IsOfModels(const Entry& entry) {
  return entry.section.starts_with(kModelsSection) || (entry.section == "llm" && entry.name == "models");
}

Error NotATable(const std::string& place) {
  return ExecutionFailed("models must be written as [[llm.models]] in the configuration file (" + place + ")");
}

Status ApplyToModel(const Entry& entry, const std::string& place, Config& config, std::vector<std::string>& warnings) {
  const std::size_t count = config.llm.models.size();
  const auto section_of = [](std::size_t i) { return std::string(kModelsSection) + "[" + std::to_string(i) + "]"; };
  const bool is_next = entry.section == section_of(count);
  const bool is_last = count > 0 && entry.section == section_of(count - 1);
  if (!is_next && !is_last) return NotATable(place);
  if (is_next) config.llm.models.emplace_back();
  const Key* key = FindModelKey(entry.name);
  if (key == nullptr) {
    warnings.push_back(Unknown(entry, place));
    return {};
  }
  if (!MayHoldSecret(key->name)) return Set(*key, entry, place, config);
  Entry hidden = entry;
  hidden.shown = "(not shown)";
  return Set(*key, hidden, place, config);
}

Status CheckModels(const LlmConfig& llm, const std::string& file) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < llm.models.size(); ++i) {
    const std::string where = file + ": " + std::string(kModelsSection) + "[" + std::to_string(i) + "]";
    if (Status s = CheckModel(llm.models[i], where); !s) return s;
    if (!names.insert(llm.models[i].name).second) {
      return ExecutionFailed(where + ": the name \"" + llm.models[i].name + "\" is taken by another model");
    }
  }
  return {};
}

}  // namespace forge::config
