#include "agent/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CleanPath, IsWithoutWhatCannotBePartOfIt) {
  const std::pair<const char*, const char*> cases[] = {
      {"src/a.cc", "src/a.cc"},
      {"file:///p/src/a%20b.cc", "/p/src/a b.cc"},
      {"file://localhost/p/a.cc", "/p/a.cc"},
      {"src/a.cc:120", "src/a.cc"},
      {"src/a.cc:120:5", "src/a.cc"},
      {"src/a.cc:10-20", "src/a.cc"},
      {"src/a.cc#L10-L20", "src/a.cc"},
      {"`src/a.cc`", "src/a.cc"},
      {" \"src\" ", "src"},
      {"@src/a.cc", "src/a.cc"},
      {"src\\tool\\a.cc", "src/tool/a.cc"},
      {"a%zz", "a%zz"},
      {"src/a:b", "src/a:b"},
      {"", ""},
  };
  for (const auto& [given, clean] : cases) EXPECT_EQ(CleanPath(given), clean) << given;
}

const std::vector<std::string> kNames = {"README.md",        "docs/mcp.md",          "src/mcp/server.cc",
                                         "src/mcp/server.h", "src/remote/server.cc", "src/tool/tool.cc",
                                         "tests/tool/x.cc"};

TEST(GuessPath, APathThatCanMeanOneThingIsThatThing) {
  const std::pair<const char*, const char*> cases[] = {
      {"mcp/server.cc", "src/mcp/server.cc"},                 // a missing folder
      {"/src/mcp", "src/mcp"},                                // from the root of the project
      {"/workspace/src/mcp/server.cc", "src/mcp/server.cc"},  // another machine's folder
      {"project/docs/", "docs"},
      {"SRC/MCP/Server.CC", "src/mcp/server.cc"},  // another case
      {"Readme.md", "README.md"},
      {"./src/remote", "src/remote"},
      {"mcp.md", "docs/mcp.md"},
  };
  for (const auto& [given, meant] : cases)
    EXPECT_THAT(GuessPath(given, kNames, false).same, ElementsAre(meant)) << given;
}

TEST(GuessPath, OneThatCanMeanSeveralHasThemAll) {
  EXPECT_THAT(GuessPath("server.cc", kNames, false).same, ElementsAre("src/mcp/server.cc", "src/remote/server.cc"));
  EXPECT_THAT(GuessPath("A.C", {"a.C", "a.c"}, false).same, ElementsAre("a.C", "a.c"));
}

TEST(GuessPath, ElseThereIsWhatIsNear) {
  EXPECT_THAT(GuessPath("src/mpc/server.cc", kNames, false).near,
              ElementsAre("src/mcp/server.cc", "src/remote/server.cc"));
  EXPECT_THAT(GuessPath("docs/mcq.md", kNames, false).near, ElementsAre("docs/mcp.md"));
  EXPECT_THAT(GuessPath("src/mcp/nothing_like_it.py", kNames, false).near, ElementsAre("src/mcp"));
  EXPECT_THAT(GuessPath("zzzzzzzz", kNames, false).near, IsEmpty());
  EXPECT_THAT(GuessPath("", kNames, false).same, IsEmpty());
}

// Of a path outside, only an end that is a path inside helps.
TEST(GuessPath, OutsideNothingIsNear) {
  EXPECT_THAT(GuessPath("/etc/server.cc", kNames, true).same, IsEmpty());
  EXPECT_THAT(GuessPath("/etc/server.cc", kNames, true).near, IsEmpty());
  EXPECT_THAT(GuessPath("/other/src/mcp/server.cc", kNames, true).same, ElementsAre("src/mcp/server.cc"));
}

}  // namespace
}  // namespace forge::agent
