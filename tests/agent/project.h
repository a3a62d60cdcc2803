// A small project, and a model that asks about it: the Search tool for models on
// the real engine.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "agent/search_tool.h"
#include "forge/engine.h"
#include "tests/testing/temp_tree.h"
#include "tool/tool.h"

namespace forge::testing {

// What a model gets.
struct Told {
  std::string text;
  bool is_error = false;
  nlohmann::ordered_json data;  // of --structured
};

class Asker {
 public:
  explicit Asker(EngineOptions options) {
    auto engine = Engine::Create(std::move(options));
    if (!engine) ADD_FAILURE() << engine.error().message;
    engine_ = *std::move(engine);
    tool_ = agent::MakeSearchTool([this]() -> Result<std::shared_ptr<Engine>> { return engine_; });
  }

  Told Ask(const nlohmann::json& arguments) const {
    auto read = tool_->ReadLeniently(nlohmann::json(arguments));
    if (!read) return {read.error().message, true, {}};
    auto invocation = tool_->Prepare(*std::move(read));
    if (!invocation) return {invocation.error().message, true, {}};
    const auto answer = (*invocation)->Run({.hints = true});
    if (!answer) return {answer.error().message, true, {}};
    Told told{answer->text, false, answer->take_document().json()};
    for (const std::string& hint : answer->hints) told.text += "Hint: " + hint + "\n";
    return told;
  }

  Engine& engine() { return *engine_; }

 private:
  std::shared_ptr<Engine> engine_;
  std::unique_ptr<tool::Tool> tool_;
};

inline Config ConfigFor(const std::string& backend) {
  Config config;
  config.search.binary = backend;
  config.search.fallback_binary = "";
  return config;
}

}  // namespace forge::testing
