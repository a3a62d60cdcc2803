#include "llm/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "llm/api_key.h"
#include "llm/provider.h"

namespace forge::llm {
namespace {

// REQ-KWS-005.
constexpr std::array<std::string_view, 4> kPreference = {"qwen3-coder-fireworks", "gpt-5-thinking-mini", "gpt5-mini",
                                                         "claude-sonnet-4.5"};

ModelConfig BuiltIn(std::string_view name, Provider provider, std::string base_url, std::string model,
                    std::string key_variable, std::string effort = "") {
  ModelConfig config;
  config.name = name;
  config.provider = provider;
  config.base_url = std::move(base_url);
  config.model = std::move(model);
  config.api_key_env = std::move(key_variable);
  config.reasoning_effort = std::move(effort);
  return config;
}

std::vector<ModelConfig> BuiltIns(const Environment& environment) {
  const std::string openai = environment.Get("OPENAI_BASE_URL");
  const std::string anthropic = environment.Get("ANTHROPIC_BASE_URL");
  return {
      BuiltIn(kPreference[0], Provider::kOpenAi, "https://api.fireworks.ai/inference/v1",
              "accounts/fireworks/models/qwen3-coder-480b-a35b-instruct", "FIREWORKS_API_KEY"),
      BuiltIn(kPreference[1], Provider::kOpenAiResponses, openai, "gpt-5-mini", "OPENAI_API_KEY", "low"),
      BuiltIn(kPreference[2], Provider::kOpenAiResponses, openai, "gpt-5-mini", "OPENAI_API_KEY", "minimal"),
      BuiltIn(kPreference[3], Provider::kAnthropic, anthropic, "claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
  };
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

Registry::Registry(const LlmConfig& config, Environment environment) : environment_(std::move(environment)) {
  for (const ModelConfig& model : config.models) Add(model, false);
  for (ModelConfig& model : BuiltIns(environment_)) {
    if (Find(model.name) == nullptr) Add(std::move(model), true);
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.model.name < b.model.name; });
}

void Registry::Add(ModelConfig model, bool built_in) {
  const std::string& variable = model.api_key_env;
  const bool lacks_key = !variable.empty() && environment_.Get(variable).empty();
  std::string missing = lacks_key ? variable + " is not set" : "";
  entries_.push_back({std::move(model), built_in, std::move(missing)});
}

const Registry::Entry* Registry::Find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.model.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

std::vector<std::string> Registry::Available() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.missing.empty()) names.push_back(entry.model.name);
  }
  return names;
}

const Registry::Entry* Registry::Preferred(bool only_available) const {
  for (const std::string_view name : kPreference) {
    const Entry* entry = Find(name);
    if (entry->missing.empty() || !only_available) return entry;
  }
  for (const Entry& entry : entries_) {
    if (entry.missing.empty()) return &entry;
  }
  return nullptr;
}

Result<ModelConfig> Registry::Pick(std::string_view name) const {
  if (name.empty()) {
    const Entry* entry = Preferred(true);
    if (entry == nullptr) return NoneAvailable();
    return entry->model;
  }
  const Entry* entry = Find(name);
  if (entry == nullptr) return NoSuchModel(name);
  if (entry->missing.empty()) return entry->model;
  return ExecutionFailed("the model \"" + std::string(name) + "\" cannot be used: " + entry->missing);
}

Result<ModelConfig> Registry::PickForPreview(std::string_view name) const {
  if (!name.empty()) {
    const Entry* entry = Find(name);
    if (entry == nullptr) return NoSuchModel(name);
    return entry->model;
  }
  const Entry* entry = Preferred(true);
  return (entry != nullptr ? entry : Preferred(false))->model;
}

Error Registry::NoSuchModel(std::string_view name) const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.model.name);
  const std::string_view near = NearestWord(name, {names.begin(), names.end()});
  return BadArgs("there is no model \"" + std::string(name) + "\"; " +
                 (near.empty() ? "the models are " + Joined(names) : "did you mean \"" + std::string(near) + "\"?"));
}

Error Registry::NoneAvailable() const {
  std::string message =
      "no LLM available for filtering: set FIREWORKS_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or describe a model "
      "with [[llm.models]] in the configuration (a local server needs no key)";
  for (const Entry& entry : entries_) {
    if (!entry.built_in) message += "; \"" + entry.model.name + "\" cannot be used: " + entry.missing;
  }
  return ExecutionFailed(std::move(message));
}

Result<std::string> Registry::KeyOf(const ModelConfig& model, const Deadline& deadline) const {
  auto key = ReadApiKey(model, environment_, deadline);
  if (!key)
    return Error{.kind = key.error().kind,
                 .message = "the key of the model \"" + model.name + "\": " + key.error().message};
  return key;
}

}  // namespace forge::llm
