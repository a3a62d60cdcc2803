#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "os/file_lock.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

class FileLockTest : public ::testing::Test {
 protected:
  std::string Path() const { return tree_.Path("lock"); }
  OsResult<FileLock> Try(LockMode mode) const { return FileLock::Take(Path(), mode, Deadline::After(0)); }

  forge::testing::TempTree tree_;
};

TEST_F(FileLockTest, WhoMayHoldItBesideWhom) {
  const struct {
    LockMode held;
    LockMode wanted;
    int code;
  } cases[] = {
      {LockMode::kShared, LockMode::kShared, 0},
      {LockMode::kShared, LockMode::kExclusive, EAGAIN},
      {LockMode::kExclusive, LockMode::kShared, EAGAIN},
      {LockMode::kExclusive, LockMode::kExclusive, EAGAIN},
  };
  for (const auto& c : cases) {
    const auto first = Try(c.held);
    ASSERT_TRUE(first.ok()) << first.error().message();
    EXPECT_EQ(Try(c.wanted).error().code, c.code);
  }
}

TEST_F(FileLockTest, EndsWithItsObjectAndMoves) {
  auto first = Try(LockMode::kExclusive);
  ASSERT_TRUE(first->held());
  FileLock moved = std::move(*first);
  EXPECT_TRUE(moved.held());
  EXPECT_FALSE(Try(LockMode::kShared).ok());
  moved.Release();
  EXPECT_FALSE(moved.held());
  EXPECT_TRUE(Try(LockMode::kExclusive).ok());
}

// A lock that belongs to the process would be lost here.
TEST_F(FileLockTest, OutlivesAnotherDescriptorOfTheFile) {
  const auto held = Try(LockMode::kExclusive);
  { const Fd other(open(Path().c_str(), O_RDWR | O_CLOEXEC)); }
  EXPECT_FALSE(Try(LockMode::kExclusive).ok());
}

TEST_F(FileLockTest, IsWaitedFor) {
  auto held = Try(LockMode::kExclusive);
  std::thread waiting([this] {
    const auto lock = FileLock::Take(Path(), LockMode::kExclusive, Deadline::After(60'000));
    EXPECT_TRUE(lock.ok());
  });
  held->Release();
  waiting.join();
}

TEST_F(FileLockTest, WaitingEndsWhenNobodyWantsItAnyMore) {
  const auto held = Try(LockMode::kExclusive);
  CancelSource source;
  source.Cancel();
  EXPECT_EQ(FileLock::Take(Path(), LockMode::kShared, Deadline::After(60'000, source.token())).error().code, ECANCELED);
}

TEST_F(FileLockTest, EndsWithTheProcessThatHoldsIt) {
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = Try(LockMode::kExclusive);
    _exit(lock.ok() ? 0 : 1);  // no destructor runs
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(Try(LockMode::kExclusive).ok());
}

TEST_F(FileLockTest, TheFileIsForThisUserOnlyAndNoSymlink) {
  ASSERT_TRUE(Try(LockMode::kShared).ok());
  struct stat status = {};
  ASSERT_EQ(stat(Path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  ASSERT_EQ(symlink(Path().c_str(), (Path() + "2").c_str()), 0);
  EXPECT_EQ(FileLock::Take(Path() + "2", LockMode::kShared, Deadline::After(0)).error().code, ELOOP);
  EXPECT_EQ(FileLock::Take(Path() + "/x", LockMode::kShared, Deadline::After(0)).error().code, ENOTDIR);
}

}  // namespace
}  // namespace forge::os
