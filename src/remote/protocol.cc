#include "remote/protocol.h"

#include <utility>
#include <variant>

#include "config/keys.h"
#include "config/toml.h"

namespace forge::remote {
namespace {

// Limits come with each call: people and agents have others, and share one tree.
bool Crosses(const config::Key& key) {
  if (key.limits_answers) return false;
  return key.section == "tools.search" || (key.section == "tools.sandbox" && key.name != "allowed_roots");
}

// They decide which files are indexed.
void UseRecommendedLimits(Config& config) {
  for (const config::Key& key : config::Keys()) {
    if (!key.limits_answers || key.recommended.empty()) continue;
    const config::Entry entry = config::ParseTomlValue(key.recommended);
    const auto* value = std::get_if<std::int64_t>(&entry.value);
    const config::Slot slot = key.slot(config);
    if (value != nullptr && std::holds_alternative<std::int64_t*>(slot)) *std::get<std::int64_t*>(slot) = *value;
  }
}

bool NeedsSearcher(const std::string& binary) { return binary != "native"; }

// A program that is named by a path is not looked for. With `native` first, the
// other one is never asked.
bool DependsOnPath(const SearchConfig& search) { return NeedsSearcher(search.binary); }

}  // namespace

std::string EncodeConfig(const Config& config) {
  Config copy = config;
  wire::Writer writer;
  for (const config::Key& key : config::Keys()) {
    if (!Crosses(key)) continue;
    std::visit([&](const auto* member) { writer.Put(*member); }, key.slot(copy));
  }
  return writer.Take();
}

std::optional<Config> DecodeConfig(std::string_view bytes) {
  Config config;
  UseRecommendedLimits(config);
  wire::Reader reader(bytes);
  for (const config::Key& key : config::Keys()) {
    if (!Crosses(key)) continue;
    std::visit([&](auto* member) { reader.Get(*member); }, key.slot(config));
  }
  if (!reader.done() || !config::Check(config)) return std::nullopt;
  return config;
}

std::vector<Variable> VariablesFor(const Config& config, const Environment& environment) {
  std::vector<Variable> out;
  for (const auto& [name, value] : environment.all()) {
    const bool place = name == "HOME" || name == "XDG_CONFIG_HOME" || name == "XDG_CACHE_HOME" || name == "TMPDIR";
    const bool git = name.starts_with("GIT_CONFIG");
    if (place || git || (name == "PATH" && DependsOnPath(config.search))) out.push_back({name, value});
  }
  return out;
}

Environment EnvironmentOf(const std::vector<Variable>& variables) {
  Environment::Variables out;
  for (const Variable& variable : variables) out.insert_or_assign(variable.name, variable.value);
  return Environment(std::move(out));
}

}  // namespace forge::remote
