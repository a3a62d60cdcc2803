// Settings of the index whose effect needs time: how long the end may take, how
// often the stored index is checked, and when a stopped build runs again.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

// FR-LSI-BG-43, F13: the thread is joined however long that takes, but it saves
// nothing after the time is over.
TEST(IndexShutdown, WhatTakesTooLongIsAbandonedAndJoined) {
  FaultWorld world;
  FillTree(world.tree, 20);
  world.config.index.shutdown_timeout = std::chrono::milliseconds(20);
  auto watcher = os::MakeWatcher();
  ASSERT_TRUE(watcher.ok());
  std::atomic<bool> stuck = false;
  std::atomic<bool> done = false;
  world.OpenWith(std::move(*watcher), [&] {
    stuck = true;
    while (!world.root().abandoned()) std::this_thread::yield();
    done = true;
  });
  world.indexes().Start();
  while (!stuck) std::this_thread::yield();
  world.ExpectSame("while it is stuck");
  EXPECT_FALSE(done);
  world.Close();
  EXPECT_TRUE(done) << "the thread was not joined";
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("opened again");
}

TEST(IndexShutdown, WaitsForWhatEndsInTime) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 20);
  world.Open();
  world.indexes().Start();
  ASSERT_TRUE(world.AwaitComplete());
  world.indexes().Shutdown();
  EXPECT_FALSE(world.root().abandoned());
  world.OpenStored();
  EXPECT_EQ(world.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
  EXPECT_EQ(world.root().snapshot()->catalog.files(), 20U);
}

std::vector<fs::path> StoredFiles(const FaultWorld& world, const std::string& extension) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(world.config.index.path)) {
    if (entry.path().extension() == extension) out.push_back(entry.path());
  }
  return out;
}

// As a bad disk does it: the times of the file do not change.
void Flip(const fs::path& path, std::size_t at) {
  const auto time = fs::last_write_time(path);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x20));
  }
  fs::last_write_time(path, time);
}

// For a search that reads nothing of a segment, and so does not meet the damage
// itself: a gram that is nowhere, in a pattern that bloom filters cannot use.
void SearchTimes(FaultWorld& world, int times) {
  for (int i = 0; i < times; ++i) world.ExpectSame(FaultWorld::Request("zq_[z]q"), "search " + std::to_string(i));
}

template <int kSixths>
void FlipSegments(const FaultWorld& world) {
  for (const fs::path& path : StoredFiles(world, ".seg")) Flip(path, fs::file_size(path) * kSixths / 6);
}

// Wherever the name of a column occurs, in the database and its log.
void FlipDatabase(const FaultWorld& world) {
  for (const char* extension : {".db", ".db-wal"}) {
    for (const fs::path& path : StoredFiles(world, extension)) {
      const std::string bytes = world.cache.Read("index/" + path.filename().string());
      for (std::size_t at = 0; (at = bytes.find("policy_hash", at)) != bytes.npos; ++at) Flip(path, at);
    }
  }
}

struct Damage {
  const char* name;
  void (*apply)(const FaultWorld& world);
};
constexpr Damage kDamages[] = {
    {"segments, at the beginning", FlipSegments<0>},
    {"segments, in the middle", FlipSegments<3>},
    {"segments, near the end", FlipSegments<5>},
    {"database", FlipDatabase},
};

TEST(IndexIntegrity, IsCheckedAfterSoManySearches) {
  for (const char* structure : {"postings", "bloom"}) {
    for (const Damage& damage : kDamages) {
      SCOPED_TRACE(std::string(structure) + ", " + damage.name);
      FaultWorld world({.storage = "sqlite", .structure = structure});
      world.config.index.integrity_check = IntegrityCheck::kPeriodic;
      world.config.index.integrity_period_calls = 5;
      FillTree(world.tree, 60);
      world.OpenStored();
      ASSERT_TRUE(world.Heal());
      SearchTimes(world, 5);
      EXPECT_TRUE(world.Step()) << "it was time to check";
      EXPECT_EQ(world.State(), "COMPLETE") << "nothing is wrong";
      EXPECT_FALSE(world.Step()) << "checked again at once";
      damage.apply(world);
      SearchTimes(world, 4);
      EXPECT_FALSE(world.Step()) << "too soon";
      EXPECT_EQ(world.State(), "COMPLETE");
      SearchTimes(world, 1);
      EXPECT_TRUE(world.Step());
      EXPECT_EQ(world.State(), "CORRUPT");
      world.ExpectSame("damaged");
      ASSERT_TRUE(world.Heal());
      world.ExpectSame("healed");
      world.OpenStored();
      EXPECT_EQ(world.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
    }
  }
}

TEST(IndexIntegrity, IsNotCheckedAgainUnlessPeriodic) {
  for (const IntegrityCheck check : {IntegrityCheck::kOff, IntegrityCheck::kOnOpen}) {
    FaultWorld world({.storage = "sqlite"});
    world.config.index.integrity_check = check;
    world.config.index.integrity_period_calls = 2;
    FillTree(world.tree, 20);
    world.OpenStored();
    ASSERT_TRUE(world.Heal());
    SearchTimes(world, 5);
    EXPECT_FALSE(world.Step()) << Name(check);
  }
}

// A build that stopped at a limit is not tried again and again. But when the
// tree fits the limit, it is.
void ExpectHealsWhenItFits(FaultWorld& world, const std::function<void()>& shrink) {
  using Need = indexer::Need;
  constexpr std::int64_t kMinuteNs = 61'000'000'000;
  world.Open();
  world.root().Build(false);
  ASSERT_EQ(world.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  for (int i = 0; i < 3; ++i) {
    const std::int64_t now = os::FileClockNow();
    EXPECT_EQ(world.root().need(now), Need::kNothing);
    EXPECT_EQ(world.root().need(now + kMinuteNs * (1 << i)), Need::kMeasure);
    EXPECT_EQ(world.root().need(now + kMinuteNs * (1 << i) / 2), Need::kNothing) << "twice as long each time";
    EXPECT_TRUE(world.root().Work(now + kMinuteNs * (1 << i), false));
    EXPECT_EQ(world.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
    world.ExpectSame("too large");
    EXPECT_EQ(world.stats.candidates_excluded, 0U);
  }
  shrink();
  world.ExpectSame("smaller");
  EXPECT_TRUE(world.root().Work(os::FileClockNow() + 60 * kMinuteNs, false));
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
  world.Indexed(FaultWorld::Request("nowhere_to_be_found"));
  EXPECT_EQ(world.stats.candidates_excluded, 30U);
}

TEST(IndexBudget, ATreeThatFitsAgainIsBuilt) {
  const auto remove = [](FaultWorld& world) {
    for (const int folder : {3, 4, 5}) world.tree.Remove("d" + std::to_string(folder));
  };
  FaultWorld files;
  FillTree(files.tree, 60);
  files.config.index.build_max_files = 30;
  ExpectHealsWhenItFits(files, [&] { remove(files); });
  FaultWorld bytes;
  FillTree(bytes.tree, 30);
  bytes.tree.Write("d4/large1", std::string(3 << 18, 'x'));
  bytes.tree.Write("d5/large2", std::string(3 << 18, 'x'));
  bytes.config.index.build_max_bytes = 1 << 20;
  ExpectHealsWhenItFits(bytes, [&] { remove(bytes); });
}

// We cannot know how long a build would take. But a tree that is no larger than
// what one build could read takes no longer.
TEST(IndexBudget, ATreeThatTookTooLongIsBuiltWhenItIsSmaller) {
  FaultWorld world;
  FillTree(world.tree, 60);
  for (int i = 0; i < 600; ++i) world.tree.Write("d3/more" + std::to_string(i), "alpha\n");
  world.config.index.build_timeout = std::chrono::seconds(1);
  auto watcher = os::MakeWatcher();
  ASSERT_TRUE(watcher.ok());
  bool slow = true;
  int read = 0;
  // The build began before this, so its time is over after it.
  world.OpenWith(
      std::move(*watcher), [] {},
      [&] {
        const Deadline late = Deadline::After(1000);
        while (slow && ++read == 300 && !late.over()) --read;
      });
  world.root().Build(false);
  ASSERT_EQ(world.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED") << world.root().status().files_done;
  const std::uint64_t done = world.root().status().files_done;
  ASSERT_LE(done, 300U);
  ASSERT_GT(done, 60U);
  slow = false;
  constexpr std::int64_t kHourNs = 3'700'000'000'000;
  EXPECT_TRUE(world.root().Work(os::FileClockNow() + kHourNs, false));
  EXPECT_EQ(world.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED") << "as large as before";
  world.tree.Remove("d3");
  EXPECT_TRUE(world.root().Work(os::FileClockNow() + kHourNs, false));
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
}

}  // namespace
}  // namespace forge::testing
