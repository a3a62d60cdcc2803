// Which models there are, and which of them can be used now.
//
// It knows the models of the configuration and four of our own, which need only
// their provider's usual key in the environment:
//
//   qwen3-coder-fireworks   FIREWORKS_API_KEY
//   gpt-5-thinking-mini     OPENAI_API_KEY      ($OPENAI_BASE_URL)
//   gpt5-mini               OPENAI_API_KEY      ($OPENAI_BASE_URL)
//   claude-sonnet-4.5       ANTHROPIC_API_KEY   ($ANTHROPIC_BASE_URL)
//
// That is also the order of preference (REQ-KWS-005): fast and cheap first. A
// configured model of the same name replaces ours. If none of the four is
// available, the first by name is preferred (H12).
//
// Immutable, so thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/environment.h"
#include "forge/config.h"
#include "forge/result.h"

namespace forge::llm {

class Registry {
 public:
  Registry(const LlmConfig& config, Environment environment);

  // The names of those that can be used, sorted.
  std::vector<std::string> Available() const;

  // The model of that name, or with "" the first by preference. Errors say what
  // is missing.
  Result<ModelConfig> Pick(std::string_view name) const;

  // The same, but its key may be missing: a preview sends nothing.
  Result<ModelConfig> PickForPreview(std::string_view name) const;

  // The key of a model; "" if it needs none. May run a program (api_key_cmd) or
  // read a file. The key is never part of an error.
  Result<std::string> KeyOf(const ModelConfig& model, const Deadline& deadline) const;

 private:
  struct Entry {
    ModelConfig model;
    bool built_in = false;
    std::string missing;  // why it cannot be used; "": it can
  };

  void Add(ModelConfig model, bool built_in);
  const Entry* Find(std::string_view name) const;
  const Entry* Preferred(bool only_available) const;
  Error NoneAvailable() const;
  Error NoSuchModel(std::string_view name) const;

  const Environment environment_;
  std::vector<Entry> entries_;  // sorted by name
};

}  // namespace forge::llm
