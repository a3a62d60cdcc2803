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

constexpr int kFolders = 400;
constexpr int kFilesEach = 500;
constexpr std::chrono::milliseconds kTimeout{40};
constexpr std::chrono::minutes kAllTheTime{10};

using Clock = std::chrono::steady_clock;

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

// How long a search takes for what is nowhere.
Clock::duration TimeOf(FaultWorld& world, std::chrono::milliseconds timeout) {
  SearchRequest request = FaultWorld::Request("nowhere_to_be_found");
  request.timeout = timeout;
  const auto began = Clock::now();
  world.Indexed(request);
  return Clock::now() - began;
}

std::int64_t Ms(Clock::duration time) { return std::chrono::duration_cast<std::chrono::milliseconds>(time).count(); }

// The share of a search with little time is too short to catch up. It stops, and a
// scan comes.
Clock::duration ShortSearch(FaultWorld& world) {
  const Clock::duration took = TimeOf(world, kTimeout);
  EXPECT_EQ(world.State(), "UNCERTAIN/MAINT_BUDGET_EXCEEDED");
  AwaitIndex(world);
  return took;
}

// FR-LSI-BUD-MAINT-01: no thread but the search's own works on the events here. What
// a search without a bound would take is measured here as well, by one that has all
// the time: so the bound fails such code on every machine, and no other.
TEST(LargeMove, ASearchKeepsItsTime) {
  FaultWorld world({.below = "root", .place = TempTree::Place::kInMemory});
  world.config.max_files = 10 * kFolders * kFilesEach;
  FillTree(world.tree, 100, "root/");
  FillOutside(world.tree);
  world.Open();
  ASSERT_TRUE(world.Heal());
  SearchRequest needle = FaultWorld::Request("needle");
  needle.max_results = 2 * kFolders;

  std::filesystem::rename(world.tree.Path("outside"), world.tree.Path("root/moved"));
  const Clock::duration came = ShortSearch(world);
  EXPECT_EQ(world.root().status().files, 100U + kFolders * kFilesEach);
  world.ExpectSame(needle, "they came");
  EXPECT_TRUE(world.stats.index_exclusion_used);
  EXPECT_GT(world.stats.candidates_excluded, kFolders * kFilesEach / 2);

  std::filesystem::rename(world.tree.Path("root/moved"), world.tree.Path("outside"));
  const Clock::duration left = ShortSearch(world);
  EXPECT_EQ(world.root().status().files, 100U);
  world.ExpectSame(needle, "they left");

  std::filesystem::rename(world.tree.Path("outside"), world.tree.Path("root/moved"));
  const Clock::duration all = TimeOf(world, kAllTheTime);
  EXPECT_EQ(world.State(), "COMPLETE") << "it caught up";
  EXPECT_LT(Ms(came), Ms(all) / 2);
  EXPECT_LT(Ms(left), Ms(all) / 2);
  EXPECT_GT(Ms(all), 4 * kTimeout.count()) << "more files are needed to tell the two apart";
  RecordProperty("milliseconds",
                 std::to_string(Ms(came)) + " " + std::to_string(Ms(left)) + " of " + std::to_string(Ms(all)));
}

}  // namespace
}  // namespace forge::testing
