// Changes that cause no event, or one under another name: stores through a
// mapping, other names of a file, mounts. With a real watcher.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "os/file.h"
#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

class UnseenChanges : public ::testing::Test {
 protected:
  UnseenChanges() { FillTree(world.tree, 30); }

  std::string Path(const std::string& path) const { return world.tree.Path(path); }
  void Begin() {
    world.Open();
    ASSERT_TRUE(world.Heal());
    world.ExpectSame("in the beginning");
    world.Indexed(FaultWorld::Request("needle"));
    ASSERT_GT(world.stats.candidates_excluded, 0U);
  }
  bool FindsNeedleIn(const std::string& path) {
    return world.Indexed(FaultWorld::Request("needle")).find(path) != std::string::npos;
  }
  // What the background thread does in a minute.
  void SweepAll() {
    const std::int64_t now = os::FileClockNow();
    for (std::int64_t i = 1; i <= 60; ++i) world.root().Work(now + i * 1'000'000'000, false);
  }

  FaultWorld world;
};

// The page is clean, so the first store moves the file's times; the kernel
// reports no event.
TEST_F(UnseenChanges, AStoreThroughACleanMappingIsFoundWithinAMinute) {
  world.tree.Write("mapped", std::string(4096, 'x') + "\n");
  const os::Fd file(open(Path("mapped").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(file.valid());
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(memory, MAP_FAILED);
  Begin();
  const auto before = os::Stat(file.get());
  std::memcpy(memory, "\nneedle\n", 8);
  const bool stamped = os::Stat(file.get())->mtime_ns != before->mtime_ns;
  EXPECT_EQ(world.root().status().unreported_changes, 0U);
  SweepAll();
  munmap(memory, 4096);
  if (!stamped) GTEST_SKIP() << "NOT TESTED: this file system did not stamp the store; nothing could see it";
  EXPECT_EQ(world.root().status().unreported_changes, 1U);
  EXPECT_TRUE(FindsNeedleIn("mapped"));
  world.ExpectSame("mapped store");
}

TEST_F(UnseenChanges, AWriteThroughALinkThatWasMadeOutsideIsFoundWithinAMinute) {
  const TempTree outside;
  Begin();
  ASSERT_EQ(link(Path("d1/f11.txt").c_str(), outside.Path("link").c_str()), 0);
  outside.Write("link", "needle\n");
  SweepAll();
  EXPECT_TRUE(FindsNeedleIn("d1/f11.txt"));
  EXPECT_EQ(world.root().status().unreported_changes, 1U);
  ASSERT_TRUE(world.Heal());
  // From now on every search looks at the file.
  outside.Write("link", "other\n");
  world.ExpectSame("written again");
  outside.Write("link", "needle again\n");
  world.ExpectSame("and again");
  EXPECT_TRUE(FindsNeedleIn("d1/f11.txt"));
}

// The descriptor was opened under a name that is gone.
TEST_F(UnseenChanges, AWriteThroughADescriptorOfAFormerNameIsSeenAtOnce) {
  Begin();
  const os::Fd file(open(Path("d1/f11.txt").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_EQ(link(Path("d1/f11.txt").c_str(), Path("d2/other").c_str()), 0);
  ASSERT_EQ(unlink(Path("d1/f11.txt").c_str()), 0);
  ASSERT_TRUE(world.Heal());
  for (int round = 0; round < 3; ++round) {
    const std::string word = "needle" + std::to_string(round);
    ASSERT_EQ(write(file.get(), (word + "\n").data(), word.size() + 1), static_cast<ssize_t>(word.size() + 1));
    world.ExpectSame(FaultWorld::Request(word), "round " + std::to_string(round));
    EXPECT_NE(world.Indexed(FaultWorld::Request(word)).find("d2/other"), std::string::npos);
    ASSERT_TRUE(world.Heal());
    EXPECT_EQ(world.State(), "COMPLETE");
  }
  // The former name is given to another file.
  world.tree.Write("d1/f11.txt", "alpha\n");
  ASSERT_TRUE(world.Heal());
  ASSERT_EQ(write(file.get(), "needleX\n", 8), 8);
  world.ExpectSame(FaultWorld::Request("needleX"), "the name has a new file");
  EXPECT_NE(world.Indexed(FaultWorld::Request("needleX")).find("d2/other"), std::string::npos);
}

TEST_F(UnseenChanges, AWriteToAFileThatWasMadeWithoutANameIsSeenAtOnce) {
  Begin();
  const os::Fd file(open(Path("d1").c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.valid()) {
    FAIL() << "the file system of " << Path("d1") << " has no O_TMPFILE: " << std::strerror(errno);
  }
  const std::string self = "/proc/self/fd/" + std::to_string(file.get());
  ASSERT_EQ(linkat(AT_FDCWD, self.c_str(), AT_FDCWD, Path("d1/linked").c_str(), AT_SYMLINK_FOLLOW), 0);
  ASSERT_TRUE(world.Heal());
  for (int round = 0; round < 3; ++round) {
    const std::string word = "needle" + std::to_string(round);
    ASSERT_EQ(write(file.get(), (word + "\n").data(), word.size() + 1), static_cast<ssize_t>(word.size() + 1));
    world.ExpectSame(FaultWorld::Request(word), "round " + std::to_string(round));
    EXPECT_NE(world.Indexed(FaultWorld::Request(word)).find("d1/linked"), std::string::npos);
    ASSERT_TRUE(world.Heal());
  }
}

// Files that come and go, and a deleted file that is still written to, must not
// make the index scan again and again.
TEST_F(UnseenChanges, AFileWithoutAnyNameCastsNoDoubt) {
  Begin();
  const std::uint64_t epoch = world.root().status().coverage_epoch;
  for (int i = 0; i < 5; ++i) {
    const os::Fd brief(open(Path("d1/brief").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    ASSERT_EQ(write(brief.get(), "x", 1), 1);
    ASSERT_EQ(unlink(Path("d1/brief").c_str()), 0);
    if (i % 2 == 0) world.root().CatchUp();
    ASSERT_EQ(write(brief.get(), "x", 1), 1);
    world.root().CatchUp();
  }
  const os::Fd known(open(Path("d1/f11.txt").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_EQ(unlink(Path("d1/f11.txt").c_str()), 0);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(write(known.get(), "x", 1), 1);
    world.ExpectSame("a deleted file is written to");
    EXPECT_EQ(world.State(), "COMPLETE");
  }
  EXPECT_EQ(world.root().status().coverage_epoch, epoch) << "there was a scan";
}

// A mount hides files and brings others; no watcher reports it.
TEST_F(UnseenChanges, AMountBelowTheRootIsSeenByTheNextSearch) {
  Begin();
  if (mount("none", Path("d1").c_str(), "tmpfs", 0, nullptr) != 0) {
    GTEST_SKIP() << "NOT TESTED: nothing can be mounted here (" << std::strerror(errno)
                 << "); the tests of TreeTracker have a table of their own";
  }
  world.ExpectSame("an empty file system is mounted");
  EXPECT_FALSE(FindsNeedleIn("d1/"));
  world.tree.Write("d1/inside/new", "needle\n");
  world.ExpectSame("a file in it");
  EXPECT_TRUE(FindsNeedleIn("d1/inside/new"));
  ASSERT_TRUE(world.Heal());
  world.tree.Write("d1/inside/new", "alpha\n");
  world.ExpectSame("written again");
  ASSERT_EQ(umount(Path("d1").c_str()), 0) << std::strerror(errno);
  world.ExpectSame("unmounted");
  EXPECT_TRUE(FindsNeedleIn("d1/f14.txt"));
  world.tree.Write("d1/f11.txt", "needle\n");
  world.ExpectSame("written below the place of the mount");
  EXPECT_EQ(world.State(), "COMPLETE");
}

// A bind mount shows a folder at two places, and the kernel has one watch for both.
TEST_F(UnseenChanges, AFolderThatIsThereTwiceIsNotLeftToItsWatch) {
  Begin();
  if (mount(Path("d2").c_str(), Path("d1").c_str(), nullptr, MS_BIND, nullptr) != 0) {
    GTEST_SKIP() << "NOT TESTED: nothing can be mounted here (" << std::strerror(errno) << ")";
  }
  world.ExpectSame("d2 is at d1, too");
  world.tree.Write("d2/both", "needle\n");
  world.ExpectSame("a file in both");
  EXPECT_TRUE(FindsNeedleIn("d1/both"));
  EXPECT_TRUE(FindsNeedleIn("d2/both"));
  ASSERT_EQ(umount(Path("d1").c_str()), 0) << std::strerror(errno);
  world.ExpectSame("unmounted");
  world.tree.Write("d2/late", "needle\n");
  world.ExpectSame("a file in what is left");
  EXPECT_TRUE(FindsNeedleIn("d2/late"));
  ASSERT_EQ(unlink(Path("d2/both").c_str()), 0);
  world.ExpectSame("removed there");
  EXPECT_FALSE(FindsNeedleIn("both"));
  ASSERT_TRUE(world.Heal());
  world.tree.Write("d2/late", "alpha\n");
  world.ExpectSame("after a scan");
  EXPECT_EQ(world.State(), "COMPLETE");
}

}  // namespace
}  // namespace forge::testing
