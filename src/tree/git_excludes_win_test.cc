#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/temp_tree.h"
#include "tree/git_excludes.h"

namespace forge {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

// What is in `inputs` is looked at before each search. A share that a tree names is not:
// Windows would sign the user in on that server.
TEST(GitExcludesWin, ATreeNamesNoOtherMachine) {
  const testing::TempTree tree;
  tree.Write("pointer/.git", "gitdir: //server.invalid/share/repo\n");
  tree.Write("slashes/.git", "gitdir: \\\\server.invalid\\share\\repo\n");
  tree.Write("common/.git/HEAD", "ref: refs/heads/main\n");
  tree.Write("common/.git/commondir", "//server.invalid/share/repo\n");
  tree.Write("config/.git/HEAD", "ref: refs/heads/main\n");
  tree.Write("config/.git/config",
             "[core]\n excludesFile = //server.invalid/share/ignore\n[include]\n path = //server.invalid/share/more\n");
  const Sandbox sandbox = *Sandbox::Create({tree.root()}, "", {});
  const GitEnvironment environment;
  GitExcludes excludes(environment, sandbox);
  std::vector<IgnoreFileError> errors;
  for (const char* folder : {"pointer", "slashes", "common", "config"}) {
    EXPECT_TRUE(excludes.IsRepository(tree.Path(folder), errors)) << folder;
    excludes.ForRepository(tree.Path(folder), errors);
  }
  EXPECT_THAT(excludes.inputs(), Each(Not(HasSubstr("server.invalid"))));
}

// git for Windows writes slashes, other programs do not.
TEST(GitExcludesWin, AWorkTreeMayBeNamedWithoutADriveOrWithBackslashes) {
  const testing::TempTree tree;
  const std::string git = tree.Path("main/.git/worktrees/wt");
  std::string slashed = git;
  for (char& c : slashed) c = c == '/' ? '\\' : c;
  for (const std::string& named : {git, git.substr(2), slashed}) {
    tree.Write("wt/.git", "gitdir: " + named + "\n");
    tree.Write("main/.git/worktrees/wt/gitdir", tree.Path("wt/.git").substr(2) + "\n");
    tree.Write("main/.git/worktrees/wt/commondir", "../..\n");
    tree.Write("main/.git/info/exclude", "*.secret\n");
    const Sandbox sandbox = *Sandbox::Create({tree.Path("wt")}, "", {});
    const GitEnvironment environment;
    GitExcludes excludes(environment, sandbox);
    std::vector<IgnoreFileError> errors;
    EXPECT_NE(excludes.ForRepository(tree.Path("wt"), errors).exclude, nullptr) << named;
  }
}

}  // namespace
}  // namespace forge
