#include "cli/mcp_roots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <filesystem>

#include "tests/testing/temp_tree.h"

namespace forge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class McpRoots : public ::testing::Test {
 protected:
  McpRoots() {
    tree_.MakeFolder("home/project/.git");
    tree_.MakeFolder("home/project/src/deep");
    tree_.Write("home/linked/.git", "gitdir: elsewhere\n");
    tree_.MakeFolder("plain");
    tree_.Link("home", "link");
    variables_["HOME"] = tree_.Path("home");
  }

  Result<std::vector<std::string>> Choose(const std::string& folder) {
    return ChooseRoots({flags_, sandbox_, Environment(variables_), folder, client_});
  }

  testing::TempTree tree_;
  std::vector<std::string> flags_;
  SandboxConfig sandbox_;
  std::vector<std::string> client_;
  Environment::Variables variables_;
};

TEST_F(McpRoots, TheHighestSourceWins) {
  const std::string deep = tree_.Path("home/project/src/deep");
  EXPECT_THAT(*Choose(tree_.Path("plain")), ElementsAre(tree_.Path("plain")));
  EXPECT_THAT(*Choose(deep), ElementsAre(tree_.Path("home/project")));
  EXPECT_THAT(*Choose(tree_.Path("home/linked")), ElementsAre(tree_.Path("home/linked")));
  variables_["CLAUDE_PROJECT_DIR"] = "/claude";
  EXPECT_THAT(*Choose(deep), ElementsAre("/claude"));
  variables_["FORGE_SEARCH_ROOT"] = "/env";
  EXPECT_THAT(*Choose(deep), ElementsAre("/env"));
  sandbox_.allowed_roots = {"/config", "/other"};
  EXPECT_THAT(*Choose(deep), ElementsAre("/config", "/other"));
  flags_ = {"/flag"};
  EXPECT_THAT(*Choose(deep), ElementsAre("/flag"));
}

TEST_F(McpRoots, TheWholeDiskAndTheHomeFolderAreRefusedUnlessNamedByFlag) {
  for (const std::string& folder :
       {std::string("/"), tree_.Path("home"), tree_.Path("home/"), tree_.Path("link"), tree_.Path("home/project/..")}) {
    const auto roots = Choose(folder);
    ASSERT_FALSE(roots) << folder;
    EXPECT_THAT(roots.error().message, HasSubstr("forge-search mcp --root FOLDER"));
  }
  variables_["FORGE_SEARCH_ROOT"] = tree_.Path("home");
  EXPECT_THAT(Choose("/").error().message,
              HasSubstr("(the home folder, or one that holds it), from FORGE_SEARCH_ROOT"));
  flags_ = {"/"};
  EXPECT_THAT(*Choose("/"), ElementsAre("/"));
}

TEST_F(McpRoots, FoldersThatHoldTheHomeFolderAreRefusedToo) {
  EXPECT_THAT(Choose(tree_.root()).error().message, HasSubstr("or one that holds it"));
  client_ = {tree_.root()};
  EXPECT_THAT(Choose(tree_.Path("home/project")).error().message, HasSubstr("the roots of the client"));
}

// A host may start us without HOME. The user database knows the home folder.
TEST_F(McpRoots, WithoutHomeTheUserDatabaseSaysWhereItIs) {
  const passwd* user = getpwuid(geteuid());
  ASSERT_NE(user, nullptr);
  const std::string home = user->pw_dir;
  if (!std::filesystem::is_directory(home)) GTEST_SKIP() << home << " is not there";
  variables_.erase("HOME");
  EXPECT_FALSE(Choose(home)) << home;
  EXPECT_FALSE(Choose(std::filesystem::path(home).parent_path().string()));
  EXPECT_TRUE(Choose(tree_.Path("plain")));
  variables_["HOME"] = tree_.Path("home");
  EXPECT_FALSE(Choose(home)) << "whatever HOME says";
}

TEST_F(McpRoots, TheClientsRootsComeAfterTheEnvironmentAndBeforeTheGitWorkTree) {
  const std::string project = tree_.Path("home/project");
  client_ = {tree_.Path("plain"), tree_.Path("gone")};
  EXPECT_THAT(*Choose(project), ElementsAre(tree_.Path("plain"))) << "what is not there does not count";
  client_ = {tree_.Path("gone")};
  EXPECT_THAT(*Choose(project), ElementsAre(project));
  client_ = {tree_.Path("home")};
  EXPECT_THAT(Choose(project).error().message, HasSubstr("the roots of the client"));
  RootSources sources{flags_, sandbox_, Environment(variables_), project, {}};
  EXPECT_TRUE(WantsClientRoots(sources));
  sources.environment = Environment(Environment::Variables{{"FORGE_SEARCH_ROOT", "/x"}});
  EXPECT_FALSE(WantsClientRoots(sources));
}

}  // namespace
}  // namespace forge::cli
