#include "llm/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/temp_tree.h"

namespace forge::llm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Vars = Environment::Variables;

ModelConfig Local(std::string name) {
  ModelConfig model;
  model.name = std::move(name);
  model.base_url = "http://localhost:1/v1";
  model.model = "m";
  return model;
}

std::string Picked(const Registry& registry, std::string_view name = "") {
  const auto model = registry.Pick(name);
  return model ? model->name : "error: " + model.error().message;
}

TEST(Registry, FastAndCheapModelsArePreferredThenAnyByName) {
  const struct {
    Vars variables;
    std::vector<std::string> configured;
    const char* picked;
  } rows[] = {
      {{{"FIREWORKS_API_KEY", "k"}, {"OPENAI_API_KEY", "k"}, {"ANTHROPIC_API_KEY", "k"}}, {}, "qwen3-coder-fireworks"},
      {{{"OPENAI_API_KEY", "k"}, {"ANTHROPIC_API_KEY", "k"}}, {"a"}, "gpt-5-thinking-mini"},
      {{{"ANTHROPIC_API_KEY", "k"}}, {"a"}, "claude-sonnet-4.5"},
      {{{"OPENAI_API_KEY", ""}}, {"zeta", "beta"}, "beta"},
      {{{"ANTHROPIC_API_KEY", "k"}}, {"gpt5-mini"}, "gpt5-mini"},
  };
  for (const auto& row : rows) {
    LlmConfig config;
    for (const std::string& name : row.configured) config.models.push_back(Local(name));
    EXPECT_EQ(Picked(Registry(config, Environment(row.variables))), row.picked);
  }
}

TEST(Registry, AConfiguredModelTakesThePlaceOfOurs) {
  const Registry registry({{Local("claude-sonnet-4.5")}}, Environment(Vars{{"ANTHROPIC_API_KEY", "k"}}));
  EXPECT_EQ(registry.Pick("claude-sonnet-4.5")->base_url, "http://localhost:1/v1");
  EXPECT_THAT(registry.Available(), ElementsAre("claude-sonnet-4.5"));
}

TEST(Registry, TheUsualVariablesMoveOurModels) {
  const Registry registry({}, Environment(Vars{{"OPENAI_API_KEY", "k"}, {"OPENAI_BASE_URL", "http://localhost:2/v1"}}));
  EXPECT_EQ(registry.Pick("")->base_url, "http://localhost:2/v1");
}

TEST(Registry, WithoutAModelTheErrorSaysWhatWouldProvideOne) {
  EXPECT_THAT(Picked(Registry({}, Environment())),
              AllOf(HasSubstr("no LLM available for filtering"), HasSubstr("FIREWORKS_API_KEY"),
                    HasSubstr("OPENAI_API_KEY"), HasSubstr("ANTHROPIC_API_KEY"), HasSubstr("[[llm.models]]")));
  ModelConfig model = Local("mine");
  model.api_key_env = "MY_KEY";
  const Registry registry({{model}}, Environment());
  EXPECT_THAT(registry.Available(), IsEmpty());
  EXPECT_THAT(Picked(registry), HasSubstr("\"mine\" cannot be used: MY_KEY is not set"));
  EXPECT_EQ(Picked(registry, "mine"), "error: the model \"mine\" cannot be used: MY_KEY is not set");
  EXPECT_THAT(Picked(registry, "mime"), HasSubstr("did you mean \"mine\"?"));
  EXPECT_THAT(Picked(registry, "xyz"), HasSubstr("the models are claude-sonnet-4.5, gpt-5-thinking-mini"));
}

TEST(Registry, APreviewNeedsNoKey) {
  const Registry registry({}, Environment());
  EXPECT_EQ(registry.PickForPreview("")->name, "qwen3-coder-fireworks");
  EXPECT_EQ(registry.PickForPreview("gpt5-mini")->name, "gpt5-mini");
  EXPECT_FALSE(registry.PickForPreview("xyz"));
  EXPECT_EQ(Registry({{Local("a")}}, Environment()).PickForPreview("")->name, "a");
}

class ApiKey : public ::testing::Test {
 protected:
  // The key, or "error: ..."
  std::string Key(const std::function<void(ModelConfig&)>& change, Vars variables = {}) {
    ModelConfig model = Local("m");
    change(model);
    variables.emplace("PATH", "/usr/bin:/bin");
    variables.emplace("HOME", tree_.root());
    const auto key = Registry({}, Environment(variables)).KeyOf(model, Deadline());
    return key ? *key : "error: " + key.error().message;
  }

  testing::TempTree tree_;
};

TEST_F(ApiKey, ComesFromFourPlaces) {
  tree_.Write("key", " sk-1\n");
  EXPECT_EQ(Key([](ModelConfig&) {}), "");
  EXPECT_EQ(Key([](ModelConfig& m) { m.api_key = "sk-1"; }), "sk-1");
  EXPECT_EQ(Key([](ModelConfig& m) { m.api_key_env = "K"; }, {{"K", "sk-1"}}), "sk-1");
  EXPECT_EQ(Key([](ModelConfig& m) { m.api_key_file = "~/key"; }), "sk-1");
  EXPECT_EQ(Key([&](ModelConfig& m) { m.api_key_file = tree_.Path("key"); }), "sk-1");
  EXPECT_EQ(Key([](ModelConfig& m) { m.api_key_cmd = {"echo", "sk-1"}; }), "sk-1");
}

TEST_F(ApiKey, ErrorsSayWhereAndNeverWhat) {
  tree_.Write("two", "sk-1\nsk-2\n");
  tree_.Write("empty", "\n");
  const struct {
    std::function<void(ModelConfig&)> change;
    const char* message;
  } rows[] = {
      {[](ModelConfig& m) { m.api_key = "sk-1\r\nX: y"; }, "api_key holds more than one word"},
      {[](ModelConfig& m) { m.api_key_file = "~/two"; }, "holds more than one word"},
      {[](ModelConfig& m) { m.api_key_file = "~/empty"; }, "holds nothing"},
      {[](ModelConfig& m) { m.api_key_file = "~/missing"; }, "cannot read api_key_file"},
      {[](ModelConfig& m) { m.api_key_file = "key"; }, "must start with / or ~/"},
      {[](ModelConfig& m) { m.api_key_cmd = {"no-such-program"}; }, "there is no program no-such-program"},
      {[](ModelConfig& m) { m.api_key_cmd = {"false"}; }, "failed with exit status 1"},
      {[](ModelConfig& m) {
         m.api_key_cmd = {"echo", "sk-1", "sk-2"};
       },
       "the output of api_key_cmd holds more than"},
      {[](ModelConfig& m) {
         m.api_key_cmd = {"yes", "sk-1"};
       },
       "prints too much to be a key"},
  };
  for (const auto& row : rows) EXPECT_THAT(Key(row.change), AllOf(HasSubstr(row.message), Not(HasSubstr("sk-"))));
}

}  // namespace
}  // namespace forge::llm
