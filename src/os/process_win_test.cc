#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "base/environment.h"
#include "os/file_lock.h"
#include "os/process.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

std::string Shell() { return *FindProgram("cmd", Environment::FromProcess().Get("PATH")); }

Command ShellCommand(std::vector<std::string> words) {
  words.insert(words.begin(), "/c");
  return {.program = Shell(), .args = std::move(words), .env = {"SystemRoot=C:\\windows", "MARK=seen"}};
}

TEST(ProcessWin, OutputAndStatusArrive) {
  std::string out;
  const auto ended =
      os::Run(ShellCommand({"echo", "%MARK%", "&", "exit", "7"}), Deadline::After(20000), [&](std::string_view text) {
        out += text;
        return true;
      });
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  EXPECT_EQ(ended->end, RunOutcome::End::kExited);
  EXPECT_EQ(ended->exit_code, 7);
  EXPECT_EQ(out.substr(0, 4), "seen");
}

TEST(ProcessWin, ADeadlineEndsTheChild) {
  const auto start = Clock::now();
  const auto ended = os::Run(ShellCommand({"pause"}), Deadline::After(100), [](std::string_view) { return true; });
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
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
