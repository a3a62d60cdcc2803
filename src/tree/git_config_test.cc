#include "tree/git_config.h"

#include <gtest/gtest.h>

#include "os/named_file.h"
#include "tests/testing/git.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

std::string Parsed(std::string_view text) {
  std::string out;
  const bool fine = ParseGitConfig(text, [&](const GitConfigEntry& e) {
    out += e.section + (e.subsection.empty() ? "" : "[" + e.subsection + "]") + "." + e.key;
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
      {"[a]\nk = \"x\n", "error"},
      {"[a\nk = x\n", "error"},
      {"[a]\n= x\n", "error"},
      {"[a]\nok = 1\nk = \\q\n", "a.ok=1;error"},
  };
  for (const auto& c : cases) EXPECT_EQ(Parsed(c.text), c.parsed) << c.text;
}

TEST(GitConfig, AgreesWithGitOnValues) {
  const testing::TempTree tree;
  const std::string_view texts[] = {"[core]\nexcludesFile = a b  \n",
                                    "[core]\nexcludesFile = \" a\" b ;c\n",
                                    "[core]\nexcludesFile = a\\\nb\n",
                                    "[core \"x\"]\nexcludesFile = n\n[core]\nexcludesFile=y",
                                    "[core]\nexcludesFile = 1\n[Core]\nEXCLUDESFILE = 2\n",
                                    "[core]\nexcludesfile = a\\\\b\"c\"d # x\n"};
  for (const std::string_view text : texts) {
    tree.Write("config", text);
    std::string expected =
        testing::RunGit(tree.root(), {"config", "-f", tree.Path("config"), "-z", "core.excludesFile"});
    if (!expected.empty()) expected.pop_back();
    EXPECT_EQ(ReadExcludesFileSetting(tree.Path("config"), {}, os::ReadSmallFile).value_or(""), expected) << text;
  }
}

TEST(GitConfig, IncludesAreReadInPlace) {
  const testing::TempTree tree;
  GitEnvironment env;
  env.home = tree.Path("home");
  tree.Write("config", "[core]\nexcludesFile = first\n[include]\npath = sub/inc\n");
  tree.Write("sub/inc", "[include]\npath = ~/last\n");
  tree.Write("home/last", "[core]\nexcludesFile = ~/found\n");
  EXPECT_EQ(ReadExcludesFileSetting(tree.Path("config"), env, os::ReadSmallFile), tree.Path("home/found"));
  tree.Write("home/last", "[include]\npath = " + tree.Path("config"));  // a loop ends
  EXPECT_EQ(ReadExcludesFileSetting(tree.Path("config"), env, os::ReadSmallFile), "first");
}

}  // namespace
}  // namespace forge
