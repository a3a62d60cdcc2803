// The tests that the specification of Search asks for, each under its id (see
// docs/requirements.md). Search() asks every backend and expects one answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Lines(int n, const std::string& text) {
  std::string lines;
  for (int i = 1; i <= n; ++i) lines += text + " " + std::to_string(i) + "\n";
  return lines;
}

TEST(T_LS_PARSE_01, MatchAndContextLinesBecomeStructuredEvents) {
  TempTree tree;
  tree.Write("src/a.c", "before\nint foo;\nafter\n");
  const Answer answer = Search(tree, Ask("foo", R"("context":1)"));
  EXPECT_EQ(answer.json().At("/matches"),
            R"([{"type":"context","data":{"path":{"text":"src/a.c"},"line_number":1,"lines":{"text":"before"}}},)"
            R"({"type":"match","data":{"path":{"text":"src/a.c"},"line_number":2,"column":5,)"
            R"("lines":{"text":"int foo;"},"match_text":"foo"}},)"
            R"({"type":"context","data":{"path":{"text":"src/a.c"},"line_number":3,"lines":{"text":"after"}}}])");
}

TEST(T_LS_ORD_01, TheSameRequestGivesTheSameBytesAgain) {
  TempTree tree;
  for (const char* name : {"b", "a", "c/x", "c+", "B", ".h"}) tree.Write(name, "foo\nfoo\n");
  const std::string first = Search(tree, Ask("foo", R"("hidden":true)")).ended().out;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Search(tree, Ask("foo", R"("hidden":true)")).ended().out, first);
}

TEST(T_LS_TRUNC_01, MoreThanMaxResultsIsTruncated) {
  TempTree tree;
  tree.Write("a", Lines(3, "foo"));
  const Answer answer = Search(tree, Ask("foo", R"("max_results":2)"));
  EXPECT_THAT(answer.events(), ElementsAre("a:1:1:foo 1|foo", "a:2:1:foo 2|foo"));
  EXPECT_TRUE(answer.truncated());
  EXPECT_EQ(answer.json().At("/count"), "2");
  EXPECT_THAT(answer.content(), HasSubstr("max_results"));
}

TEST(T_LS_TRUNC_01, OneMoreEventInALaterFileIsSeen) {
  TempTree tree;
  tree.Write("a", "foo\n");
  tree.Write("b", "none\n");
  tree.Write("c", "foo\n");
  EXPECT_TRUE(Search(tree, Ask("foo", R"("max_results":1)")).truncated());
}

TEST(T_LS_TRUNC_02, ExactlyMaxResultsIsNotTruncated) {
  TempTree tree;
  tree.Write("a", Lines(3, "foo"));
  tree.Write("b", "none\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_results":3)"));
  EXPECT_FALSE(answer.truncated());
  EXPECT_EQ(answer.json().At("/count"), "3");
}

TEST(T_LS_TRUNC_02, ExactlyMaxResultsWithContextIsNotTruncated) {
  TempTree tree;
  tree.Write("a", "x\nfoo\ny\nz\n");
  EXPECT_FALSE(Search(tree, Ask("foo", R"("context":1,"max_results":3)")).truncated());
}

TEST(T_LS_CASE_01, SmartCaseLooksForAsciiCapitals) {
  TempTree tree;
  tree.Write("a", "foo\nFoo\nFOO\n");
  EXPECT_EQ(Search(tree, Ask("foo")).events().size(), 3U);
  EXPECT_THAT(Search(tree, Ask("Foo")).events(), ElementsAre("a:2:1:Foo|Foo"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("case":"sensitive")")).events(), ElementsAre("a:1:1:foo|foo"));
  EXPECT_EQ(Search(tree, Ask("FOO", R"("case":"insensitive")")).events().size(), 3U);
}

TEST(T_LS_ENC_01, InvalidUtf8BecomesReplacementCharacters) {
  TempTree tree;
  tree.Write("a", "caf\xe9 foo\xc3( \xf0\x9f\x92 end\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(), ElementsAre("a:1:6:caf\uFFFD foo\uFFFD( \uFFFD end|foo"));
}

TEST(T_LS_MPF_01, AFileStopsAfterMaxMatchesPerFile) {
  TempTree tree;
  tree.Write("a", Lines(5, "foo"));
  tree.Write("b", Lines(5, "foo"));
  const Answer answer = Search(tree, Ask("foo", R"("max_matches_per_file":2)"));
  EXPECT_THAT(answer.events(), ElementsAre("a:1:1:foo 1|foo", "a:2:1:foo 2|foo", "b:1:1:foo 1|foo", "b:2:1:foo 2|foo"));
  EXPECT_FALSE(answer.truncated());
  EXPECT_THAT(answer.content(), HasSubstr("max_matches_per_file"));
}

TEST(T_LS_MF_01, OnlyTheFirstMaxFilesAreScanned) {
  TempTree tree;
  tree.Write("a", "none\n");
  tree.Write("b", "foo\n");
  tree.Write("c", "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_files":2)"));
  EXPECT_THAT(answer.events(), ElementsAre("b:1:1:foo|foo"));
  EXPECT_EQ(answer.files_scanned(), 2);
  EXPECT_FALSE(answer.truncated());
  EXPECT_THAT(answer.content(), HasSubstr("max_files"));
}

TEST(T_LS_SIZE_01, LargerFilesAreSkippedWithoutError) {
  TempTree tree;
  tree.Write("exact", "foo 67890\n");
  tree.Write("larger", "foo 678901\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_file_size_bytes":10)"));
  EXPECT_THAT(answer.files(), ElementsAre("exact"));
  EXPECT_THAT(answer.errors(), IsEmpty());
  EXPECT_EQ(answer.files_scanned(), 2) << "FR-LS-05e: files skipped for their size count";
  EXPECT_THAT(answer.content(), HasSubstr("max_file_size_bytes"));
}

TEST(T_LS_EXCL_01, ExcludeGlobRemovesFiles) {
  TempTree tree;
  tree.Write("a.c", "foo\n");
  tree.Write("a_test.c", "foo\n");
  tree.Write("sub/b_test.c", "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("exclude_glob":["*_test.c"])"));
  EXPECT_THAT(answer.files(), ElementsAre("a.c"));
  EXPECT_EQ(answer.files_scanned(), 1);
}

TEST(T_LS_INCL_01, AFileNeedsOneIncludeAndNoExclude) {
  TempTree tree;
  for (const char* name : {"a.c", "a.h", "b.c", "sub/c.c", "sub/d.txt"}) tree.Write(name, "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("include_glob":["*.c","*.h"],"exclude_glob":["b.*","sub/d*"])"));
  EXPECT_THAT(answer.files(), ElementsAre("a.c", "a.h", "sub/c.c"));
  EXPECT_EQ(answer.files_scanned(), 3);
}

TEST(T_LS_REC_01, NotRecursiveMeansDirectChildrenOnly) {
  TempTree tree;
  for (const char* name : {"a", "d/b", "d/e/c"}) tree.Write(name, "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("recursive":false)")).files(), ElementsAre("a"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("recursive":false,"path":"d")")).files(), ElementsAre("d/b"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("recursive":false,"path":"d/e/c")")).files(), ElementsAre("d/e/c"));
}

TEST(T_LS_COL_01, ColumnsAreBytesFromOne) {
  TempTree tree;
  tree.Write("a", "foo\n\tfoo\ncaf\u00e9 foo\n\U0001F600foo\nx foo foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(),
              ElementsAre("a:1:1:foo|foo", "a:2:2:\tfoo|foo", "a:3:7:caf\u00e9 foo|foo", "a:4:5:\U0001F600foo|foo",
                          "a:5:3:x foo foo|foo"));
}

TEST(T_LS_MTXT_01, MatchTextIsGroupZeroOfTheLeftmostMatch) {
  TempTree tree;
  tree.Write("a", "xx foobar foobaz\n");
  EXPECT_THAT(Search(tree, Ask("foo(ba.)")).events(), ElementsAre("a:1:4:xx foobar foobaz|foobar"));
  EXPECT_THAT(Search(tree, Ask("foo|foobar")).events(), ElementsAre("a:1:4:xx foobar foobaz|foo"));
  EXPECT_THAT(Search(tree, Ask("FOOBAZ", R"("case":"insensitive")")).events(),
              ElementsAre("a:1:11:xx foobar foobaz|foobaz"));
}

TEST(IT_LS_E2E_01, AWholeResponseToTheByte) {
  TempTree tree;
  tree.Write("a.txt", "one\ntwo foo\n");
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_EQ(answer.ended().exit_code, 0);
  EXPECT_EQ(answer.ended().err, "");
  EXPECT_THAT(answer.json().Keys(""), ElementsAre("pattern", "path", "count", "matches", "truncated", "timed_out",
                                                  "files_scanned", "errors", "content"));
  EXPECT_EQ(answer.ended().out,
            R"({"pattern":"foo","path":)" + Quoted(tree.root()) +
                R"(,"count":1,"matches":[{"type":"match","data":{"path":{"text":"a.txt"},"line_number":2,"column":5,)"
                R"("lines":{"text":"two foo"},"match_text":"foo"}}],"truncated":false,"timed_out":false,)"
                R"("files_scanned":1,"errors":[],"content":)" +
                answer.json().At("/content") + "}\n");
}

TEST(IT_LS_FZ_01, FuzzyFindsApproximateMatchesOnUgrep) {
  TempTree tree;
  tree.Write("a", "memory_hotplug\nmemory_hotplg\nmemory_htplg\nmemory\n");
  const std::string rest = R"(,"pattern":"memory_hotplug","fixed_strings":true})";
  EXPECT_EQ(SearchWith("ugrep", tree, R"({"fuzzy":1)" + rest).events().size(), 2U);
  EXPECT_THAT(SearchWith("ugrep", tree, R"({"fuzzy":2)" + rest).events(),
              ElementsAre("a:1:1:memory_hotplug|memory_hotplug", "a:2:1:memory_hotplg|memory_hotplg",
                          "a:3:1:memory_htplg|memory_htplg"));
}

TEST(IT_LS_FZ_01, AHigherLevelFindsWhatALowerOneFinds) {
  TempTree tree;
  tree.Write("a", "quick_sorter\nquick_sortr\nquik_sortr\nquik_sotr\nqik_sotr\nother\n");
  std::size_t before = 0;
  for (int level = 1; level <= 4; ++level) {
    const auto events =
        SearchWith("ugrep", tree, R"({"pattern":"quick_sorter","fuzzy":)" + std::to_string(level) + "}").events();
    EXPECT_GT(events.size(), before) << "level " << level;
    before = events.size();
  }
}

TEST(IT_LS_EXIT_01, NoMatchIsAnAnswer) {
  TempTree tree;
  tree.Write("a", "bar\n");
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_TRUE(answer.ok());
  EXPECT_EQ(answer.json().At("/matches"), "[]");
  EXPECT_EQ(answer.json().At("/exit_code"), "");
  EXPECT_EQ(answer.files_scanned(), 1);
}

TEST(IT_LS_CTX_01, ContextEventsCountTowardMaxResults) {
  TempTree tree;
  tree.Write("a", "1\n2\nfoo\n4\n5\n");
  const Answer answer = Search(tree, Ask("foo", R"("context":2,"max_results":4)"));
  EXPECT_THAT(answer.events(), ElementsAre("a-1-1", "a-2-2", "a:3:1:foo|foo", "a-4-4"));
  EXPECT_TRUE(answer.truncated());
}

TEST(IT_LS_PATH_01, OrderIsBytewiseOverTheWholePath) {
  TempTree tree;
  for (const char* name : {"a/b", "a+", "a-b", "a.txt", "a", "B/y", "Z", "_u", "a b", "aa", "a10", "a9", "b/x"}) {
    if (std::string(name) != "a") tree.Write(name, "foo\n");
  }
  EXPECT_THAT(Search(tree, Ask("foo")).files(),
              ElementsAre("B/y", "Z", "_u", "a b", "a+", "a-b", "a.txt", "a/b", "a10", "a9", "aa", "b/x"));
}

}  // namespace
}  // namespace forge::testing
