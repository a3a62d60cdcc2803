#include "llm/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/path.h"
#include "base/strings.h"
#include "os/named_file.h"
#include "os/process.h"

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

constexpr std::uint64_t kMaxKeyBytes = 16 * 1024;
constexpr std::int64_t kMaxCommandMs = 10'000;

// A key goes into a header. White space around it comes from the end of a line in
// a file and is removed; any other control character would break the header.
Result<std::string> Checked(std::string key, const std::string& source) {
  const std::size_t begin = key.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return ExecutionFailed(source + " holds nothing");
  key = key.substr(begin, key.find_last_not_of(" \t\r\n") - begin + 1);
  if (std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7F; })) return key;
  return ExecutionFailed(source + " holds more than one word, or a character that no key has");
}

std::string ExpandHome(const std::string& path, const Environment& environment) {
  return path.starts_with("~/") ? environment.GetAbsolute("HOME") + path.substr(1) : path;
}

Result<std::string> FromFile(const std::string& given, const Environment& environment) {
  const std::string path = ExpandHome(given, environment);
  if (!IsAbsolutePath(path)) return ExecutionFailed("api_key_file is " + given + "; must start with / or ~/");
  auto text = os::ReadSmallFile(path, kMaxKeyBytes);
  if (!text.ok()) return ExecutionFailed("cannot read api_key_file " + path + ": " + text.error().message());
  return Checked(std::move(*text), "api_key_file " + path);
}

Result<std::string> FromCommand(const std::vector<std::string>& words, const Environment& environment,
                                const Deadline& deadline) {
  const auto program = os::FindProgram(words.front(), environment.Get("PATH"));
  if (!program) return ExecutionFailed("api_key_cmd: there is no program " + words.front());
  os::Command command{.program = *program, .args = {words.begin() + 1, words.end()}, .env = {}};
  for (const auto& [name, value] : environment.all()) command.env.push_back(name + "=" + value);
  const Deadline soon(std::min(deadline.at(), Deadline::After(kMaxCommandMs).at()), deadline.cancel());
  std::string output;
  const auto outcome = os::Run(command, soon, [&](std::string_view piece) {
    output.append(piece);
    return output.size() <= kMaxKeyBytes;
  });
  using End = os::RunOutcome::End;
  if (!outcome.ok()) return ExecutionFailed("api_key_cmd cannot be run: " + outcome.error().message());
  if (outcome->end == End::kCancelled) return Cancelled();
  if (outcome->end == End::kDeadline) return ExecutionFailed("api_key_cmd did not end in time");
  if (outcome->end == End::kStopped) return ExecutionFailed("api_key_cmd prints too much to be a key");
  if (outcome->exit_code != 0 || outcome->signal != 0) {
    return ExecutionFailed("api_key_cmd failed with exit status " + std::to_string(outcome->exit_code) +
                           "; run it in a terminal to see why");
  }
  return Checked(std::move(output), "the output of api_key_cmd");
}

// "" if the model has none. An error never holds the key, nor anything that the
// program of api_key_cmd printed.
Result<std::string> ReadApiKey(const ModelConfig& model, const Environment& environment, const Deadline& deadline) {
  if (!model.api_key.empty()) return Checked(model.api_key, "api_key");
  if (!model.api_key_env.empty()) return Checked(environment.Get(model.api_key_env), model.api_key_env);
  if (!model.api_key_file.empty()) return FromFile(model.api_key_file, environment);
  if (!model.api_key_cmd.empty()) return FromCommand(model.api_key_cmd, environment, deadline);
  return std::string();
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
