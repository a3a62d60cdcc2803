// Context, caps and truncation (C12, D4, D6, D7, D10, D14, FR-LS-06).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Context, WindowsThatOverlapAreMerged) {  // D14
  TempTree tree;
  tree.Write("f", "1\nfoo\n3\nfoo\n5\n6\n7\nfoo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("context":1)")).events(),
              ElementsAre("f-1-1", "f:2:1:foo|foo", "f-3-3", "f:4:1:foo|foo", "f-5-5", "f-7-7", "f:8:1:foo|foo"));
}

TEST(Context, IsClampedToTheFile) {  // B11
  TempTree tree;
  tree.Write("f", "1\nfoo\n3\n");
  for (const char* context : {R"("context":2)", R"("context":1000000000)", R"("context":9223372036854775807)"}) {
    EXPECT_THAT(Search(tree, Ask("foo", context)).events(), ElementsAre("f-1-1", "f:2:1:foo|foo", "f-3-3"));
  }
}

TEST(Context, OfOneFileDoesNotReachIntoTheNext) {
  TempTree tree;
  tree.Write("a", "foo\nx");
  tree.Write("b", "y\nfoo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("context":3)")).events(),
              ElementsAre("a:1:1:foo|foo", "a-2-x", "b-1-y", "b:2:1:foo|foo"));
}

TEST(Context, MatchesThatTheCapLeavesOutAreNotContext) {  // C12: context is a non-matching line
  TempTree tree;
  tree.Write("f", "foo 1\nx\nfoo 2\ny\nfoo 3\nz\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("context":5,"max_matches_per_file":1)")).events(),
              ElementsAre("f:1:1:foo 1|foo", "f-2-x"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("context":1,"max_matches_per_file":2)")).events(),
              ElementsAre("f:1:1:foo 1|foo", "f-2-x", "f:3:1:foo 2|foo", "f-4-y"));
}

TEST(Context, MaxResultsMayLeaveOnlyContext) {  // D10
  TempTree tree;
  tree.Write("f", "1\nfoo\n");
  const Answer answer = Search(tree, Ask("foo", R"("context":1,"max_results":1)"));
  EXPECT_THAT(answer.events(), ElementsAre("f-1-1"));
  EXPECT_TRUE(answer.truncated());
}

TEST(Context, TruncationCutsInsideAWindow) {
  TempTree tree;
  tree.Write("f", "1\nfoo\n3\n4\n");
  for (int cap = 1; cap <= 4; ++cap) {
    const Answer answer = Search(tree, Ask("foo", R"("context":2,"max_results":)" + std::to_string(cap)));
    EXPECT_EQ(answer.json().Size("/matches"), static_cast<std::size_t>(cap));
    EXPECT_EQ(answer.truncated(), cap < 4) << cap;
  }
}

TEST(Context, EmptyLinesAndCrlfAreKept) {
  TempTree tree;
  tree.Write("f", "\r\nfoo\r\n\r\n \n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("context":2)")).events(),
              ElementsAre("f-1-", "f:2:1:foo|foo", "f-3-", "f-4- "));
}

TEST(Context, ContentShowsGapsAndBothKindsOfLine) {
  TempTree tree;
  tree.Write("f", "1\nfoo\n3\n4\n5\nfoo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("context":1)")).content(),
              HasSubstr("f\n1-1\n2:1:foo\n3-3\n--\n5-5\n6:1:foo\n"));
}

TEST(Truncation, FilesScannedIsThePlaceOfTheEventThatIsTooMany) {  // D7
  TempTree tree;
  tree.Write("a", "foo\n");
  tree.Write("b", "none\n");
  tree.Write("c", "foo\nfoo\n");
  tree.Write("d", "foo\n");
  EXPECT_EQ(Search(tree, Ask("foo", R"("max_results":1)")).files_scanned(), 3);
  EXPECT_EQ(Search(tree, Ask("foo", R"("max_results":2)")).files_scanned(), 3);
  EXPECT_EQ(Search(tree, Ask("foo", R"("max_results":3)")).files_scanned(), 4);
  EXPECT_EQ(Search(tree, Ask("foo", R"("max_results":4)")).files_scanned(), 4);
}

TEST(Truncation, TheEventThatIsTooManyMayBeContext) {
  TempTree tree;
  tree.Write("a", "foo\n");
  tree.Write("b", "x\nfoo\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_results":1,"context":1)"));
  EXPECT_TRUE(answer.truncated());
  EXPECT_EQ(answer.files_scanned(), 2);
}

TEST(Truncation, MaxFilesIsNotTruncation) {  // R7: truncated is about max_results alone
  TempTree tree;
  for (const char* name : {"a", "b", "c"}) tree.Write(name, "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_files":2,"max_results":2)"));
  EXPECT_FALSE(answer.truncated());
  EXPECT_EQ(answer.files_scanned(), 2);
  EXPECT_THAT(answer.content(), HasSubstr("max_files"));
}

TEST(Truncation, MaxFilesExactlyReachedIsNotSaid) {
  TempTree tree;
  for (const char* name : {"a", "b"}) tree.Write(name, "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("max_files":2)")).content(), Not(HasSubstr("max_files")));
}

TEST(Truncation, MaxFilesCountsFilesThatAreTooLarge) {  // D6: post-glob, pre-size
  TempTree tree;
  tree.Write("a", "foo 567890123\n");
  tree.Write("b", "foo\n");
  tree.Write("c", "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_files":2,"max_file_size_bytes":10)"));
  EXPECT_THAT(answer.files(), ElementsAre("b"));
  EXPECT_EQ(answer.files_scanned(), 2);
}

TEST(Truncation, MaxFilesCountsOnlyWhatTheGlobsLeave) {
  TempTree tree;
  for (const char* name : {"a.x", "b.c", "c.x", "d.c", "e.c"}) tree.Write(name, "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_files":2,"include_glob":["*.c"])"));
  EXPECT_THAT(answer.files(), ElementsAre("b.c", "d.c"));
}

TEST(Truncation, MaxFilesTakesTheFirstInOrderNotInWalkOrder) {
  TempTree tree;
  for (const char* name : {"a/b", "a+", "a-", "a"}) {
    if (std::string(name) != "a") tree.Write(name, "foo\n");
  }
  EXPECT_THAT(Search(tree, Ask("foo", R"("max_files":2)")).files(), ElementsAre("a+", "a-"));
}

TEST(Truncation, MaxMatchesPerFileMeetsMaxResults) {
  TempTree tree;
  tree.Write("a", "foo\nfoo\nfoo\n");
  tree.Write("b", "none\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_matches_per_file":2,"max_results":2)"));
  EXPECT_EQ(answer.json().At("/count"), "2");
  EXPECT_FALSE(answer.truncated()) << "the cap took the third match, not max_results";
  EXPECT_THAT(answer.content(), HasSubstr("max_matches_per_file"));
}

TEST(Truncation, ExactlyMaxMatchesPerFileIsNotSaid) {
  TempTree tree;
  tree.Write("a", "foo\nfoo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("max_matches_per_file":2)")).content(),
              Not(HasSubstr("max_matches_per_file")));
}

TEST(Truncation, NotesTellTheNumberOfLargeFiles) {
  TempTree tree;
  tree.Write("a", "foo 567890123\n");
  tree.Write("b", "bar 567890123\n");
  tree.Write("c", "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("max_file_size_bytes":10)")).content(), HasSubstr("2 files"));
}

TEST(Truncation, AnEmptyTreeHasNoFiles) {
  TempTree tree;
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_TRUE(answer.ok());
  EXPECT_EQ(answer.files_scanned(), 0);
  EXPECT_THAT(answer.events(), IsEmpty());
}

TEST(Truncation, ManyFilesStopEarlyWithTheSameAnswer) {
  TempTree tree;
  for (int i = 100; i < 400; ++i) tree.Write("d" + std::to_string(i % 7) + "/f" + std::to_string(i), "foo\nbar\n");
  for (const int cap : {1, 10, 99, 100, 299, 300}) {
    const Answer answer = Search(tree, Ask("foo", "\"max_results\":" + std::to_string(cap)));
    EXPECT_EQ(answer.json().At("/count"), std::to_string(cap));
    EXPECT_EQ(answer.truncated(), cap < 300);
    EXPECT_EQ(answer.files_scanned(), std::min(cap + 1, 300));
  }
}

}  // namespace
}  // namespace forge::testing
