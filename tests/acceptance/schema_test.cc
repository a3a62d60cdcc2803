// The request schema to the letter (FR-LS-02a, FR-LS-02b, FR-LS-VAL-01, -02, -08,
// B2, B8, B15).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Wrong {
  std::string field;  // that the message must name
  std::string request;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.request; }

class WrongRequest : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongRequest, IsBadArgsThatNamesTheField) {
  TempTree tree;
  tree.Write("f", "foo\n");
  const Answer answer = SearchWith("native", tree, GetParam().request);
  EXPECT_EQ(answer.ended().exit_code, 2);
  EXPECT_EQ(answer.kind(), "BadArgs");
  EXPECT_THAT(answer.message(), HasSubstr(GetParam().field));
  EXPECT_THAT(answer.json().Keys(""), ElementsAre("error"));
}

std::vector<Wrong> WrongValues() {
  std::vector<Wrong> all;
  auto add = [&](const std::string& field, std::vector<std::string> values) {
    for (const std::string& value : values) all.push_back({field, Ask("foo", Quoted(field) + ":" + value)});
  };
  for (const char* value :
       {"7", "null", "true", "[]", "{}", "[\"foo\"]", "\"\"", "\" \"", "\"\\t\\n \"", "\"\\u00a0\\u2003\\u3000\""}) {
    all.push_back({"pattern", "{\"pattern\":" + std::string(value) + "}"});
  }
  add("path", {"7", "null", "true", "[]", "[\".\"]", R"("a\u0000b")"});
  add("case", {"7", "null", "true", R"("Smart")", R"("")", R"("SENSITIVE")", R"("ignore")", "[]"});
  for (const char* field : {"fixed_strings", "word_regexp", "recursive", "hidden", "follow", "no_ignore"}) {
    add(field, {"0", "1", "null", R"("true")", "[]", "{}"});
  }
  for (const char* field : {"include_glob", "exclude_glob"}) {
    add(field, {R"("*.c")", "null", "{}", "7", "[7]", "[null]", R"([["a"]])", R"([""])", R"(["a",""])", R"(["["])",
                R"(["[a"])", R"(["{a,b"])", R"(["a\\"])", R"(["!a"])", R"(["a\u0000b"])", R"(["ok","[x"])"});
  }
  add("glob", {R"("*.c")", "null", "{}", "[7]", R"([""])", R"(["["])"});
  for (const char* field :
       {"context", "max_results", "max_matches_per_file", "max_files", "max_file_size_bytes", "timeout_ms", "fuzzy"}) {
    add(field, {"-1", "null", "true", R"("5")", "[]", "{}", "1.5", "9223372036854775808", "18446744073709551616",
                "1e300", "-9223372036854775809"});
  }
  for (const char* field :
       {"max_results", "max_matches_per_file", "max_files", "max_file_size_bytes", "timeout_ms", "fuzzy"}) {
    add(field, {"0", "0.0", "-0"});
  }
  add("fuzzy", {"5"});
  add("max_matches_per_file", {"51"});  // FR-LS-VAL-08: above the configured caps
  add("max_files", {"10001"});
  add("max_file_size_bytes", {"2000001"});
  for (const char* field : {"mode", "respect_gitignore", "max_depth", "Pattern", "regex", "", "stats", "pattern "}) {
    add(field, {"1"});
  }
  all.push_back({"pattern", "{}"});
  all.push_back({"pattern", R"({"path":"."})"});
  all.push_back({"pattern", R"({"pattern":"foo","pattern":"foo"})"});
  all.push_back({"context", R"({"context":1,"pattern":"foo","context":1})"});
  all.push_back({"context", R"({"context":1,"pattern":"foo","c\u006fntext":2})"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Table, WrongRequest, ::testing::ValuesIn(WrongValues()));

class NoRequest : public ::testing::TestWithParam<std::string> {};

TEST_P(NoRequest, IsBadArgsAndOneJsonDocument) {
  TempTree tree;
  tree.Write("f", "foo\n");
  const Answer answer = SearchWith("native", tree, GetParam());
  EXPECT_EQ(answer.ended().exit_code, 2);
  EXPECT_EQ(answer.kind(), "BadArgs");
}

INSTANTIATE_TEST_SUITE_P(BadJson, NoRequest,
                         ::testing::Values(" ", "null", "[]", "\"foo\"", "7", "{", "{}}", R"({"pattern":"foo"} x)",
                                           R"({"pattern":"foo"}{"pattern":"foo"})", R"({"pattern":"foo",})",
                                           R"({'pattern':'foo'})", R"({"pattern":"foo"/**/})", R"({"pattern":foo})",
                                           "{\"pattern\":\"fo\xffo\"}", "{\"pattern\":\"fo\no\"}",
                                           "{\"pattern\":\"\\x41\"}", "{\"pattern\":\"foo\",\"context\":01}",
                                           "{\"pattern\":\"foo\",\"context\":NaN}", "{\"pattern\":\"foo", "\xff\xfe{",
                                           R"({"pattern":"\ud800"})", R"({"pattern":"a\udc00"})",
                                           R"({"pattern":"foo","path":"\ud800"})",
                                           std::string("{\"pattern\":\"a\0b\"}", 17)));

TEST(BadJson, DeepNestingIsRefusedNotACrash) {
  TempTree tree;
  for (const char* open : {"[", "{\"a\":"}) {
    const Answer answer = SearchWith("native", tree, Repeat(1000000, open));
    EXPECT_EQ(answer.kind(), "BadArgs");
    EXPECT_EQ(SearchWith("native", tree, Ask("foo", "\"path\":" + Repeat(100000, open))).kind(), "BadArgs");
  }
}

TEST(BadJson, AnEmptyRequestIsBadArgs) {
  TempTree tree;
  EXPECT_EQ(SearchWith("native", tree, "").kind(), "BadArgs");
}

TEST(BadJson, AnUnknownFieldWithAHugeOrControlNameIsShortAndClean) {
  TempTree tree;
  const Answer answer = SearchWith("native", tree, Ask("foo", "\"\\u001b[31m" + Repeat(1000000, "x") + "\":1"));
  EXPECT_EQ(answer.kind(), "BadArgs");
  EXPECT_LT(answer.message().size(), 2000U);
  EXPECT_EQ(answer.message().find('\x1b'), std::string::npos);
}

class RightRequest : public ::testing::TestWithParam<std::string> {};

TEST_P(RightRequest, IsAccepted) {
  TempTree tree;
  tree.Write("f", "foo\n");
  const Answer answer = Search(tree, Ask("foo", GetParam()));
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.files(), ElementsAre("f"));
}

INSTANTIATE_TEST_SUITE_P(Table, RightRequest,
                         ::testing::Values("", R"("path":"")", R"("path":".")", R"("context":5.0)",
                                           R"("max_results":1e3)", R"("context":0)", R"("context":-0)",
                                           R"("context":9223372036854775807)", R"("max_results":9223372036854775807)",
                                           R"("timeout_ms":9223372036854775807)", R"("max_matches_per_file":50)",
                                           R"("max_files":10000)", R"("max_file_size_bytes":2000000)",
                                           R"("include_glob":[])", R"("glob":["f"])",
                                           R"("glob":["x"],"include_glob":[])", R"("glob":["["],"include_glob":["f"])",
                                           R"("glob":[""],"include_glob":["f"])", R"("exclude_glob":[])",
                                           R"("recursive":false)", R"("case":"smart")", R"("c\u0061se":"smart")"));

TEST(RightRequest, NonAsciiAndEscapesAreEchoed) {
  TempTree tree;
  tree.Write("f", "x\n");
  const Answer answer = Search(tree, R"({"pattern":"\u00e9\ud83d\ude00\"\\\\\t"})");
  EXPECT_EQ(answer.json().Text("/pattern"), "\u00e9\U0001F600\"\\\\\t");
}

TEST(Defaults, ConfigurationDecidesWhatTheRequestOmits) {  // B15, R7
  TempTree tree;
  tree.Write("a", "foo\nfoo\nfoo\n");
  tree.Write("b", "foo\n");
  EXPECT_EQ(Search(tree, Ask("foo"), {"--set", "tools.search.default_max_results=2"}).json().At("/count"), "2");
  EXPECT_EQ(Search(tree, Ask("foo"), {"--set", "tools.search.max_matches_per_file=1"}).json().At("/count"), "2");
  EXPECT_THAT(Search(tree, Ask("foo"), {"--set", "tools.search.max_files=1"}).files(), ElementsAre("a"));
  EXPECT_THAT(Search(tree, Ask("foo"), {"--set", "tools.search.max_file_size_bytes=5"}).files(), ElementsAre("b"));
}

TEST(Defaults, FiftyMatchesPerFileAreSaid) {
  TempTree tree;
  tree.Write("a", Repeat(60, "foo\n"));
  tree.Write("b", Repeat(50, "foo\n"));
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_EQ(answer.json().At("/count"), "100");
  EXPECT_FALSE(answer.truncated());
  EXPECT_THAT(answer.content(), HasSubstr("1 file has more matches than max_matches_per_file (50)"));
}

TEST(Identity, AliasesAreExact) {  // FR-LS-01, B16
  TempTree tree;
  tree.Write("f", "foo\n");
  for (const char* name : {"Search", "search", "rg", "ripgrep", "ugrep", "ug", "search_files"}) {
    EXPECT_EQ(RunProgram(ForgeSearch({"call", name, Ask("foo"), "--root", tree.root()})).exit_code, 0) << name;
  }
  for (const char* name : {"SEARCH", "Rg", "grep", "search ", "Search_files", "", "\x1b[31m"}) {
    const Answer answer(RunProgram(ForgeSearch({"call", name, Ask("foo"), "--root", tree.root()})));
    EXPECT_EQ(answer.kind(), "UnknownTool") << name;
    EXPECT_EQ(answer.ended().exit_code, 2);
  }
}

TEST(Identity, ADisabledToolIsASandboxViolation) {  // B17
  TempTree tree;
  tree.Write("f", "foo\n");
  const Answer answer = Search(tree, Ask("foo"), {"--set", "tools.search.enabled=false"});
  EXPECT_EQ(answer.kind(), "SandboxViolation");
  EXPECT_THAT(answer.message(), HasSubstr("disabled"));
  EXPECT_EQ(RunProgram(ForgeSearch({"schema", "--set", "tools.search.enabled=false"})).out.find("\"Search\""),
            std::string::npos);
}

TEST(Identity, RgHasNoFuzzyMode) {  // FR-LS-VAL-07, B18
  TempTree tree;
  tree.Write("f", "foo\n");
  const Answer answer = SearchWith("rg", tree, Ask("foo", R"("fuzzy":1)"));
  EXPECT_EQ(answer.kind(), "BadArgs");
  EXPECT_THAT(answer.message(), HasSubstr("fuzzy"));
}

}  // namespace
}  // namespace forge::testing
