#include "tool/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/search_tool.h"

namespace forge::tool {
namespace {

using ::testing::ElementsAre;

class NamedTool : public Tool {
 public:
  explicit NamedTool(Definition definition) : definition_(std::move(definition)) {}
  const Definition& definition() const override { return definition_; }
  Result<std::unique_ptr<Invocation>> Prepare(Arguments /*arguments*/) override { return BadArgs("not called"); }

 private:
  Definition definition_;
};

std::unique_ptr<Tool> Named(std::string_view name, std::vector<std::string_view> aliases = {}) {
  Definition definition;
  definition.name = name;
  definition.aliases = std::move(aliases);
  return std::make_unique<NamedTool>(std::move(definition));
}

std::unique_ptr<Tool> Search() {
  return MakeSearchTool([]() -> Result<std::shared_ptr<Engine>> { return ExecutionFailed("no engine"); });
}

TEST(Registry, FindsAToolByNameAndAliasExactly) {
  Registry registry;
  ASSERT_TRUE(registry.Add(Search()));
  for (const std::string_view name : {"Search", "search", "rg", "ripgrep", "ugrep", "ug", "search_files"}) {
    EXPECT_TRUE(registry.Find(name)) << name;
  }
  for (const std::string_view name : {"SEARCH", "Rg", "search ", ""}) {
    const auto found = registry.Find(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().kind, ErrorKind::kUnknownTool);
  }
  EXPECT_EQ(registry.Find("Serch").error().message, "there is no tool \"Serch\"; did you mean \"Search\"?");
  EXPECT_EQ(registry.Find("frobnicate").error().message, "there is no tool \"frobnicate\"; use Search");
}

// A host may have a tool of the same name.
TEST(Registry, APrefixIsInEveryNameThatAModelReads) {
  Registry registry("forge_");
  ASSERT_TRUE(registry.Add(Search()));
  ASSERT_TRUE(registry.Add(Named("other"), "a setting; use `Search`"));
  for (const std::string_view name : {"forge_Search", "Search", "forge_rg", "rg"}) {
    EXPECT_TRUE(registry.Find(name)) << name;
  }
  EXPECT_EQ(registry.NameOf((*registry.Find("Search"))->definition()), "forge_Search");
  EXPECT_EQ(registry.Find("Grep").error().message, "there is no tool \"Grep\"; use forge_Search");
  EXPECT_EQ(registry.Find("forge_Serch").error().message,
            "there is no tool \"forge_Serch\"; did you mean \"forge_Search\"?");
  EXPECT_EQ(registry.Find("other").error().message,
            "tool disabled: forge_other is switched off by a setting; use `forge_Search`");
  EXPECT_EQ(registry.Spelled("Search with `Search`, `pattern` and `other`"),
            "Search with `forge_Search`, `pattern` and `forge_other`");
}

TEST(Registry, ANameIsTakenOnlyOnce) {
  Registry registry;
  ASSERT_TRUE(registry.Add(Search()));
  const Status clash = registry.Add(Named("Other", {"rg"}));
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().kind, ErrorKind::kDuplicateTool);
  EXPECT_EQ(clash.error().message, "the tool name \"rg\" of Other is taken by Search");
  EXPECT_FALSE(registry.Find("Other"));
}

TEST(Registry, DefinitionsAreSortedAndLeaveOutDisabledTools) {
  Registry registry;
  ASSERT_TRUE(registry.Add(Named("b")));
  ASSERT_TRUE(registry.Add(Named("c"), "c.enabled = false"));
  ASSERT_TRUE(registry.Add(Named("a")));
  std::vector<std::string_view> names;
  for (const Definition* definition : registry.Definitions()) names.push_back(definition->name);
  EXPECT_THAT(names, ElementsAre("a", "b"));
  const auto disabled = registry.Find("c");
  ASSERT_FALSE(disabled);
  EXPECT_EQ(disabled.error().kind, ErrorKind::kSandboxViolation);
  EXPECT_EQ(disabled.error().code, ErrorCode::kDisabled);
  EXPECT_EQ(disabled.error().message, "tool disabled: c is switched off by c.enabled = false");
}

}  // namespace
}  // namespace forge::tool
