#include "remote/protocol.h"

#include <gtest/gtest.h>

#include <string>

#include "config/limits.h"

namespace forge::remote {
namespace {

TEST(Protocol, TheConfigurationCrossesWithoutKeysAndRoots) {
  Config config;
  config.search.max_files = 123;
  config.search.index.mode = IndexMode::kOn;
  config.sandbox.denied_patterns = {"*.secret"};
  config.sandbox.allowed_roots = {"."};
  config.llm.models.emplace_back().api_key = "secret";
  const auto back = DecodeConfig(EncodeConfig(config));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->search.max_files, 200000) << "as recommended: limits come with each call";
  EXPECT_EQ(config::LimitsOf(config.search).max_files, 123);
  EXPECT_EQ(back->search.index.mode, IndexMode::kOn);
  EXPECT_EQ(back->sandbox.denied_patterns, config.sandbox.denied_patterns);
  EXPECT_TRUE(back->sandbox.allowed_roots.empty());
  EXPECT_TRUE(back->llm.models.empty());
}

TEST(Protocol, OnlyVariablesThatDecideCross) {
  const Environment environment({{"PATH", "/bin"}, {"HOME", "/h"}, {"GIT_CONFIG_COUNT", "0"}, {"OPENAI_API_KEY", "k"}});
  Config config;
  config.search.binary = "native";
  std::string names;
  for (const Variable& variable : VariablesFor(config, environment)) names += variable.name + " ";
  EXPECT_EQ(names, "GIT_CONFIG_COUNT HOME ");
  config.search.binary = "ugrep";
  EXPECT_EQ(VariablesFor(config, environment).size(), 3U);
}

}  // namespace
}  // namespace forge::remote
