#include "glob/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "glob/braces.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Glob, MatchesByTheRulesOfB13) {
  const struct {
    std::string_view pattern;
    std::string_view path;
    bool as_file;
    bool as_folder;
  } cases[] = {
      // without '/': the last component at any depth
      {"*.c", "a.c", true, true},
      {"*.c", "x/y/a.c", true, true},
      {"*.c", "a.c/x", false, false},
      {"Makefile", "x/Makefile", true, true},
      {"test_*", "x/test_a", true, true},
      {"**/*.c", "x/y/a.c", true, true},
      {"**", "x/y", true, true},
      // with '/': anchored
      {"src/*.c", "src/a.c", true, true},
      {"src/*.c", "x/src/a.c", false, false},
      {"src/*.c", "src/x/a.c", false, false},
      {"src/**/*.c", "src/x/y/a.c", true, true},
      {"src/**", "src/x/y", true, true},
      {"src/**", "src", false, false},
      {"/a.c", "a.c", true, true},
      {"/a.c", "x/a.c", false, false},
      {"./a.c", "a.c", true, true},
      {"./src/*.c", "src/a.c", true, true},
      // a trailing '/': folders only
      {"build/", "build", false, true},
      {"build/", "x/build", false, true},
      {"/build/", "x/build", false, false},
      {"x/build\\/", "x/build", false, true},
      // braces
      {"*.{c,h}", "x/a.h", true, true},
      {"*.{c,h}", "a.cc", false, false},
      {"*.{c{,c,pp},h}", "a.cpp", true, true},
      {"a{,b}", "a", true, true},
      {"{src,lib}/*.c", "lib/a.c", true, true},
      {"{*.c,src/*.h}", "x/y.c", true, true},
      {"{*.c,src/*.h}", "x/y.h", false, false},
      {"{a}", "a", true, true},
      {"\\{a,b\\}", "{a,b}", true, true},
      {"a\\,b", "a,b", true, true},
      {"a}b,c", "a}b,c", true, true},
      {"[{,}]x", ",x", true, true},
      {"{[a,b],c}", ",", true, true},
      // bytes and case
      {"*.C", "a.c", false, false},
      {"\\!x", "!x", true, true},
  };
  for (const auto& c : cases) {
    const Result<Glob> glob = Glob::Parse(c.pattern);
    ASSERT_TRUE(glob.ok()) << c.pattern << ": " << glob.error().message;
    EXPECT_EQ(glob->Matches(c.path, false), c.as_file) << c.pattern << " on file " << c.path;
    EXPECT_EQ(glob->Matches(c.path, true), c.as_folder) << c.pattern << " on folder " << c.path;
  }
}

TEST(Glob, ErrorsNameTheCharacterAndThePosition) {
  std::string many;
  for (int i = 0; i < 10; ++i) many += "{a,b}";
  const struct {
    std::string_view pattern;
    std::string_view message;
  } cases[] = {
      {"", "the glob is empty"},
      {"/", "names no file"},
      {"./", "names no file"},
      {"{,}", "names no file"},
      {"a[bc", "'[' at position 2 is not closed"},
      {"[[:nope:]]", "'[' at position 1 has an unknown [:name:]"},
      {"a{b,c", "'{' at position 2 is not closed"},
      {"{a,{b}", "'{' at position 1 is not closed"},
      {"ab\\", "backslash at position 3"},
      {"!a", "'!' at position 1"},
      {std::string_view("a\0b", 3), "NUL byte at position 2"},
      {many, "more than 1000 alternatives"},
  };
  for (const auto& c : cases) {
    const Result<Glob> glob = Glob::Parse(c.pattern);
    ASSERT_FALSE(glob.ok()) << c.pattern;
    EXPECT_EQ(glob.error().kind, ErrorKind::kBadArgs);
    EXPECT_THAT(glob.error().message, HasSubstr(c.message)) << c.pattern;
  }
}

TEST(Glob, HostileBracesAreRefusedAtOnce) {
  EXPECT_FALSE(Glob::Parse(std::string(100'000, '{')).ok());
  EXPECT_FALSE(Glob::Parse("{" + std::string(5000, ',') + "}").ok());
}

TEST(Glob, OnlyAlternativesForFoldersTakeWholeFolders) {
  EXPECT_TRUE(Glob::Parse("src/")->MatchesWholeFolder("x/src"));
  EXPECT_FALSE(Glob::Parse("src")->MatchesWholeFolder("src"));
  EXPECT_TRUE(Glob::Parse("{src,src/}")->MatchesWholeFolder("src"));
}

TEST(Braces, ExpandInOrder) {
  EXPECT_THAT(*ExpandBraces("{a,b{1,2},}x"), ElementsAre("ax", "b1x", "b2x", "x"));
  EXPECT_THAT(*ExpandBraces("{a,b}{c,d}"), ElementsAre("ac", "ad", "bc", "bd"));
}

}  // namespace
}  // namespace forge
