// Very many files come into a tree at once, by one rename. A search that comes
// right afterwards keeps its time.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

constexpr int kFolders = 200;
constexpr int kFilesEach = 1000;
constexpr std::chrono::milliseconds kTimeout{40};
// Code that catches up without a bound needs more than 2 s here: it lists and
// stats all files, and makes their rows. The rest is room for a busy machine.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kMostTimeouts = 100;
#else
constexpr int kMostTimeouts = 20;
#endif

// Beside the root. Most files are empty; one in each folder has the needle.
void FillOutside(const TempTree& tree) {
  for (int folder = 0; folder < kFolders; ++folder) {
    const std::string below = "outside/" + std::to_string(1000 + folder);
    tree.Write(below + "/needle", "a needle\n");
    for (int file = 1; file < kFilesEach; ++file) {
      const std::string path = tree.Path(below + "/" + std::to_string(file));
      const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
      ASSERT_GE(fd, 0) << path;
      close(fd);
    }
  }
}

// The work of the background thread.
void AwaitIndex(FaultWorld& world) {
  world.root().CatchUp();
  for (int step = 0; step < 1000 && (world.State() != "COMPLETE" || world.root().status().pending_files > 0); ++step) {
    world.Step();
    world.root().SettleNow();
  }
  EXPECT_EQ(world.State(), "COMPLETE") << world.root().status().problem;
}

// Searches for what is nowhere, and takes the time.
void ExpectInTime(FaultWorld& world) {
  SearchRequest request = FaultWorld::Request("nowhere_to_be_found");
  request.timeout = kTimeout;
  const auto began = std::chrono::steady_clock::now();
  world.Indexed(request);
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_LT(took, kMostTimeouts * kTimeout)
      << std::chrono::duration_cast<std::chrono::milliseconds>(took).count() << " ms";
  EXPECT_EQ(world.State(), "UNCERTAIN/MAINT_BUDGET_EXCEEDED") << "the share was too short to catch up";
}

// FR-LSI-BUD-MAINT-01: no thread but the search's own works on the events here.
TEST(LargeMove, ASearchKeepsItsTime) {
  FaultWorld world({.below = "root"});
  world.config.max_files = 10 * kFolders * kFilesEach;
  FillTree(world.tree, 100, "root/");
  FillOutside(world.tree);
  world.Open();
  ASSERT_TRUE(world.Heal());
  SearchRequest needle = FaultWorld::Request("needle");
  needle.max_results = 2 * kFolders;

  std::filesystem::rename(world.tree.Path("outside"), world.tree.Path("root/moved"));
  ExpectInTime(world);
  AwaitIndex(world);
  EXPECT_EQ(world.root().status().files, 100U + kFolders * kFilesEach);
  world.ExpectSame(needle, "they came");
  EXPECT_TRUE(world.stats.index_exclusion_used);
  EXPECT_GT(world.stats.candidates_excluded, kFolders * kFilesEach / 2);

  std::filesystem::rename(world.tree.Path("root/moved"), world.tree.Path("outside"));
  ExpectInTime(world);
  AwaitIndex(world);
  EXPECT_EQ(world.root().status().files, 100U);
  world.ExpectSame(needle, "they left");
}

}  // namespace
}  // namespace forge::testing
