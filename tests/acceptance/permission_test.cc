// Files that a user may not read (T-LS-ERR-01, FR-LS-ERR-05 to 07, D9, C16).
// The program runs as the user "nobody", because root may read everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr unsigned kNobody = 65534;

class Permission : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
    chmod(tree_.root().c_str(), 0755);
  }

  Answer AskAsNobody(const std::string& request) {
    Command command = ForgeSearch({"call", "Search", request, "--root", tree_.root(), "--backend", GetParam()});
    command.env["HOME"] = command.env["XDG_CONFIG_HOME"] = command.env["XDG_CACHE_HOME"] = "/nonexistent";
    command.uid = kNobody;
    return Answer(RunProgram(command));
  }
  void SetMode(const std::string& name, mode_t mode) { ASSERT_EQ(chmod(tree_.Path(name).c_str(), mode), 0); }

  TempTree tree_;
};

INSTANTIATE_TEST_SUITE_P(T_LS_ERR_01, Permission, ::testing::ValuesIn(kBackends));

TEST_P(Permission, AnUnreadableFileIsReportedAndTheSearchGoesOn) {
  tree_.Write("a", "foo\n");
  tree_.Write("b", "foo\n");
  tree_.Write("c", "foo\n");
  SetMode("b", 0000);
  const Answer answer = AskAsNobody(Ask("foo"));
  EXPECT_THAT(answer.files(), ElementsAre("a", "c"));
  EXPECT_THAT(answer.errors(), ElementsAre(StartsWith("b: ")));
  EXPECT_THAT(answer.errors(), ElementsAre(HasSubstr("ermission denied")));
  EXPECT_EQ(answer.files_scanned(), 3);
  EXPECT_EQ(answer.json().At("/exit_code"), "");
  EXPECT_FALSE(answer.truncated());
}

TEST_P(Permission, AnUnreadableFolderIsReportedOnce) {
  tree_.Write("a", "foo\n");
  tree_.Write("d/x", "foo\n");
  tree_.Write("d/y", "foo\n");
  SetMode("d", 0000);
  const Answer answer = AskAsNobody(Ask("foo"));
  SetMode("d", 0755);
  EXPECT_THAT(answer.files(), ElementsAre("a"));
  EXPECT_THAT(answer.errors(), ElementsAre(StartsWith("d: ")));
}

TEST_P(Permission, ErrorsComeInTheOrderOfEventsWithFoldersAmongThem) {
  for (const char* name : {"a+", "a/x", "b", "z"}) tree_.Write(name, "foo\n");
  for (const char* name : {"a+", "a", "b"}) SetMode(name, 0000);
  const Answer answer = AskAsNobody(Ask("foo"));
  SetMode("a", 0755);
  EXPECT_THAT(answer.errors(), ElementsAre(StartsWith("a: "), StartsWith("a+: "), StartsWith("b: ")));
  EXPECT_THAT(answer.files(), ElementsAre("z"));
}

TEST_P(Permission, ErrorsBehindTheStopPointAreNotReported) {
  tree_.Write("a", "foo\n");
  tree_.Write("b", "foo\n");
  tree_.Write("c", "foo\n");
  SetMode("c", 0000);
  const Answer answer = AskAsNobody(Ask("foo", R"("max_results":1)"));
  EXPECT_TRUE(answer.truncated());
  EXPECT_EQ(answer.files_scanned(), 2);
  EXPECT_EQ(answer.json().At("/errors"), "[]");
}

TEST_P(Permission, AnUnreadableFileWithoutMatchesElsewhereIsStillReported) {
  tree_.Write("a", "none\n");
  tree_.Write("b", "foo\n");
  SetMode("b", 0000);
  const Answer answer = AskAsNobody(Ask("foo"));
  EXPECT_TRUE(answer.ok());
  EXPECT_THAT(answer.errors(), ElementsAre(StartsWith("b: ")));
}

TEST_P(Permission, AnExplicitUnreadablePathIsAnError) {
  tree_.Write("b", "foo\n");
  tree_.Write("d/x", "foo\n");
  SetMode("b", 0000);
  SetMode("d", 0000);
  EXPECT_EQ(AskAsNobody(Ask("foo", R"("path":"b")")).kind(), "ExecutionFailed");
  EXPECT_EQ(AskAsNobody(Ask("foo", R"("path":"d")")).kind(), "ExecutionFailed");
  SetMode("d", 0755);
}

TEST_P(Permission, AnUnreadableIgnoreFileHidesNothingAndIsReported) {
  tree_.Write(".gitignore", "a\n");
  tree_.Write("a", "foo\n");
  SetMode(".gitignore", 0000);
  const Answer answer = AskAsNobody(Ask("foo"));
  EXPECT_TRUE(answer.ok());
  EXPECT_THAT(answer.errors(), ElementsAre(StartsWith(".gitignore: ")));
}

}  // namespace
}  // namespace forge::testing
