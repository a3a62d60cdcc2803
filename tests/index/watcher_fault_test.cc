// Watchers that lose events, reach a limit, or break; roots that leave and
// return.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/index/fault_world.h"
#include "tests/testing/fake_watcher.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

// A folder that is moved keeps the watches of the folders below it, under
// another name. It must not matter in which order the two names sort.
TEST(WatcherFault, AMovedFolderIsStillWatchedBelow) {
  for (const auto& [from, to] : {std::pair("z", "a"), std::pair("a", "z"), std::pair("z", "m/a"), std::pair("m/z", "a"),
                                 std::pair("a", "m/z"), std::pair("m/a", "z")}) {
    FaultWorld world;
    world.tree.MakeFolder("m");
    world.tree.Write(std::string(from) + "/sub/deep/f", "alpha1\n");
    world.Open();
    ASSERT_TRUE(world.Heal());
    fs::rename(world.tree.Path(from), world.tree.Path(to));
    const std::string what = std::string(from) + " to " + to;
    world.ExpectSame(what);
    world.tree.Write(std::string(to) + "/sub/deep/f", "needle alpha2\n");
    world.ExpectSame(what + ", then overwritten");
    world.tree.Write(std::string(to) + "/sub/new", "needle\n");
    world.ExpectSame(what + ", then a new file");
    fs::rename(world.tree.Path(to), world.tree.Path(from));
    world.tree.Write(std::string(from) + "/sub/deep/f", "alpha3\n");
    world.ExpectSame(what + ", and back");
    ASSERT_TRUE(world.Heal()) << what;
    fs::remove(world.tree.Path(std::string(from) + "/sub/deep/f"));
    world.ExpectSame(what + ", then removed");
    EXPECT_EQ(world.State(), "COMPLETE") << what;
  }
}

// Two folders that change places, with folders below.
TEST(WatcherFault, FoldersThatChangePlacesAreStillWatched) {
  FaultWorld world;
  world.tree.Write("a/sub/f", "alpha1\n");
  world.tree.Write("z/sub/f", "alpha2\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  for (int round = 0; round < 4; ++round) {
    const std::string what = "round " + std::to_string(round);
    fs::rename(world.tree.Path("a"), world.tree.Path("t"));
    fs::rename(world.tree.Path("z"), world.tree.Path("a"));
    fs::rename(world.tree.Path("t"), world.tree.Path("z"));
    if (round % 2 == 0) world.ExpectSame(what);
    world.tree.Write("a/sub/f", "alpha1 needle " + what + "\n");
    world.tree.Write("z/sub/g", "needle " + what + "\n");
    world.ExpectSame(what + ", written");
    ASSERT_TRUE(world.Heal());
  }
}

TEST(WatcherFault, TheStatusTellsHowManyFoldersAreWatched) {
  FaultWorld world;
  FillTree(world.tree, 20);  // two folders and the root
  auto owned = std::make_unique<FakeWatcher>();
  FakeWatcher& watcher = *owned;
  world.OpenWith(std::move(owned));
  EXPECT_EQ(world.root().status().watches, 0U);
  ASSERT_TRUE(world.Heal());
  EXPECT_EQ(world.root().status().watches, 3U);
  world.tree.Remove("d1");
  watcher.Push(world.tree.root(), os::WatchEvent::Kind::kRemoved, "d1", true);
  world.root().CatchUp();
  EXPECT_EQ(world.root().status().watches, 2U);
}

TEST(WatcherFault, LostEventsAreMadeGoodByAScan) {
  FaultWorld world;
  FillTree(world.tree, 40);
  auto owned = std::make_unique<FakeWatcher>();
  FakeWatcher& watcher = *owned;
  world.OpenWith(std::move(owned));
  ASSERT_TRUE(world.Heal());
  world.tree.Write("d1/f11.txt", "needle without an event\n");
  watcher.Push({.kind = os::WatchEvent::Kind::kOverflow});
  world.ExpectSame(FaultWorld::Request("needle"), "the first search after it");
  EXPECT_EQ(world.stats.maintenance_action, MaintenanceAction::kBypassExclusion);  // FR-LSI-BUD-03
  world.ExpectSame("overflow");
  EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_OVERFLOW");
  EXPECT_EQ(world.stats.candidates_excluded, 0U);
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
  EXPECT_EQ(world.stats.maintenance_action, std::nullopt);
  EXPECT_GT(world.root().status().indexed_files, 0U);
}

// More events than the kernel keeps.
TEST(WatcherFault, AFloodOfRealEventsIsMadeGood) {
  std::size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  if (most == 0 || most > 200'000) GTEST_SKIP() << "NOT TESTED: the kernel keeps " << most << " events";
  FaultWorld world;
  FillTree(world.tree, 20);
  world.Open();
  ASSERT_TRUE(world.Heal());
  const std::string a = world.tree.Path("d0/flood_a");
  const std::string b = world.tree.Path("d1/flood_b");
  world.tree.Write("d0/flood_a", "x");
  for (std::size_t i = 0; i <= most / 4; ++i) {
    ASSERT_EQ(std::rename(a.c_str(), b.c_str()), 0);
    ASSERT_EQ(std::rename(b.c_str(), a.c_str()), 0);
  }
  world.tree.Write("d1/after", "needle\n");
  world.ExpectSame("flooded");
  EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_OVERFLOW");
  ASSERT_TRUE(world.Heal());
  world.tree.Write("d1/after", "needle again\n");
  world.ExpectSame("healed");
  EXPECT_EQ(world.State(), "COMPLETE");
}

TEST(WatcherFault, WithoutEnoughWatchesEachSearchLooksForItself) {
  for (const std::size_t enough : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    FaultWorld world;
    FillTree(world.tree, 60);
    auto owned = std::make_unique<FakeWatcher>();
    FakeWatcher& watcher = *owned;
    watcher.FailAddAfter(enough);
    world.OpenWith(std::move(owned));
    world.Step();
    EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_DOWN");
    EXPECT_THAT(watcher.Folders(), ::testing::IsEmpty()) << "watches of a part help no search";
    EXPECT_EQ(world.root().status().watches, 0U);
    EXPECT_THAT(world.root().status().problem, ::testing::HasSubstr("fs.inotify.max_user_watches"));
    world.root().SettleNow();
    world.tree.Write("d4/f44.txt", "needle\n");
    world.ExpectSame("limit " + std::to_string(enough));
    world.tree.Write("d4/new/folder", "needle\n");
    world.ExpectSame("limit " + std::to_string(enough) + ", a new folder");
    // A person raises the limit.
    watcher.FailAddAfter(1'000'000);
    ASSERT_TRUE(world.Heal());
    world.ExpectSame("raised");
    EXPECT_EQ(world.root().status().problem, "");
    EXPECT_GT(watcher.Folders().size(), enough);
  }
}

TEST(WatcherFault, AFolderThatCannotBeWatchedAnyMoreIsNoticed) {
  FaultWorld world;
  FillTree(world.tree, 30);
  auto owned = std::make_unique<FakeWatcher>();
  FakeWatcher& watcher = *owned;
  world.OpenWith(std::move(owned));
  ASSERT_TRUE(world.Heal());
  watcher.FailAddAfter(0);
  world.tree.Write("fresh/f", "needle\n");
  watcher.Push(world.Root(), os::WatchEvent::Kind::kCreated, "fresh", true);
  world.ExpectSame("a new folder over the limit");
  EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_DOWN");
  world.tree.Write("fresh/g", "needle\n");
  world.ExpectSame("in the folder that is not watched");
}

TEST(WatcherFault, ABrokenWatcherIsNotBelieved) {
  FaultWorld world;
  FillTree(world.tree, 30);
  auto owned = std::make_unique<FakeWatcher>();
  FakeWatcher& watcher = *owned;
  world.OpenWith(std::move(owned));
  ASSERT_TRUE(world.Heal());
  watcher.Break();
  world.tree.Write("d1/f11.txt", "needle\n");
  world.ExpectSame("broken");
  EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_DOWN");
  for (int i = 0; i < 3; ++i) {
    world.Step();
    world.tree.Write("d2/f2" + std::to_string(i) + ".txt", "needle\n");
    world.ExpectSame("still broken");
    EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_DOWN");
  }
}

TEST(WatcherFault, ARootThatIsDeletedAndMadeAgain) {
  for (const char* storage : {"memory", "sqlite"}) {
    FaultWorld world({.storage = storage, .below = "x/root"});
    FillTree(world.tree, 30, "x/root/");
    world.Open();
    ASSERT_TRUE(world.Heal());
    fs::remove_all(world.Root());
    world.ExpectSame("deleted");
    // Whatever the background thread does about it.
    for (int i = 0; i < 3; ++i) world.Step();
    world.ExpectSame("deleted, some time later");
    FillTree(world.tree, 15, "x/root/");
    world.tree.Write("x/root/fresh", "needle\n");
    world.ExpectSame("made again");
    ASSERT_TRUE(world.Heal());
    world.ExpectSame("healed");
    world.tree.Write("x/root/d0/f3.txt", "needle\n");
    world.ExpectSame("watched again");
    EXPECT_EQ(world.State(), "COMPLETE");
  }
}

// Deleted just before a scan, which finds nothing; then the folder is there
// again.
TEST(WatcherFault, AScanOfARootThatIsGoneProvesNothing) {
  for (const bool first : {true, false}) {
    FaultWorld world({.below = "x/root"});
    FillTree(world.tree, 30, "x/root/");
    world.Open();
    if (!first) {
      ASSERT_TRUE(world.Heal());
    }
    fs::rename(world.Root(), world.tree.Path("away"));
    world.root().Build(false);
    EXPECT_NE(world.State(), "COMPLETE");
    FillTree(world.tree, 5, "x/root/");
    world.ExpectSame("there again");
    world.tree.Write("x/root/d0/f3.txt", "needle\n");
    world.ExpectSame("written");
    ASSERT_TRUE(world.Heal());
    world.ExpectSame("healed");
  }
}

TEST(WatcherFault, ARootThatIsRenamedAwayAndReplaced) {
  FaultWorld world({.below = "x/root"});
  FillTree(world.tree, 30, "x/root/");
  FillTree(world.tree, 12, "other/");
  world.tree.Write("other/only_here", "needle\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  fs::rename(world.Root(), world.tree.Path("away"));
  world.ExpectSame("renamed away");
  fs::rename(world.tree.Path("other"), world.Root());
  world.ExpectSame("replaced");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
  world.tree.Write("x/root/d0/f1.txt", "needle\n");
  world.ExpectSame("watched");
}

// The watch of the root reports nothing when a folder above it is moved.
TEST(WatcherFault, AFolderAboveTheRootIsRenamedAwayAndReplaced) {
  FaultWorld world({.below = "x/root"});
  FillTree(world.tree, 30, "x/root/");
  FillTree(world.tree, 12, "y/root/");
  world.tree.Write("y/root/only_here", "needle\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  fs::rename(world.tree.Path("x"), world.tree.Path("away"));
  world.ExpectSame("renamed away");
  fs::rename(world.tree.Path("y"), world.tree.Path("x"));
  world.ExpectSame("replaced");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
  world.tree.Write("x/root/d0/f1.txt", "needle\n");
  world.ExpectSame("watched");
  EXPECT_EQ(world.State(), "COMPLETE");
}

}  // namespace
}  // namespace forge::testing
