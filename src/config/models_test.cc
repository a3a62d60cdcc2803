#include "config/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load.h"
#include "config/print.h"
#include "tests/testing/temp_tree.h"

namespace forge::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ModelsFile : public ::testing::Test {
 protected:
  Result<Loaded> LoadText(std::string_view text, std::vector<std::string> sets = {}) {
    tree_.Write("c.toml", text);
    return Load({.file = tree_.Path("c.toml"), .sets = std::move(sets)});
  }
  std::string ErrorOf(std::string_view text) {
    const auto loaded = LoadText(text);
    return loaded ? "none" : loaded.error().message;
  }

  testing::TempTree tree_;
};

constexpr std::string_view kTwo = R"([[llm.models]]
name = "local"
base_url = "http://localhost:11434/v1"
model = "qwen3"
max_retries = 0

[[llm.models]]
name = "far"
provider = "anthropic"
model = "claude"
api_key_cmd = ["pass", "show", "key"]
)";

TEST_F(ModelsFile, EachTableIsAModel) {
  const auto loaded = LoadText(kTwo);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, IsEmpty());
  const auto& models = loaded->config.llm.models;
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].name, "local");
  EXPECT_EQ(models[0].provider, Provider::kOpenAi);
  EXPECT_EQ(models[0].base_url, "http://localhost:11434/v1");
  EXPECT_EQ(models[0].max_retries, 0);
  EXPECT_EQ(models[1].provider, Provider::kAnthropic);
  EXPECT_EQ(models[1].max_retries, 2);
  EXPECT_THAT(models[1].api_key_cmd, ElementsAre("pass", "show", "key"));
}

TEST_F(ModelsFile, WhatIsPrintedLoadsAgain) {
  const auto loaded = LoadText(kTwo);
  ASSERT_TRUE(loaded);
  const std::string printed = Print(*loaded, false);
  const auto again = LoadText(printed);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(Print(*again, false), printed);
  EXPECT_EQ(again->config.llm.models.size(), 2U);
}

TEST_F(ModelsFile, AKeyIsNeverPrinted) {
  const auto loaded = LoadText("[[llm.models]]\nname='a'\nmodel='m'\napi_key='sk-secret'\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.llm.models[0].api_key, "sk-secret");
  EXPECT_THAT(Print(*loaded, true), AllOf(HasSubstr("# api_key is set, and not shown"), Not(HasSubstr("sk-secret"))));
  EXPECT_THAT(ErrorOf("[[llm.models]]\nname='a'\nmodel='m'\napi_key=['sk-secret']\n"),
              AllOf(HasSubstr("api_key is (not shown)"), Not(HasSubstr("sk-secret"))));
}

TEST_F(ModelsFile, APasswordInAnAddressIsNeverPrinted) {
  const auto loaded =
      LoadText("[[llm.models]]\nname='a'\nmodel='m'\nbase_url='https://me:hunter2@host/v1?k=hunter2'\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.llm.models[0].base_url, "https://me:hunter2@host/v1?k=hunter2");
  const std::string printed = Print(*loaded, true);
  EXPECT_THAT(printed, AllOf(HasSubstr("# base_url is set, and not shown whole: "
                                       "\"https://(not shown)@host/v1?(not shown)\"\n"),
                             Not(HasSubstr("hunter2")), Not(HasSubstr("me:"))));
  EXPECT_TRUE(LoadText(printed));
  EXPECT_THAT(ErrorOf("[[llm.models]]\nname='a'\nmodel='m'\nbase_url=['https://me:hunter2@host']\n"),
              AllOf(HasSubstr("base_url is (not shown)"), Not(HasSubstr("hunter2"))));
}

TEST_F(ModelsFile, AKeyInThePlaceOfAVariableIsRefusedUnseen) {
  EXPECT_THAT(ErrorOf("[[llm.models]]\nname='a'\nmodel='m'\napi_key_env='sk-secret'\n"),
              AllOf(HasSubstr("api_key_env is not the name of a variable"), Not(HasSubstr("sk-secret"))));
  EXPECT_THAT(ErrorOf("[[llm.models]]\nname='a'\nmodel='m'\napi_key_env=['sk-secret']\n"),
              AllOf(HasSubstr("api_key_env is (not shown)"), Not(HasSubstr("sk-secret"))));
}

TEST_F(ModelsFile, MistakesAreNamedWithTheirPlace) {
  const struct {
    const char* text;
    const char* error;
  } rows[] = {
      {"[[llm.models]]\nmodel='m'\n", "llm.models[0] has no name"},
      {"[[llm.models]]\nname='a'\n", "llm.models[0] (\"a\") has no model"},
      {"[[llm.models]]\nname='a'\nmodel='m'\nprovider='google'\n",
       ":4:10), but must be \"openai\", \"openai-responses\" or \"anthropic\""},
      {"[[llm.models]]\nname='a'\nmodel='m'\napi_key='x'\napi_key_env='Y'\n", "has more than one of api_key"},
      {"[[llm.models]]\nname='a'\nmodel='m'\n[[llm.models]]\nname='a'\nmodel='m'\n",
       "llm.models[1]: the name \"a\" is taken by another model"},
      {"[[llm.models]]\nname='a'\nmodel='m'\ntimeout_ms='x'\n", "but must be an integer of at least 1"},
      {"[llm.models]\nname='a'\n", "models must be written as [[llm.models]]"},
      {"[llm]\nmodels=5\n", "models must be written as [[llm.models]]"},
  };
  for (const auto& row : rows) EXPECT_THAT(ErrorOf(row.text), HasSubstr(row.error)) << row.text;
}

TEST_F(ModelsFile, AnUnknownKeyIsAWarningWithoutItsValue) {
  const auto loaded = LoadText("[[llm.models]]\nname='a'\nmodel='m'\napi_kee='sk-secret'\n");
  ASSERT_TRUE(loaded);
  EXPECT_THAT(loaded->warnings, ElementsAre(AllOf(HasSubstr("unknown key llm.models[0].api_kee"),
                                                  HasSubstr("did you mean api_key?"), Not(HasSubstr("sk-secret")))));
}

TEST_F(ModelsFile, OneTableOfManyCannotBeSetFromOutside) {
  const auto loaded = LoadText(kTwo, {"llm.models[1].model=x"});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("in the configuration file (--set)"));
}

TEST_F(ModelsFile, TheRecommendedFileShowsHowToWriteOne) {
  std::string text = RecommendedFile();
  EXPECT_THAT(text, HasSubstr("# [[llm.models]]\n# # What you call it.\n# name = \"local\"\n"));
  ASSERT_TRUE(LoadText(text));
}

}  // namespace
}  // namespace forge::config
