#include "tree/git_config.h"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <csignal>

#include "os/named_file.h"
#include "tests/testing/git.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

std::string Parsed(std::string_view text) {
  std::string out;
  const bool fine = ParseGitConfig(text, [&](const GitConfigEntry& e) {
    out += e.section + (e.subsection ? "[" + *e.subsection + "]" : "") + "." + e.key;
    out += e.value ? "=" + *e.value + ";" : ";";
  });
  return out + (fine ? "" : "error");
}

TEST(GitConfig, ReadsTheSyntax) {
  const struct {
    std::string_view text;
    std::string_view parsed;
  } cases[] = {
      {"[core]\n\texcludesFile = ~/x\n", "core.excludesfile=~/x;"},
      {"[CORE]excludesfile=x", "core.excludesfile=x;"},
      {"[a \"B c\\\"d\"] k = v", "a[B c\"d].k=v;"},
      {"[a.b] k = v", "a[b].k=v;"},
      {"[a]\nk = x y  # c\n", "a.k=x y;"},
      {"[a]\nk = \"x # y \" ; c\n", "a.k=x # y ;"},
      {"[a]\nk = a\\\n  b\n", "a.k=a  b;"},
      {"[a]\nk = \\t\\\"\\\\\n", "a.k=\t\"\\;"},
      {"[a]\nk\nl = 1", "a.k;a.l=1;"},
      {"; c\n# d\n[a]\r\nk = v\r\n", "a.k=v;"},
      {"\xEF\xBB\xBF[a]\nk=v", "a.k=v;"},
      {"[a]\nk =\n", "a.k=;"},
      {"[a]\nk = v\f\n", "a.k=v\f;"},
      {"[a]\nk = \"x\n", "error"},
      {"[a\nk = x\n", "error"},
      {"[a]\n= x\n", "error"},
      {"[a]\nok = 1\nk = \\q\n", "a.ok=1;error"},
  };
  for (const auto& c : cases) EXPECT_EQ(Parsed(c.text), c.parsed) << c.text;
}

GitConfigReader ReaderOf(const std::string& file, const GitEnvironment& environment, GitPlace place = {}) {
  GitConfigReader reader(environment, std::move(place));
  reader.Read(file, os::ReadSmallFile, ConfigWriter::kUser);
  return reader;
}

std::optional<std::string> ExcludesFile(const std::string& file, const GitEnvironment& environment = {},
                                        GitPlace place = {}) {
  return ReaderOf(file, environment, std::move(place)).settings().excludes_file;
}

// libFuzzer has such a timer. Its signal once ended the wait for git early, and a
// part of what git wrote looked like a difference.
class SignalsAllTheTime {
 public:
  SignalsAllTheTime() {
    struct sigaction nothing = {};  // without SA_RESTART
    nothing.sa_handler = [](int) {};
    sigaction(SIGALRM, &nothing, &before_);
    const itimerval often = {{0, 300}, {0, 300}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~SignalsAllTheTime() {
    const itimerval never = {};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  SignalsAllTheTime(const SignalsAllTheTime&) = delete;
  SignalsAllTheTime& operator=(const SignalsAllTheTime&) = delete;

 private:
  struct sigaction before_ = {};
};

TEST(GitConfig, TheOracleIsAwaitedThroughSignals) {
  const SignalsAllTheTime signals;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(testing::RunGit("/", {"version"}).starts_with("git version")) << i;
}

TEST(GitConfig, AgreesWithGitOnValues) {
  const testing::TempTree tree;
  const std::string_view texts[] = {"[core]\nexcludesFile = a b  \n",
                                    "[core]\nexcludesFile = \" a\" b ;c\n",
                                    "[core]\nexcludesFile = a\\\nb\n",
                                    "[core \"x\"]\nexcludesFile = n\n[core]\nexcludesFile=y",
                                    "[core]\nexcludesFile = 1\n[Core]\nEXCLUDESFILE = 2\n",
                                    "[core \"\"]\nexcludesFile = n\n",
                                    "[core]\nexcludesfile = a\\\\b\"c\"d # x\n"};
  for (const std::string_view text : texts) {
    tree.Write("config", text);
    std::string expected =
        testing::RunGit(tree.root(), {"config", "-f", tree.Path("config"), "-z", "core.excludesFile"});
    if (!expected.empty()) expected.pop_back();
    EXPECT_EQ(ExcludesFile(tree.Path("config")).value_or(""), expected) << text;
  }
}

TEST(GitConfig, IncludesAreReadInPlace) {
  const testing::TempTree tree;
  GitEnvironment env;
  env.home = tree.Path("home");
  tree.Write("config", "[core]\nexcludesFile = first\n[include]\npath = sub/inc\n");
  tree.Write("sub/inc", "[include]\npath = ~/last\n");
  tree.Write("home/last", "[core]\nexcludesFile = ~/found\n");
  EXPECT_EQ(ExcludesFile(tree.Path("config"), env), tree.Path("home/found"));
  tree.Write("home/last", "[include]\npath = " + tree.Path("config"));  // a loop ends
  EXPECT_EQ(ExcludesFile(tree.Path("config"), env), "first");
}

// Twenty times itself, ten deep, would be 20^10 files.
TEST(GitConfig, IncludesAreCounted) {
  const testing::TempTree tree;
  std::string text = "[core]\nexcludesFile = found\n[include]\n";
  for (int i = 0; i < 20; ++i) text += "path = config\n";
  tree.Write("config", text);
  const GitEnvironment env;
  const GitConfigReader reader = ReaderOf(tree.Path("config"), env);
  EXPECT_TRUE(reader.cut());
  EXPECT_EQ(reader.looked_at().size(), GitConfigReader::kMostFiles);
  EXPECT_EQ(reader.settings().excludes_file, "found");
  tree.Write("config", text + "x = " + std::string(900'000, 'y') + "\n");
  const GitConfigReader large = ReaderOf(tree.Path("config"), env);
  EXPECT_TRUE(large.cut());
  EXPECT_LE(large.looked_at().size(), 5U) << "4 MiB, and one file over it";
}

TEST(GitConfig, AgreesWithGitOnConditions) {
  const testing::TempTree tree;
  const std::string top = tree.root();
  testing::RunGit(top, {"init", "-q", "-b", "feature/x", "t"});
  GitEnvironment env;
  env.home = top;
  const GitPlace place = {tree.Path("t/.git"), [] { return std::string("feature/x"); }};
  std::size_t held = 0;
  for (const std::string& condition : std::vector<std::string>{"gitdir:" + top + "/t/",
                                                               "gitdir:" + top + "/t/.git",
                                                               "gitdir:" + top + "/t",
                                                               "gitdir:t/",
                                                               "gitdir:t/.git",
                                                               "gitdir:**/t/**",
                                                               "gitdir:~/",
                                                               "gitdir:~/t/",
                                                               "gitdir:~/t",
                                                               "gitdir:./t/",
                                                               "gitdir:./",
                                                               "gitdir:./T/",
                                                               "gitdir/i:./T/",
                                                               "gitdir:T/",
                                                               "gitdir/i:T/",
                                                               "gitdir/i:" + top + "/T/.GIT",
                                                               "gitdir:*/t/.git",
                                                               "gitdir:x/",
                                                               "gitdir:",
                                                               "gitdir:/",
                                                               "gitdir:[s-u]/",
                                                               "gitdir:/**/.git",
                                                               "onbranch:feature/x",
                                                               "onbranch:feature/",
                                                               "onbranch:feature/*",
                                                               "onbranch:*",
                                                               "onbranch:**",
                                                               "onbranch:main",
                                                               "onbranch:",
                                                               "gitdir/I:T/",
                                                               "other:x",
                                                               ""}) {
    tree.Write(".gitconfig", "[includeIf \"" + condition + "\"]\npath = inc\n");
    tree.Write("inc", "[core]\nexcludesFile = held\n");
    const std::string expected = testing::RunGit(tree.Path("t"), {"config", "core.excludesFile"}, "", top);
    const auto ours = ExcludesFile(tree.Path(".gitconfig"), env, place);
    EXPECT_EQ(ours.value_or("") + (ours ? "\n" : ""), expected) << condition;
    held += ours ? 1U : 0U;
    EXPECT_FALSE(ExcludesFile(tree.Path(".gitconfig"), env)) << "without a repository: " << condition;
  }
  EXPECT_GT(held, 10U);
}

TEST(GitConfig, TheEnvironmentWinsOverFiles) {
  const testing::TempTree tree;
  tree.Write("config", "[core]\nexcludesFile = file\nignoreCase\n");
  const auto env = GitEnvironment::From(Environment({{"GIT_CONFIG_COUNT", "3"},
                                                     {"GIT_CONFIG_KEY_0", "CORE.excludesfile"},
                                                     {"GIT_CONFIG_VALUE_0", "~/one"},
                                                     {"GIT_CONFIG_KEY_1", "core.sub.excludesFile"},
                                                     {"GIT_CONFIG_VALUE_1", "other"},
                                                     {"GIT_CONFIG_KEY_2", "core.ignoreCase"},
                                                     {"GIT_CONFIG_VALUE_2", "false"},
                                                     {"GIT_CONFIG_KEY_3", "core.excludesFile"},
                                                     {"GIT_CONFIG_VALUE_3", "not counted"},
                                                     {"HOME", "/h"}}));
  GitConfigReader reader = ReaderOf(tree.Path("config"), env);
  EXPECT_TRUE(reader.settings().ignore_case);
  reader.UseOverrides(os::ReadSmallFile);
  EXPECT_EQ(reader.settings().excludes_file, "/h/one");
  EXPECT_FALSE(reader.settings().ignore_case);
}

// R9: a relative path would lead into the tree that is searched.
TEST(GitConfig, RelativePathsOfTheEnvironmentAreIgnored) {
  const auto files = [](Environment::Variables variables) {
    return GitEnvironment::From(Environment(std::move(variables))).configs;
  };
  using Files = std::vector<std::string>;
  EXPECT_EQ(files({{"HOME", "/h"}}), (Files{"/etc/gitconfig", "/h/.config/git/config", "/h/.gitconfig"}));
  EXPECT_EQ(files({{"HOME", "h"}, {"XDG_CONFIG_HOME", "x"}}), Files{"/etc/gitconfig"});
  EXPECT_EQ(files({{"HOME", "h"}, {"XDG_CONFIG_HOME", "/x"}, {"GIT_CONFIG_NOSYSTEM", "1"}}), Files{"/x/git/config"});
  EXPECT_EQ(files({{"HOME", "/h"}, {"GIT_CONFIG_GLOBAL", "g"}, {"GIT_CONFIG_SYSTEM", "s"}}), Files{});
  EXPECT_EQ(files({{"HOME", "/h"}, {"GIT_CONFIG_GLOBAL", ""}, {"GIT_CONFIG_NOSYSTEM", "no"}}), Files{"/etc/gitconfig"});
}

}  // namespace
}  // namespace forge
