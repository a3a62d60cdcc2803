#include "config/print.h"

#include <string_view>

#include "base/secrets.h"

namespace forge::config {
namespace {

// "[tools.search]\n" where a new section starts, else "".
std::string SectionHead(std::size_t i) {
  const auto keys = Keys();
  if (i > 0 && keys[i].section == keys[i - 1].section) return "";
  return std::string(i > 0 ? "\n" : "") + "[" + std::string(keys[i].section) + "]\n";
}

std::string Assignment(const Key& key, const std::string& value) { return std::string(key.name) + " = " + value; }

std::string Line(const Key& key, const Config& config) {
  const std::string value = TomlText(Get(key, config));
  return value.empty() ? "# " + std::string(key.name) + " is not set" : Assignment(key, value);
}

// What commands with another profile take where no source sets the key (R8);
// "" if they take the same.
std::string OfOtherProfiles(const Key& key) {
  const std::string recommended(key.recommended);
  if (TomlText(Get(key, Config())).empty()) return "";  // unset means on for every command
  if (!key.limits_answers) return recommended.empty() ? "" : "; search, live, ask, index and mcp: " + recommended;
  return (recommended.empty() ? "" : "; ask, index and mcp: " + recommended) + "; search and live: no limit";
}

std::string OriginText(const Key& key, const Origin& origin) {
  return origin.text + (origin.layer == Origin::Layer::kDefault ? OfOtherProfiles(key) : "");
}

// A comment instead of a value that holds a secret, else "".
std::string InsteadOf(const Key& key, const ModelConfig& model) {
  if (key.name == "api_key") return "# api_key is set, and not shown";
  const std::string url = ShownUrl(model.base_url);
  if (key.name != "base_url" || url == model.base_url) return "";
  return "# base_url is set, and not shown whole: " + TomlText(url);
}

// Prints only keys that are set, and neither an API key nor a password.
std::string PrintModel(const ModelConfig& model) {
  Config one;
  one.llm.models = {model};
  std::string out = "\n[[" + std::string(kModelsSection) + "]]\n";
  for (const Key& key : ModelKeys()) {
    const Value value = Get(key, one);
    if (value == Get(key, Config()) && key.name != "provider") continue;
    const std::string instead = InsteadOf(key, model);
    out += (instead.empty() ? Assignment(key, TomlText(value)) : instead) + "\n";
  }
  return out;
}

}  // namespace

std::string Print(const Loaded& loaded, bool with_origins) {
  std::string out;
  for (std::size_t i = 0; i < Keys().size(); ++i) {
    out += SectionHead(i) + Line(Keys()[i], loaded.config);
    if (with_origins) out += "  # " + OriginText(Keys()[i], loaded.origins[i]);
    out += "\n";
  }
  for (const ModelConfig& model : loaded.config.llm.models) out += PrintModel(model);
  return out;
}

std::string RecommendedFile() {
  std::string out = "# Configuration of forge-search. `forge-search config check` checks it.\n\n";
  const Config defaults;
  for (std::size_t i = 0; i < Keys().size(); ++i) {
    const Key& key = Keys()[i];
    out += SectionHead(i) + "# " + std::string(key.doc) + "\n";
    const std::string value = TomlText(Get(key, defaults));
    if (!key.recommended.empty()) {
      out += Assignment(key, std::string(key.recommended)) + "\n";
    } else {
      out += "# " + Assignment(key, value.empty() ? std::string(key.example) : value) + "\n";
    }
  }
  out +=
      "\n# Models for keyword_search, as many as you like. Not needed where FIREWORKS_API_KEY, OPENAI_API_KEY or\n"
      "# ANTHROPIC_API_KEY is set.\n# [[" +
      std::string(kModelsSection) + "]]\n";
  for (const Key& key : ModelKeys()) {
    out += "# # " + std::string(key.doc) + "\n# " + Assignment(key, std::string(key.example)) + "\n";
  }
  return out;
}

}  // namespace forge::config
