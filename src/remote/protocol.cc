#include "remote/protocol.h"

#include <utility>
#include <variant>

#include "config/keys.h"

namespace forge::remote {
namespace {

bool Crosses(const config::Key& key) {
  return key.section == "tools.search" || (key.section == "tools.sandbox" && key.name != "allowed_roots");
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
