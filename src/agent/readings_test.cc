#include "agent/readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "F:" before plain text, "i:" before one that ignores case.
std::vector<std::string> Readings(const std::string& pattern) {
  std::vector<std::string> out;
  for (const Reading& reading : OtherReadings({.pattern = pattern})) {
    out.push_back((reading.request.fixed_strings                         ? "F:"
                   : reading.request.case_mode == CaseMode::kInsensitive ? "i:"
                                                                         : "") +
                  reading.request.pattern);
  }
  return out;
}

TEST(OtherReadings, AreThoseThatModelsMean) {
  EXPECT_THAT(Readings("HandleLine"), IsEmpty());
  EXPECT_THAT(Readings("HandleLine("), ElementsAre("F:HandleLine("));
  EXPECT_THAT(Readings("buffer[64]"), ElementsAre("F:buffer[64]"));
  EXPECT_THAT(Readings(R"(\\s+foo\\()"), ElementsAre(R"(\s+foo\()", R"(F:\\s+foo\\()"));
  EXPECT_THAT(Readings(R"(C:\\temp)"), ElementsAre(R"(C:\temp)", R"(F:C:\\temp)"));
  EXPECT_THAT(Readings(R"(a\\\\b)"), ElementsAre(R"(F:a\\\\b)"));
  EXPECT_THAT(Readings("/foo/"), ElementsAre("foo"));
  EXPECT_THAT(Readings("/foo.*/gi"), ElementsAre("i:foo.*", "F:/foo.*/gi"));
  EXPECT_THAT(Readings("/usr/bin"), IsEmpty());
  EXPECT_THAT(Readings(R"(foo\|bar)"), ElementsAre("foo|bar", R"(F:foo\|bar)"));
  EXPECT_THAT(Readings(R"(\<foo\>)"), ElementsAre(R"(\bfoo\b)", R"(F:\<foo\>)"));
  EXPECT_THAT(Readings("\"foo bar\""), ElementsAre("foo bar"));
  EXPECT_THAT(Readings(R"j(print\("%d\n)j"), ElementsAre(R"j(print\("%d\\n)j", R"j(F:print\("%d\n)j"));
  EXPECT_THAT(Readings(R"(a[^\n]*b)"), ElementsAre(R"(F:a[^\n]*b)"));
  EXPECT_THAT(Readings("foo OR bar"), ElementsAre("foo|bar"));
  EXPECT_THAT(Readings(R"j(\(foo\|bar\))j"), ElementsAre("(foo|bar)", R"j(\(foo|bar\))j", R"j(F:\(foo\|bar\))j"));
  EXPECT_THAT(Readings(R"j(get\(Name\)\|set)j"),
              ElementsAre(R"j(get(Name)|set|get\(Name\)|set)j", R"j(get\(Name\)|set)j", R"j(F:get\(Name\)\|set)j"));
  EXPECT_THAT(Readings(R"j(get\(\)\|set\(\))j"), ElementsAre(R"j(get\(\)|set\(\))j", R"j(F:get\(\)\|set\(\))j"));
  EXPECT_THAT(OtherReadings({.pattern = "a(", .fixed_strings = true}), IsEmpty());
}

TEST(OtherReadings, TheNamesOfFilesAreRecognised) {
  for (const char* const glob : {"*.cc", "**/*.{ts,tsx}", "*.test.js"}) EXPECT_TRUE(LooksLikeFileGlob(glob)) << glob;
  for (const char* const other : {"foo", ".*", "* foo", "*(a)"}) EXPECT_FALSE(LooksLikeFileGlob(other)) << other;
}

TEST(Readings, AnEmptyAlternativeMatchesEveryLine) {
  for (const char* const pattern : {"foo|", "|foo", "a||b"}) {
    EXPECT_TRUE(HasEmptyAlternative({.pattern = pattern})) << pattern;
  }
  for (const char* const pattern : {"a|b", R"(a\|)", "[|]", "x[a|]|"}) {
    EXPECT_FALSE(HasEmptyAlternative({.pattern = pattern})) << pattern;
  }
  EXPECT_FALSE(HasEmptyAlternative({.pattern = "a|", .fixed_strings = true}));
}

TEST(Readings, ALineFeedIsAskedForByARegularExpressionOnly) {
  EXPECT_TRUE(AsksForLineFeed({.pattern = R"(a\nb)"}));
  EXPECT_FALSE(AsksForLineFeed({.pattern = R"(a\\nb)"}));
  EXPECT_FALSE(AsksForLineFeed({.pattern = R"([^\n]b)"}));
  EXPECT_FALSE(AsksForLineFeed({.pattern = R"(a\nb)", .fixed_strings = true}));
}

TEST(Readings, ANameWithPlusSignsIsHardlyARegularExpression) {
  for (const char* const pattern : {"C++", "operator()", "void *malloc", "foo() const"}) {
    EXPECT_TRUE(LooksLikePlainText({.pattern = pattern})) << pattern;
  }
  EXPECT_FALSE(LooksLikePlainText({.pattern = "C++", .fixed_strings = true}));
  for (const char* const pattern : {"C+", "[a-z]++", "++", "a++b", "a *= b", R"(foo\(\))", "x(a|b)"}) {
    EXPECT_FALSE(LooksLikePlainText({.pattern = pattern})) << pattern;
  }
}

}  // namespace
}  // namespace forge::agent
