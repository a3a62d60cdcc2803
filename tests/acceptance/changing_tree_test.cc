// A tree that changes while it is searched (I1, FR-LS-ERR-05), and a tree that
// a search must not change (NFR-LS-SEC-02).
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class Changing : public ::testing::TestWithParam<std::string> {
 protected:
  // Does `step` over and over while `rounds` searches run; returns their answers.
  template <typename Step>
  std::vector<Answer> SearchWhile(Step step, const std::string& request, int rounds = 12) {
    std::atomic<bool> stop = false;
    std::thread changer([&] {
      while (!stop) step();
    });
    std::vector<Answer> answers;
    for (int i = 0; i < rounds; ++i) answers.push_back(SearchWith(GetParam(), tree_.Path("root"), request));
    stop = true;
    changer.join();
    return answers;
  }

  TempTree tree_;
};

INSTANTIATE_TEST_SUITE_P(Backends, Changing, ::testing::ValuesIn(kBackends));

TEST_P(Changing, AFolderSwappedForALinkToTheOutsideNeverLeaks) {
  for (int i = 0; i < 40; ++i) {
    tree_.Write("root/d/f" + std::to_string(i), "inside foo\n");
    tree_.Write("outside/f" + std::to_string(i), "SECRET foo\n");
  }
  fs::create_symlink(tree_.Path("outside"), tree_.Path("link"));
  const std::string d = tree_.Path("root/d");
  const std::string link = tree_.Path("link");
  for (const char* fields : {"", R"("follow":true)"}) {
    const auto answers = SearchWhile([&] { renameat2(AT_FDCWD, d.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE); },
                                     Ask("foo", fields));
    for (const Answer& answer : answers) {
      EXPECT_TRUE(answer.ok()) << answer.message();
      EXPECT_THAT(answer.ended().out, Not(HasSubstr("SECRET")));
    }
  }
}

TEST_P(Changing, AFileSwappedForALinkToTheOutsideNeverLeaks) {
  tree_.Write("outside/secret", "SECRET foo\n");
  for (int i = 0; i < 20; ++i) tree_.Write("root/g" + std::to_string(i), "inside foo\n");
  tree_.Write("root/f", "inside foo\n");
  fs::create_symlink(tree_.Path("outside/secret"), tree_.Path("link"));
  const std::string f = tree_.Path("root/f");
  const std::string link = tree_.Path("link");
  for (const char* request :
       {R"({"pattern":"foo"})", R"({"pattern":"foo","path":"f"})", R"({"pattern":"foo","follow":true})"}) {
    const auto answers =
        SearchWhile([&] { renameat2(AT_FDCWD, f.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE); }, request);
    for (const Answer& answer : answers) EXPECT_THAT(answer.ended().out, Not(HasSubstr("SECRET")));
  }
}

TEST_P(Changing, AFileSwappedForAFifoDoesNotHang) {
  tree_.Write("root/f", "foo\n");
  ASSERT_EQ(mkfifo(tree_.Path("fifo").c_str(), 0666), 0);
  const std::string f = tree_.Path("root/f");
  const std::string fifo = tree_.Path("fifo");
  const auto answers = SearchWhile([&] { renameat2(AT_FDCWD, f.c_str(), AT_FDCWD, fifo.c_str(), RENAME_EXCHANGE); },
                                   Ask("foo", R"("timeout_ms":2000)"), 8);
  for (const Answer& answer : answers) EXPECT_TRUE(answer.ok()) << answer.message();
}

TEST_P(Changing, FilesThatVanishAreNoFailure) {
  for (int i = 0; i < 30; ++i) tree_.Write("root/f" + std::to_string(i), "foo\n");
  int n = 0;
  const auto answers = SearchWhile(
      [&] {
        const std::string name = "root/f" + std::to_string(n++ % 30);
        unlink(tree_.Path(name).c_str());
        tree_.Write(name, "foo\n");
      },
      Ask("foo"));
  for (const Answer& answer : answers) {
    EXPECT_TRUE(answer.ok()) << answer.message();
    EXPECT_EQ(answer.json().At("/exit_code"), "") << answer.ended().out.substr(0, 1000);
    for (const std::string& event : answer.events()) EXPECT_THAT(event, HasSubstr(":1:1:foo|foo"));
  }
}

TEST_P(Changing, FilesThatShrinkAndGrowGiveWholeLinesOnly) {
  const std::string large = Repeat(60000, "foo bar\n");
  tree_.Write("root/f", large);
  const std::string path = tree_.Path("root/f");
  const auto answers = SearchWhile(
      [&] {
        if (truncate(path.c_str(), 0) != 0) return;
        tree_.Write("root/f", large);
      },
      Ask("foo", R"("max_results":1000)"));
  for (const Answer& answer : answers) {
    EXPECT_TRUE(answer.ok()) << answer.message();
    EXPECT_EQ(answer.json().At("/exit_code"), "") << answer.ended().out.substr(0, 1000);
  }
}

// Names, sizes, modes and times of everything below a folder.
std::string Snapshot(const std::string& root) {
  std::string all;
  std::vector<std::string> paths = {root};
  for (const auto& entry : fs::recursive_directory_iterator(root)) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    struct stat s {};
    lstat(path.c_str(), &s);
    all += path + " " + std::to_string(s.st_size) + " " + std::to_string(s.st_mode) + " " +
           std::to_string(s.st_mtim.tv_sec) + "." + std::to_string(s.st_mtim.tv_nsec) + " " +
           std::to_string(s.st_ctim.tv_sec) + "." + std::to_string(s.st_ctim.tv_nsec) + " " + std::to_string(s.st_ino) +
           "\n";
  }
  return all;
}

TEST_P(Changing, ASearchChangesNothing) {
  for (const char* name : {"a", "d/b", ".h", "d/e/f"}) tree_.Write(std::string("root/") + name, "foo\n");
  const std::string before = Snapshot(tree_.root());
  for (const char* fields : {"", R"("hidden":true,"follow":true)", R"("timeout_ms":1)", R"("path":"d/b")"}) {
    SearchWith(GetParam(), tree_.Path("root"), Ask("foo", fields));
  }
  Command command = ForgeSearch({"search", "foo", "--backend", GetParam()});
  command.cwd = tree_.Path("root");
  command.env["HOME"] = tree_.Path("root");
  RunProgram(command);
  command.argv = ForgeSearch({"doctor"}).argv;
  RunProgram(command);
  EXPECT_EQ(Snapshot(tree_.root()), before);
}

}  // namespace
}  // namespace forge::testing
