// What users of Windows do, and what somebody would try who wants out of the roots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/testing/json_view.h"
#include "tests/testing/mcp_session.h"
#include "tests/testing/running_program.h"
#include "tests/windows/wine.h"

namespace forge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Backslashes(std::string path) {
  std::replace(path.begin(), path.end(), '/', '\\');
  return path;
}

class WindowsUser : public ::testing::Test {
 protected:
  // `forge-search search` in the tree, in the order of files.
  Ended Search(std::vector<std::string> words, const std::string& cwd = "") const {
    std::vector<std::string> argv = WindowsProgram();
    argv.insert(argv.end(), {"search", "--color", "never", "--no-heading", "--line-number"});
    argv.insert(argv.end(), words.begin(), words.end());
    return Do(argv, "", cwd.empty() ? tree_.root() : cwd);
  }
  JsonView Call(const std::string& root, const std::string& path, const std::string& more = "") const {
    std::vector<std::string> argv = WindowsProgram();
    argv.insert(argv.end(), {"call", "Search", "-", "--root", root, "--backend", "native"});
    return JsonView(Do(argv, R"({"pattern":"needle","path":)" + Quoted(path) + more + "}").out);
  }
  std::string Windows() const { return OnWindows(tree_.root()); }

  const TempTree tree_;
};

TEST_F(WindowsUser, MayWriteBackslashesAndAnyCase) {
  tree_.Write("Sub/Deep/File.txt", "needle\n");
  std::string root = Backslashes(Windows());
  root[0] = 'z';
  for (const std::string path : {"Sub\\Deep", "sub/deep", "SUB\\DEEP\\FILE.TXT", ".\\sub\\..\\Sub"}) {
    const JsonView answer = Call(root, path);
    EXPECT_EQ(answer.Text("/matches/0/data/path/text"), "Sub/Deep/File.txt") << path;
  }
  const JsonView answer = Call(root, root + "\\sub");
  EXPECT_EQ(answer.Text("/matches/0/data/path/text"), "Sub/Deep/File.txt");
  EXPECT_EQ(answer.Text("/path"), Windows() + "/Sub");
}

TEST_F(WindowsUser, SearchesFromTheShell) {
  tree_.Write("a/b.txt", "one\nneedle\n");
  EXPECT_EQ(Search({"needle"}).out, "a/b.txt:2:needle\n");
  EXPECT_EQ(Search({"needle", "a\\b.txt"}).out, "2:needle\n");
  EXPECT_EQ(Search({"needle", "."}, tree_.Path("a")).out, "./b.txt:2:needle\n");
  EXPECT_EQ(Search({"needle", Backslashes(tree_.Path("a"))}).exit_code, 0) << "from the top of the current drive";
  EXPECT_EQ(Search({"needle", Backslashes(Windows()) + "\\a\\"}).exit_code, 0);
  std::string root = Backslashes(Windows());
  root[0] = 'z';
  EXPECT_EQ(Search({"needle", "--root", root}).out, Windows() + "/a/b.txt:2:needle\n");
  EXPECT_EQ(Search({"needle", "--root", root, "a"}).out, Windows() + "/a/b.txt:2:needle\n");
  EXPECT_EQ(Search({"nothing"}).exit_code, 1);
  EXPECT_EQ(Search({"needle", "c:\\no\\such"}).exit_code, 2);
}

TEST_F(WindowsUser, FindsNamesThatAreNotAscii) {
  tree_.Write("\u00E9t\u00E9/\u65E5\u672C.txt", "needle \u00FC\n");
  tree_.Write("\U0001F600.txt", "needle\n");
  EXPECT_EQ(Search({"needle \u00FC"}).out, "\u00E9t\u00E9/\u65E5\u672C.txt:1:needle \u00FC\n");
  EXPECT_EQ(Search({"needle", "\U0001F600.txt"}).out, "1:needle\n");
}

// To the system, these are devices in most paths.
TEST_F(WindowsUser, FindsFilesWithReservedNames) {
  for (const std::string name : {"nul", "con", "aux.txt", "COM1"}) {
    tree_.Write("d/" + name, "needle\n");
    EXPECT_EQ(Call(Windows(), "d\\" + name).Text("/matches/0/data/path/text"), "d/" + name);
  }
  EXPECT_EQ(Call(Windows(), "d").Size("/matches"), 4U);
}

TEST_F(WindowsUser, FindsFilesWithLongPaths) {
  std::string path;
  for (int i = 0; i < 12; ++i) path += std::string(40, static_cast<char>('a' + i)) + "/";
  tree_.Write(path + "f.txt", "needle\n");
  ASSERT_GT(path.size(), 400U);
  EXPECT_EQ(Call(Windows(), "").Text("/matches/0/data/path/text"), path + "f.txt");
  EXPECT_EQ(Call(Windows(), Backslashes(path)).Text("/matches/0/data/path/text"), path + "f.txt");
  // Wine tells no names of such files, and so the path cannot be an argument here.
  EXPECT_EQ(Search({"needle"}).out, path + "f.txt:1:needle\n");
}

TEST_F(WindowsUser, NoPathLeadsOutOfARoot) {
  tree_.Write("root/in.txt", "nothing\n");
  tree_.Write("secret.txt", "needle\n");
  tree_.Write("root-secret/x", "needle\n");
  const std::string outside = Windows() + "/secret.txt";
  for (const std::string& path :
       {std::string("..\\secret.txt"), std::string("..\\root-secret"), outside, Backslashes(outside),
        "\\\\?\\" + Backslashes(outside), "\\\\.\\" + Backslashes(outside), "//?/" + outside, "\\??\\" + outside,
        Backslashes(tree_.root()) + "\\secret.txt", "\\\\?\\GLOBALROOT\\??\\" + Backslashes(outside),
        std::string("z:..\\secret.txt"), std::string("\\\\localhost\\z$"), std::string("C:\\windows"),
        std::string("\\\\?\\unix") + tree_.Path("secret.txt")}) {
    const JsonView answer = Call(Windows() + "/root", path);
    EXPECT_EQ(answer.Size("/matches"), 0U) << path;
    EXPECT_NE(answer.At("/error"), "") << path;
  }
}

// Redirected by a shell of Windows: under wine, what a shell of this system redirects is
// not known as a file.
TEST_F(WindowsUser, TheFileThatTheAnswerIsWrittenToIsNotSearched) {
  std::string lines;
  for (int i = 0; i < 30'000; ++i) lines += "needle\n";
  tree_.Write("many", lines);
  tree_.Write("search.bat", "@\"" + Backslashes(OnWindows(Variable("FORGE_WINDOWS_PROGRAM"))) +
                                "\" search -n needle -g many -g zzz > zzz\r\n");
  const Ended ended = Do({Variable("FORGE_WINE"), "cmd", "/c", "search.bat"}, "", tree_.root());
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  const std::string answer = tree_.Read("zzz");
  EXPECT_EQ(std::count(answer.begin(), answer.end(), '\n'), 30'000);
  EXPECT_THAT(answer, Not(HasSubstr("zzz")));
}

// "x.pem::$DATA" is x.pem to Windows.
TEST_F(WindowsUser, KeysAreNotReadByAnotherNameOfTheirs) {
  tree_.Write("x.pem", "needle\n");
  tree_.Write("Y.PEM", "needle\n");
  tree_.Write(".SSH/id", "needle\n");
  for (const std::string path : {"x.pem", "X.PEM", "y.pem", "x.pem::$DATA", "x.pem:s", "x.pem.", "x.pem ", "X~1.PEM",
                                 ".ssh", ".ssh::$INDEX_ALLOCATION", ".\\.ssh\\id", ""}) {
    EXPECT_EQ(Call(Windows(), path, R"(,"hidden":true)").Size("/matches"), 0U) << path;
  }
}

// Wine shows another file system in a folder as a volume that is mounted there: that is
// the only link that it knows.
TEST_F(WindowsUser, AMountedVolumeIsNotEntered) {
  tree_.Write("a.txt", "needle\n");
  const std::string mounts = "/dev/shm";
  std::error_code none;
  if (!std::filesystem::is_directory(mounts, none)) GTEST_SKIP() << "no file system in a folder here";
  const JsonView answer = Call(OnWindows("/dev"), "shm");
  EXPECT_NE(answer.At("/error"), "") << answer.At("");
}

// Wine makes the event of a console from this signal.
TEST_F(WindowsUser, CtrlCEndsASearch) {
  std::vector<std::string> argv = WindowsProgram();
  argv.insert(argv.end(),
              {"search", "--count", "--no-ignore", "no file has this text, or this test is wrong", "Z:/usr"});
  const TempTree home;
  RunningProgram program(UnderWine(argv, home));
  const long busy = sysconf(_SC_CLK_TCK) / 2;  // half a second of work: it has started, and searches
  while (program.cpu_ticks() < busy && !program.EndsWithin(std::chrono::milliseconds(20))) continue;
  program.Signal(SIGINT);
  EXPECT_EQ(program.Wait(), 130);
}

class WindowsSession : public ::testing::Test {
 protected:
  Command Mcp(const std::vector<std::string>& more) const {
    std::vector<std::string> argv = WindowsProgram();
    argv.insert(argv.end(), {"mcp", "--root", OnWindows(tree_.root()), "--set", "mcp.structured=true", "--set",
                             "tools.search.index_path=" + OnWindows(cache_.root())});
    argv.insert(argv.end(), more.begin(), more.end());
    return UnderWine(argv, home_);
  }
  static std::string Files(McpSession& session) {
    const auto line = session.Search(R"({"pattern":"needle"})");
    if (!line) return "no answer";
    const JsonView answer(*line);
    std::string out;
    const std::string matches = "/result/structuredContent/matches";
    for (std::size_t i = 0; i < answer.Size(matches); ++i) {
      out += answer.Text(matches + "/" + std::to_string(i) + "/data/path/text") + " ";
    }
    return out.empty() ? "nothing" : out;
  }

  const TempTree tree_;
  const TempTree cache_;
  const TempTree home_;
};

// Promise 2, with an index and its watcher, while another program changes the tree.
TEST_F(WindowsSession, SeesEveryChangeThatWasCompleteBefore) {
  for (int i = 0; i < 50; ++i) tree_.Write("d" + std::to_string(i % 5) + "/" + std::to_string(i), "hay\n");
  McpSession session(Mcp({"--index", "on"}));
  ASSERT_TRUE(session.began());
  EXPECT_EQ(Files(session), "nothing");
  for (int turn = 0; turn < 5; ++turn) {
    tree_.Write("d1/1", "needle\n");
    EXPECT_EQ(Files(session), "d1/1 ") << turn;
    tree_.Write("d1/1", "haystk\n");  // the same size
    EXPECT_EQ(Files(session), "nothing") << turn;
    tree_.Write("new/deep/f.txt", "needle\n");
    tree_.Write("d2/\u00E9", "needle\n");
    EXPECT_EQ(Files(session), "d2/\u00E9 new/deep/f.txt ") << turn;
    std::filesystem::rename(tree_.Path("new"), tree_.Path("old"));
    tree_.Remove("d2/\u00E9");
    EXPECT_EQ(Files(session), "old/deep/f.txt ") << turn;
    tree_.Write(".ignore", "old\n");
    EXPECT_EQ(Files(session), "nothing") << turn;
    tree_.Remove(".ignore");
    tree_.Remove("old");
  }
  session.program().CloseInput();
  EXPECT_EQ(session.program().Wait(), 0);
}

TEST_F(WindowsSession, EndsWithItsInput) {
  tree_.Write("a", "needle\n");
  McpSession session(Mcp({"--index", "off"}));
  ASSERT_TRUE(session.began());
  EXPECT_EQ(Files(session), "a ");
  session.program().CloseInput();
  EXPECT_EQ(session.program().Wait(), 0);
}

}  // namespace
}  // namespace forge::testing
