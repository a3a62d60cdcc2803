#include "keyword/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/temp_tree.h"

namespace forge::keyword {
namespace {

using ::testing::HasSubstr;

class Scope : public ::testing::Test {
 protected:
  // The scope relative to the tree ("." for its top), or "error: ...".
  std::string Find(const std::string& root, const std::string& working_dir, bool named = true,
                   const std::string& home = "/nonexistent") {
    const std::string full = root == "." ? tree_.root() : tree_.Path(root);
    auto sandbox = Sandbox::Create({full}, working_dir == "." ? tree_.root() : tree_.Path(working_dir), {});
    if (!sandbox) return "no sandbox: " + sandbox.error().message;
    const auto scope = FindScope(*sandbox, named ? std::vector{full} : std::vector<std::string>{}, home);
    if (!scope) return "error: " + scope.error().message;
    return *scope == tree_.root() ? "." : std::string(RelativeTo(*scope, tree_.root()));
  }

  testing::TempTree tree_;
};

TEST_F(Scope, IsTheGitRootAroundTheWorkingFolder) {
  tree_.MakeFolder("repo/.git");
  tree_.MakeFolder("repo/src/deep");
  tree_.Write("repo/linked/.git", "gitdir: ../.git/worktrees/linked\n");
  tree_.MakeFolder("repo/linked/src");
  tree_.MakeFolder("plain/src");
  const struct {
    const char* root;
    const char* working_dir;
    const char* scope;
  } rows[] = {
      {".", "repo/src/deep", "repo"},
      {".", "repo", "repo"},
      {".", "repo/linked/src", "repo/linked"},    // a .git file counts (H14)
      {"repo/src", "repo/src/deep", "repo/src"},  // above the sandbox: its root (H7)
      {"repo/src/deep", "repo/src/deep", "repo/src/deep"},
      {".", "plain/src", "plain/src"},  // no git: the working folder
  };
  for (const auto& row : rows) EXPECT_EQ(Find(row.root, row.working_dir), row.scope) << row.working_dir;
}

TEST_F(Scope, TheHomeFolderIsRefusedUnlessItIsNamed) {
  tree_.MakeFolder("home/project");
  EXPECT_THAT(Find("home", "home", false, tree_.Path("home")), HasSubstr("(the home folder, or one that holds it)"));
  EXPECT_EQ(Find("home", "home", true, tree_.Path("home")), "home");
  EXPECT_EQ(Find("home", "home/project", false, tree_.Path("home")), "home/project");
  EXPECT_THAT(Find(".", ".", false, tree_.Path("home")), HasSubstr("or one that holds it"));
  tree_.MakeFolder("home/.git");  // dot files under version control
  EXPECT_THAT(Find(".", "home/project", true, tree_.Path("home")),
              HasSubstr("(the home folder, or one that holds it)"));
}

TEST_F(Scope, SoIsTheWholeMachine) {
  const auto sandbox = Sandbox::Create({"/"}, "/", {});
  ASSERT_TRUE(sandbox);
  EXPECT_FALSE(FindScope(*sandbox, {}, ""));
  EXPECT_EQ(*FindScope(*sandbox, {"/"}, ""), "/");
}

}  // namespace
}  // namespace forge::keyword
