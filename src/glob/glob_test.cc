#include "glob/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/deadline.h"
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
      {"foo{,.txt}", "foo", true, true},
      {"foo{,.txt}", "x/foo.txt", true, true},
      {"foo{,.txt}", "foo.tx", false, false},
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
    const GlobSet set({*glob});
    EXPECT_EQ(set.Matches(c.path, false), c.as_file) << c.pattern << " on file " << c.path;
    EXPECT_EQ(set.Matches(c.path, true), c.as_folder) << c.pattern << " on folder " << c.path;
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
      {"a[z-a]", "'[' at position 2 has a range that ends before it begins"},
      {"{a,[!0-9b-a]}", "'[' at position 4 has a range that ends before it begins"},
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
  // Nine hundred copies of a megabyte.
  std::string many = "{";
  for (int i = 0; i < 900; ++i) many += "a" + std::to_string(i) + ",";
  const auto start = Clock::now();
  const auto long_end = Glob::Parse(many + "b}" + std::string(1'000'000, 'x'));
  ASSERT_FALSE(long_end.ok());
  EXPECT_THAT(long_end.error().message, HasSubstr("longer than 1048576 bytes when its braces are expanded"));
  EXPECT_FALSE(Glob::Parse(std::string(100'000, 'x') + many + "b}").ok());
  EXPECT_FALSE(Glob::Parse("{" + std::string(1000, 'x') + "{a,b,c,d,e}{a,b,c,d,e}{a,b,c,d,e}{a,b,c,d,e}," +
                           std::string(600'000, 'y') + "}{a,b}")
                   .ok());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  // Long, and still fine.
  EXPECT_TRUE(Glob::Parse(std::string(500'000, 'x')).ok());
}

TEST(Glob, MayIgnoreCase) {
  const GlobSet set({*Glob::Parse("**/*.KEY", LetterCase::kFold), *Glob::Parse("Docs/[A-C]*.md", LetterCase::kFold)},
                    LetterCase::kFold);
  for (const char* path : {"a.key", "x/A.Key", "docs/beta.MD", "DOCS/Alpha.md"}) {
    EXPECT_TRUE(set.Matches(path, false)) << path;
  }
  for (const char* path : {"a.keys", "docs/delta.md", "x/docs/alpha.md"})
    EXPECT_FALSE(set.Matches(path, false)) << path;
}

TEST(Glob, OnlyAlternativesForFoldersTakeWholeFolders) {
  EXPECT_TRUE(GlobSet({*Glob::Parse("src/")}).MatchesWholeFolder("x/src"));
  EXPECT_FALSE(GlobSet({*Glob::Parse("src")}).MatchesWholeFolder("src"));
  EXPECT_TRUE(GlobSet({*Glob::Parse("{src,src/}")}).MatchesWholeFolder("src"));
}

TEST(Braces, ExpandInOrder) {
  EXPECT_THAT(*ExpandBraces("{a,b{1,2},}x"), ElementsAre("ax", "b1x", "b2x", "x"));
  EXPECT_THAT(*ExpandBraces("{a,b}{c,d}"), ElementsAre("ac", "ad", "bc", "bd"));
}

}  // namespace
}  // namespace forge
