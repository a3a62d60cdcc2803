// Which ignore files count in a walk: compared with a table, and with git.
#include "tree/ignore_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "tests/testing/git.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using testing::Random;
using testing::SandboxOf;
using testing::TempTree;
using testing::WalkAll;

constexpr std::string_view kHead = "ref: refs/heads/main\n";

void WriteAll(const TempTree& tree, std::initializer_list<const char*> paths) {
  for (const char* path : paths) tree.Write(path, "");
}

TEST(IgnoreScope, GitignoreCountsWithoutARepository) {
  const TempTree tree;
  WriteAll(tree, {"a.o", "b.c", "sub/c.o"});
  tree.Write(".gitignore", "*.o\n");
  tree.Write("sub/.gitignore", "!c.o\n");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("b.c", "sub/c.o"));
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.traversal = {.no_ignore = true}}}),
              ElementsAre("a.o", "b.c", "sub/c.o"));
}

TEST(IgnoreScope, AnIgnoreFileOfAnyLevelBeatsGitignore) {
  const TempTree tree;
  WriteAll(tree, {"x/keep", "x/drop"});
  tree.Write(".ignore", "!keep\n");
  tree.Write("x/.gitignore", "keep\ndrop\n");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("x/keep"));
}

TEST(IgnoreScope, ParentsCountUpToTheRepositoryOnly) {
  const TempTree tree;
  WriteAll(tree, {"repo/sub/a", "repo/sub/b", "repo/sub/c", "repo/sub/d", "repo/sub/e"});
  tree.Write("repo/.git/HEAD", kHead);
  tree.Write(".gitignore", "a\n");
  tree.Write(".ignore", "b\n");
  tree.Write("repo/.gitignore", "/sub/c\n");
  tree.Write("repo/.ignore", "d\n");
  EXPECT_THAT(WalkAll(tree.Path("repo/sub")), ElementsAre("a", "b", "e"));
  tree.Remove("repo/.git");
  EXPECT_THAT(WalkAll(tree.Path("repo/sub")), ElementsAre("a", "b", "c", "d", "e"));
}

TEST(IgnoreScope, ANestedRepositoryHasItsOwnRules) {
  const TempTree tree;
  WriteAll(tree, {"a", "b", "in/a", "in/b", "in/c", "in/d", "in/sub/a"});
  tree.Write(".git/HEAD", kHead);
  tree.Write(".gitignore", "a\n");
  tree.Write(".git/info/exclude", "b\n");
  tree.Write(".ignore", "d\n");
  tree.Write("in/.git/HEAD", kHead);
  tree.Write("in/.git/info/exclude", "/c\n");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("in/a", "in/b", "in/sub/a"));
  EXPECT_THAT(WalkAll(tree.Path("in/sub")), ElementsAre("a"));
}

TEST(IgnoreScope, ALinkedWorkTreeUsesTheMainRepository) {
  const TempTree tree;
  tree.Write("main/.git/info/exclude", "a\n");
  tree.Write("main/.git/worktrees/w/commondir", "../..\n");
  tree.Write("w/.git", "gitdir: ../main/.git/worktrees/w\n");
  WriteAll(tree, {"w/a", "w/b"});
  EXPECT_THAT(WalkAll(SandboxOf(tree.root()), tree.Path("w")), ElementsAre("b"));
}

TEST(IgnoreScope, ARepositoryOutsideCountsOnlyIfItNamesTheWorkTree) {
  const TempTree tree;
  tree.Write("main/.git/info/exclude", "a\n");
  tree.Write("main/.git/worktrees/w/commondir", "../..\n");
  tree.Write("w/.git", "gitdir: ../main/.git/worktrees/w\n");
  WriteAll(tree, {"w/a", "w/b"});
  const auto walk = [&] { return WalkAll(tree.Path("w")); };
  EXPECT_THAT(walk(), ElementsAre("a", "b"));
  tree.Write("main/.git/worktrees/w/gitdir", "/somewhere/else/.git\n");
  EXPECT_THAT(walk(), ElementsAre("a", "b"));
  tree.Write("main/.git/worktrees/w/gitdir", tree.Path("w/.git") + "\n");
  EXPECT_THAT(walk(), ElementsAre("b"));
}

// The content of a file that is outside or denied must change no answer.
TEST(IgnoreScope, GitFilesOfTheTreeLeadNowhereOutside) {
  const TempTree tree;
  WriteAll(tree, {"w/a", "w/b"});
  tree.Write("secret", "a\n");
  tree.Write("evil/info/exclude", "a\n");
  tree.Write("evil/config", "[core]\nexcludesFile = " + tree.Path("secret") + "\n");
  tree.Write("w/x.pem", "a\n");
  const auto walk = [&] { return WalkAll(tree.Path("w"), {.rules = {.exclude = testing::Globs({"*.pem"})}}); };
  tree.Write("w/.git/HEAD", kHead);
  tree.Write("evil/HEAD", kHead);
  for (const std::string& named : {tree.Path("secret"), std::string("../secret"), tree.Path("w/x.pem")}) {
    tree.Write("w/.git/config", "[core]\nexcludesFile = " + named + "\n");
    EXPECT_THAT(walk(), ElementsAre("a", "b")) << named;
  }
  tree.Write("w/.git/config", "[include]\npath = " + tree.Path("evil/config") + "\n");
  EXPECT_THAT(walk(), ElementsAre("a", "b"));
  tree.Link(tree.Path("secret"), "w/.git/info/exclude");
  EXPECT_THAT(walk(), ElementsAre("a", "b")) << "a link of the tree";
  tree.Remove("w/.git");
  tree.Write("w/.git", "gitdir: " + tree.Path("evil") + "\n");
  EXPECT_THAT(walk(), ElementsAre("a", "b"));
  tree.Remove("w/.git");
  tree.Link(tree.Path("evil"), "w/.git");
  EXPECT_THAT(walk(), ElementsAre("a", "b"));
  // Inside, all of these files count.
  tree.Remove("w/.git");
  tree.Write("w/rules", "a\n/rules\n");
  tree.Write("w/.git/HEAD", kHead);
  tree.Write("w/.git/config", "[core]\nexcludesFile = rules\n");
  EXPECT_THAT(walk(), ElementsAre("b"));
}

TEST(IgnoreScope, SymlinkedIgnoreFilesAreNotRead) {
  const TempTree tree;
  tree.Write("rules", "a\n");
  tree.Write("x/a", "");
  tree.Link("../rules", "x/.gitignore");
  EXPECT_THAT(WalkAll(tree.Path("x")), ElementsAre("a"));
}

TEST(IgnoreScope, AHugeIgnoreFileIsSaid) {
  const TempTree tree;
  tree.Write("x/.ignore", std::string((1 << 20) + 1, '#'));
  tree.Write("x/a", "");
  const std::string error = "larger than 1 MiB; its rules are not applied";
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("ERROR x/.ignore: " + error, "x/a"));
  tree.Write(".git/HEAD", kHead);
  tree.Write(".gitignore", std::string((1 << 20) + 1, '#'));
  EXPECT_THAT(WalkAll(tree.Path("x")),
              ElementsAre("ERROR : .gitignore above: " + error, "ERROR .ignore: " + error, "a"));
}

TEST(IgnoreScope, GlobalExcludesAreFoundThroughTheConfiguration) {
  const TempTree tree;
  WriteAll(tree, {"t/a", "t/b", "t/c", "t/sub/a"});
  auto env = std::make_shared<GitEnvironment>();
  env->home = tree.Path("home");
  env->config_home = tree.Path("home/.config");
  env->configs = {tree.Path("home/.gitconfig")};
  const auto walk = [&] { return WalkAll(tree.Path("t"), {.git = env}); };
  tree.Write("home/.config/git/ignore", "/a\n");
  EXPECT_THAT(walk(), ElementsAre("b", "c", "sub/a"));
  tree.Write("home/.gitconfig", "[core]\nexcludesFile = ~/mine\n");
  tree.Write("home/mine", "b\n");
  EXPECT_THAT(walk(), ElementsAre("a", "c", "sub/a"));
  tree.Write("t/.git/HEAD", kHead);
  tree.Write("t/.git/config", "[core]\nexcludesFile = .git/own\n");
  tree.Write("t/.git/own", "c\n");
  EXPECT_THAT(walk(), ElementsAre("a", "b", "sub/a"));
  tree.Write("t/.git/config", "[core]\nexcludesFile =\n");
  EXPECT_THAT(walk(), ElementsAre("a", "b", "c", "sub/a"));
}

// FR-LS-SRC-06: no_ignore turns off the global excludes and info/exclude, too.
TEST(IgnoreScope, NoIgnoreTurnsOffGlobalExcludes) {
  const TempTree tree;
  WriteAll(tree, {"t/a", "t/b", "t/c"});
  auto env = std::make_shared<GitEnvironment>();
  env->home = tree.Path("home");
  env->configs = {tree.Path("home/.gitconfig")};
  tree.Write("home/.gitconfig", "[core]\nexcludesFile = ~/mine\n");
  tree.Write("home/mine", "a\n");
  const auto walk = [&](bool no_ignore) {
    return WalkAll(tree.Path("t"), {.rules = {.traversal = {.no_ignore = no_ignore}}, .git = env});
  };
  EXPECT_THAT(walk(false), ElementsAre("b", "c"));
  EXPECT_THAT(walk(true), ElementsAre("a", "b", "c"));
  tree.Write("t/.git/HEAD", kHead);
  tree.Write("t/.git/info/exclude", "b\n");
  EXPECT_THAT(walk(false), ElementsAre("c"));
  EXPECT_THAT(walk(true), ElementsAre("a", "b", "c"));
}

TEST(IgnoreScope, AGitFolderWithoutAHeadIsNoRepository) {
  const TempTree tree;
  WriteAll(tree, {"sub/a", "sub/b"});
  tree.Write(".git/HEAD", kHead);
  tree.Write(".gitignore", "a\n");
  tree.Write("sub/.git/info/exclude", "b\n");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("sub/b"));
  EXPECT_THAT(WalkAll(tree.Path("sub")), ElementsAre("b")) << "the rules of the parent count";
  tree.Write("sub/.git/HEAD", kHead);
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("sub/a"));
  EXPECT_THAT(WalkAll(tree.Path("sub")), ElementsAre("a"));
}

TEST(IgnoreScope, GitsSettingForCaseCountsForGitsFiles) {
  const TempTree tree;
  WriteAll(tree, {"A.log", "B.log", "C.log", "D.log", "in/A.LOG"});
  tree.Write(".git/HEAD", kHead);
  tree.Write(".git/config", "[core]\nignoreCase = true\n");
  tree.Write(".gitignore", "a.LOG\n");
  tree.Write(".git/info/exclude", "b.log\n");
  tree.Write(".ignore", "c.log\n");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("C.log", "D.log"));
  tree.Write("in/.git/HEAD", kHead);  // a repository of its own
  tree.Write("in/.gitignore", "a.log\n");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("C.log", "D.log", "in/A.LOG"));
}

TEST(IgnoreScope, AConfigurationThatIncludesItselfEndsAndIsSaid) {
  const TempTree tree;
  WriteAll(tree, {"a", "sub/b"});
  std::string text = "[include]\n";
  for (int i = 0; i < 20; ++i) text += "path = config\n";
  tree.Write("sub/.git/HEAD", kHead);
  tree.Write("sub/.git/config", text);
  const std::string error = "git's configuration has more than 100 files or 4 MiB; the rest is not read";
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("a", "ERROR sub/.git/config: " + error, "sub/b"));
  const std::string setting = "[core]\nignoreCase = true\n";
  tree.Write("sub/.gitignore", "B\n");
  tree.Write("sub/.git/config", "# " + std::string(3 << 20, 'x') + "\n" + setting);
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("a")) << "a large one is read";
  tree.Write("sub/.git/config", "# " + std::string(4 << 20, 'x') + "\n" + setting);
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("a", "ERROR sub/.git/config: " + error, "sub/b"));
}

std::string SlowRules(std::size_t count, std::string_view beginning) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out.append(beginning).append(std::to_string(i)).append("*\n");
  return out;
}

// The bound is for the rules in force in one folder, so it does not depend on
// the order in which folders are listed.
TEST(IgnoreScope, TooManyRulesAreNotAppliedAndSaid) {
  const TempTree tree;
  WriteAll(tree, {"d/a1", "d/e/b1", "d/e/f/c1", "g/b1"});
  tree.Write(".gitignore", SlowRules(4000, "a"));
  tree.Write("d/e/.gitignore", SlowRules(6000, "b"));
  tree.Write("d/e/f/.gitignore", SlowRules(1, "c"));
  tree.Write("g/.gitignore", SlowRules(6001, "b"));
  const std::string error =
      "with it, more than 10000 rules with wildcards or 8 MiB of rules would apply here; its rules are not applied";
  EXPECT_THAT(WalkAll(tree.root()),
              ElementsAre("ERROR d/e/f/.gitignore: " + error, "d/e/f/c1", "ERROR g/.gitignore: " + error, "g/b1"));
  // Rules that are found by hash may be many.
  std::string names;
  for (int i = 0; i < 50'000; ++i) names += "n" + std::to_string(i) + "\n*.e" + std::to_string(i) + "\n";
  tree.Write("d/e/f/.gitignore", names + "c1\n");
  tree.Remove("g");
  EXPECT_THAT(WalkAll(tree.root()), ::testing::IsEmpty());
}

// --- against git -----------------------------------------------------------

constexpr std::string_view kNames[] = {"a",   "b",  "c",  "ab",  "a.o",      "b.o",  "a b", "x ",  "A", "B",
                                       "A.O", "#c", "!n", "[d]", "\xC3\xA9", "b\nc", "*",   "\\e", ".h"};
constexpr std::string_view kLines[] = {
    "a",       "b/",    "/c",    "*.o",     "!a.o",  "!b",       "**/a",  "a/**",  "a/**/b", "!a/b", "/*/a", "[ab]",
    "[!a]",    "?",     "\\#c",  "\\!n",    "x\\ ",  "x ",       "#c",    "a\\ b", "a b",    "*/",   "!*/",  "!*",
    "*",       "/a/b",  "b/c",   "\\[d\\]", "[[]d]", "\xC3\xA9", "a*b",   "**",    "!**/c",  "c/*",  "!c/a", "\\*",
    "[*]",     "\\\\e", ".h",    "!.h",     ".*",    "a.o/",     "/a*",   "A",     "b\r",    "/",    "!",    "[a",
    "**/b/**", "!/ab",  "a/*/c", "*.[ao]",  "*b*",   "/**/ab",   "[A-B]", "!A",    "*.O",    "/B",   "A/b",  "!a/B"};

std::string RandomRules(Random& random) {
  std::string out;
  for (std::size_t n = 1 + random.Below(5); n > 0; --n) out.append(random.Pick(kLines)).append("\n");
  return out;
}

std::string RandomPath(Random& random, std::size_t depth) {
  std::string out;
  for (; depth > 0; --depth) out.append(random.Pick(kNames)).append("/");
  return out;
}

void TryWrite(const TempTree& tree, const std::string& path, const std::string& content = "") {
  try {
    if (!std::filesystem::exists(tree.Path(path))) tree.Write(path, content);
  } catch (const std::exception&) {  // a file stands where a folder should be
  }
}

void TryMakeFolder(const TempTree& tree, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(tree.Path(path), error);
}

std::vector<std::string> UntrackedByGit(const TempTree& tree, const std::string& home) {
  std::vector<std::string> out =
      testing::SplitNul(testing::RunGit(tree.Path("t"), {"ls-files", "-o", "--exclude-standard", "-z"}, "", home));
  std::sort(out.begin(), out.end());
  return out;
}

// Settings of the user and of the repository that change which rules count.
void WriteRandomSettings(const TempTree& base, const std::string& config, Random& random) {
  constexpr std::string_view kConditions[] = {"gitdir:~/t/", "gitdir:t/",     "gitdir/i:T/",
                                              "gitdir:x/",   "onbranch:main", "onbranch:other"};
  // The first is for the user only: a repository's own files may not lead out of
  // the tree.
  constexpr std::string_view kSettings[] = {"[core]\nexcludesFile = ~/mine\n",   "",
                                            "[core]\nignoreCase = true\n",       "[core]\nignoreCase = no\n",
                                            "[core]\nexcludesFile = .git/own\n", "[core]\nexcludesFile =\n"};
  const auto users = [&] { return std::string(random.Pick(kSettings)); };
  const auto trees = [&] { return std::string(random.Pick(std::span(kSettings).subspan(1))); };
  base.Write("mine", RandomRules(random));
  base.Write("t/.git/own", RandomRules(random));
  base.Write("inc", users());
  base.Write(".gitconfig", users() + "[includeIf \"" + std::string(random.Pick(kConditions)) + "\"]\npath = inc\n");
  const bool per_worktree = random.OneIn(3);
  base.Write("t/.git/config", config + trees() + (per_worktree ? "[extensions]\nworktreeConfig = true\n" : ""));
  base.Write("t/.git/config.worktree", trees());
}

TEST(IgnoreScope, AgreesWithGitOnRandomTrees) {
  const TempTree base;
  testing::RunGit(base.root(), {"init", "-q", "-b", "main", "t"});
  const std::string config = base.Read("t/.git/config");
  const std::uint64_t first = testing::FirstSeed();
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(100); ++seed) {
    Random random(seed);
    for (const auto& entry : std::filesystem::directory_iterator(base.Path("t"))) {
      if (entry.path().filename() != ".git") std::filesystem::remove_all(entry.path());
    }
    for (std::size_t n = 5 + random.Below(15); n > 0; --n) {
      TryWrite(base, "t/" + RandomPath(random, random.Below(3)) + std::string(random.Pick(kNames)));
    }
    for (std::size_t n = random.Below(4); n > 0; --n) {
      TryWrite(base, "t/" + RandomPath(random, random.Below(3)) + ".gitignore", RandomRules(random));
    }
    base.Write("t/.git/info/exclude", random.OneIn(2) ? RandomRules(random) : "");
    base.Write(".config/git/ignore", random.OneIn(2) ? RandomRules(random) : "");
    if (random.OneIn(3)) TryMakeFolder(base, "t/" + RandomPath(random, 1 + random.Below(2)) + ".git");
    WriteRandomSettings(base, config, random);
    auto env = std::make_shared<GitEnvironment>(
        GitEnvironment::From(Environment({{"HOME", base.root()}, {"GIT_CONFIG_NOSYSTEM", "1"}})));
    std::vector<std::string> ours = WalkAll(
        base.Path("t"), {.rules = {.traversal = {.hidden = true}, .exclude = testing::Globs({".git"})}, .git = env});
    std::sort(ours.begin(), ours.end());
    ASSERT_EQ(ours, UntrackedByGit(base, base.root())) << "seed " << seed;
  }
}

TEST(IgnoreScope, AgreesWithGitOnNestedRepositories) {
  const TempTree tree;
  testing::RunGit(tree.root(), {"init", "-q", "t"});
  testing::RunGit(tree.root(), {"init", "-q", "t/in"});
  WriteAll(tree, {"t/a", "t/b", "t/in/a", "t/in/b", "t/in/d/c"});
  tree.Write("t/.gitignore", "a\n");
  tree.Write("t/in/.gitignore", "/b\nd/c\n");
  EXPECT_THAT(WalkAll(tree.Path("t")), ElementsAre("b", "in/a"));
  const auto inner = testing::RunGit(tree.Path("t/in"), {"ls-files", "-o", "--exclude-standard"});
  EXPECT_EQ(inner, ".gitignore\na\n");
}

}  // namespace
}  // namespace forge
