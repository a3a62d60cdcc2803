#include <gtest/gtest.h>

#include <string>

#include "base/deadline.h"
#include "glob/wildcard.h"

namespace forge {
namespace {

struct Row {
  std::string_view pattern;
  std::string_view text;
  bool matches;
};

// One line a rule. The differential test in tree/ compares with git itself.
constexpr Row kRows[] = {
    {"", "", true},
    {"", "a", false},
    {"foo", "foo", true},
    {"foo", "Foo", false},
    {"f?o", "foo", true},
    {"f?o", "f/o", false},
    {"*", "", true},
    {"*", "foo", true},
    {"*", "a/b", false},
    {"*/b", "a/b", true},
    {"*/b", "/b", true},
    {"*/b", "a/x/b", false},
    {"*ob*a*r*", "foobar", true},
    {"a*\\/b", "ax/b", true},
    // ** as a whole component
    {"**/foo", "foo", true},
    {"**/foo", "a/b/foo", true},
    {"**/foo", "afoo", false},
    {"foo/**", "foo/a/b", true},
    {"foo/**", "foo/", true},
    {"foo/**", "foo", false},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b", "ab", false},
    {"a/**/b", "a/xb", false},
    {"a/***/b", "a/x/y/b", true},
    {"**/a/**/b", "x/a/y/a/z/b", true},
    {"**/*.c", "x/y/z.c", true},
    {"**", "a/b/c", true},
    {"a/**\\/b", "a/b", false},
    {"a/**\\/b", "a/x/b", true},
    // ** elsewhere is *
    {"a**", "ab", true},
    {"a**", "a/b", false},
    {"a**b", "a/b", false},
    {"**a", "x/a", false},
    {"x/**a", "x/y/a", false},
    {"x/a**/b", "x/ay/b", true},
    {"x/a**/b", "x/ay/z/b", false},
    // classes
    {"[a-c]x", "bx", true},
    {"[a-c]x", "dx", false},
    {"[!a-c]", "d", true},
    {"[^a-c]", "b", false},
    {"[]]", "]", true},
    {"[!]]", "]", false},
    {"[]-a]", "^", true},
    {"[a-]", "-", true},
    {"[--0]", ".", true},
    {"[a-c-e]", "d", false},
    {"[\\]]", "]", true},
    {"[\\-x]", "-", true},
    {"[a-\\d]", "c", true},
    {"[c-a]", "b", false},
    {"a[/]b", "a/b", false},
    {"a[!x]b", "a/b", false},
    {"[[:alpha:]]", "q", true},
    {"[[:alpha:]]", "1", false},
    {"[[:digit:][:upper:]]", "Q", true},
    {"[![:space:]]", " ", false},
    {"[[:xdigit:]]", "f", true},
    {"[[:punct:]]", "-", true},
    {"[[:nope:]]", "n", false},
    {"[[:alpha]", ":", true},
    {"[[:]", ":", true},
    {"[abc", "a", false},
    {"[", "[", false},
    {"a[", "a[", false},
    {"[!", "a", false},
    // escapes
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"\\a", "a", true},
    {"\\\\", "\\", true},
    {"a\\", "a\\", false},
    {"a\\", "a", false},
    // bytes
    {"?", "\xC3\xA9", false},
    {"??", "\xC3\xA9", true},
    {"[\xC0-\xFF]*", "\xC3\xA9", true},
};

bool WildMatch(std::string_view pattern, std::string_view text) {
  const auto matcher = WildMatcher::Compile(pattern, false);
  return matcher && matcher->Matches(text);
}

TEST(WildMatch, FollowsGit) {
  for (const Row& row : kRows)
    EXPECT_EQ(WildMatch(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
}

// The texts are in lower case. As in git, letters that are escaped or alone in a
// class do not ignore case.
TEST(WildMatch, IgnoresCaseAsGitDoes) {
  const Row rows[] = {
      {"FOO", "foo", true},     {"F?O*", "foox", true},         {"\\FOO", "foo", false},   {"[A-C]x", "bx", true},
      {"[!A-C]x", "bx", false}, {"[A]x", "ax", false},          {"[a]x", "ax", true},      {"[[:upper:]]x", "ax", true},
      {"[Z-a]x", "zx", true},   {"[^[:upper:]]x", "ax", false}, {"A/**/B", "a/x/b", true}, {"[_-a]x", "ax", true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Wildcard(row.pattern, LetterCase::kFold).Matches(row.text), row.matches)
        << row.pattern << " " << row.text;
  }
}

TEST(WildMatch, TheShortcutsSayTheSame) {
  for (const Row& row : kRows) {
    EXPECT_EQ(Wildcard(row.pattern).Matches(row.text), row.matches) << row.pattern << " " << row.text;
  }
}

// Trying every way would take longer than the universe has.
TEST(WildMatch, ManyStarsTakeNoTime) {
  const std::string text(5000, 'a');
  std::string stars;
  std::string deep;
  std::string components;
  for (int i = 0; i < 200; ++i) {
    stars += "*a";
    deep += "**/a*a*/";
    components += "aaaaaaaa/";
  }
  const auto start = Clock::now();
  EXPECT_FALSE(WildMatch(stars + "*b", text));
  EXPECT_TRUE(WildMatch(stars + "*", text));
  EXPECT_FALSE(WildMatch(deep + "b", components + components));
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST(Wildcard, CommonPatternsHaveShortcuts) {
  EXPECT_EQ(Wildcard("Makefile").kind(), Wildcard::Kind::kLiteral);
  EXPECT_EQ(Wildcard("\\#x").text(), "#x");
  EXPECT_EQ(Wildcard("*.o").kind(), Wildcard::Kind::kSuffix);
  EXPECT_EQ(Wildcard("id_rsa*").kind(), Wildcard::Kind::kPrefix);
  EXPECT_EQ(Wildcard("a?b").kind(), Wildcard::Kind::kGeneral);
  EXPECT_EQ(Wildcard("x\\").kind(), Wildcard::Kind::kNothing);
}

}  // namespace
}  // namespace forge
