#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "os/file_lock.h"
#include "os/process.h"
#include "os/system_win.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

// A child is this program, with one of the tests below that only a child runs. A
// shell will not do: it reads quotes by rules of its own.
Command Child(const std::string& test) {
  char path[MAX_PATH];
  GetModuleFileNameA(nullptr, path, MAX_PATH);
  return {
      .program = path,
      .args = {"--gtest_also_run_disabled_tests", "--gtest_brief=1", "--gtest_filter=ProcessWinChild.DISABLED_" + test},
      .env = {"SystemRoot=C:\\windows", "MARK=a \"mark\" & \\"}};
}

TEST(ProcessWinChild, DISABLED_PrintsAMarkAndExits) {
  std::printf("seen %s.", std::getenv("MARK"));
  std::fflush(stdout);
  std::_Exit(7);
}

TEST(ProcessWinChild, DISABLED_StaysForever) {
  std::printf("here.");
  std::fflush(stdout);
  while (true) Sleep(1000);
}

TEST(ProcessWin, OutputAndStatusArrive) {
  std::string out;
  const auto ended = os::Run(Child("PrintsAMarkAndExits"), Deadline::After(60'000), [&](std::string_view text) {
    out += text;
    return true;
  });
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  EXPECT_EQ(ended->end, RunOutcome::End::kExited);
  EXPECT_EQ(ended->exit_code, 7);
  EXPECT_NE(out.find("seen a \"mark\" & \\."), std::string::npos) << out;
}

TEST(ProcessWin, ADeadlineEndsTheChild) {
  const auto start = Clock::now();
  std::string out;
  const auto ended = os::Run(Child("StaysForever"), Deadline::After(5000), [&](std::string_view text) {
    out += text;
    return true;
  });
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  EXPECT_NE(ended->end, RunOutcome::End::kExited);
  EXPECT_NE(out.find("here."), std::string::npos) << out;
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(60));
}

TEST(ProcessWin, AMissingProgramIsAnError) {
  const Command missing{.program = "C:/none.exe", .args = {}, .env = {}};
  const auto ended = os::Run(missing, Deadline::After(1000), [](std::string_view) { return true; });
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ENOENT);
}

TEST(ProcessWin, ALockExcludesAnotherOfTheSameProcess) {
  const testing::TempTree tree;
  const std::string path = tree.Path("lock");
  auto first = FileLock::Take(path, LockMode::kExclusive, Deadline::After(0));
  ASSERT_TRUE(first.ok()) << first.error().message();
  first->Sign();
  EXPECT_GT(FileLock::SignerOf(path), 0);
  const auto second = FileLock::Take(path, LockMode::kShared, Deadline::After(10));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, EAGAIN);
  first->Release();
  EXPECT_TRUE(FileLock::Take(path, LockMode::kShared, Deadline::After(10)).ok());
}

}  // namespace
}  // namespace forge::os
