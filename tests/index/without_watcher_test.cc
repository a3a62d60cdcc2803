// A server with index_watch = false, and what it says about itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "os/file.h"
#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;

// CFG-SFI-05: scans and fingerprints are all there is.
TEST(WithoutWatcher, ScansFindWhatChangedWhileSearchesCome) {
  FaultWorld world;
  world.config.index.watch = false;
  FillTree(world.tree, 30);
  world.Open();
  indexer::RootIndex& root = world.root();
  ASSERT_TRUE(root.Work(os::FileClockNow(), false));
  EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_DOWN");
  EXPECT_FALSE(root.status().watching);
  world.ExpectSame("built");
  world.tree.Write("d1/f11.txt", "changed\n");
  world.tree.Write("new/f", "needle\n");
  world.tree.Remove("d2");
  world.ExpectSame("changed");
  const std::int64_t now = os::FileClockNow();
  EXPECT_EQ(root.need(now), indexer::Need::kNothing);
  ASSERT_EQ(root.need(now + 31 * kSecond), indexer::Need::kReconcile);
  ASSERT_TRUE(root.Work(now + 31 * kSecond, false));
  EXPECT_EQ(world.State(), "UNCERTAIN/WATCHER_DOWN");
  EXPECT_EQ(root.status().files, 21U);
  EXPECT_EQ(root.need(now + 3600 * kSecond), indexer::Need::kNothing) << "nobody has asked since";
  world.ExpectSame("reconciled");
  EXPECT_EQ(root.need(now + 3600 * kSecond), indexer::Need::kReconcile);
}

TEST(WithoutWatcher, AFileThatChangedIsExcludedAgainAfterAScan) {
  FaultWorld world;
  world.config.index.watch = false;
  FillTree(world.tree, 30);
  world.Open();
  // Stamps of fresh files are believed a little later, by the next scan.
  const auto scan = [&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    do {
      world.root().Build(false);
      world.Indexed(FaultWorld::Request("nowhere_to_be_found"));
    } while (world.stats.candidates_excluded < 30 && std::chrono::steady_clock::now() < end);
    return world.stats.candidates_excluded;
  };
  EXPECT_EQ(scan(), 30U);
  world.tree.Write("d1/f11.txt", "changed\n");
  world.Indexed(FaultWorld::Request("nowhere_to_be_found"));
  EXPECT_EQ(world.stats.candidates_excluded, 29U);
  EXPECT_EQ(scan(), 30U);
}

// FR-LSI-STAT-02
TEST(IndexStats, ANamedFileShowsTheStateOfTheIndex) {
  FaultWorld world;
  FillTree(world.tree, 30);
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame(FaultWorld::Request("alpha", "d0/f0.txt"), "a file");
  EXPECT_EQ(world.stats.index_safety_state, IndexState::kComplete);
  EXPECT_EQ(world.stats.index_bypass_reason, BypassReason(Bypass::kNamedFile));
  EXPECT_FALSE(world.stats.index_exclusion_used);
  EXPECT_EQ(world.stats.storage_mode, IndexStorage::kMemory);
  EXPECT_EQ(world.stats.candidates_total, 1U);
  EXPECT_EQ(world.stats.candidates_scanned, 1U);
  const auto explained = world.Explain(FaultWorld::Request("alpha", "d0/f0.txt"));
  EXPECT_EQ(explained.bypass, world.stats.index_bypass_reason) << "as the search does";
  EXPECT_EQ(explained.plan, "AND(alp lph pha)");
}

// FR-LSI-STAT-02: all eligible files count, also those behind the place where a
// truncated search ended.
TEST(IndexStats, ATruncatedSearchCountsAllEligibleFiles) {
  FaultWorld world;
  FillTree(world.tree, 30);
  world.Open();
  ASSERT_TRUE(world.Heal());
  SearchRequest request = FaultWorld::Request("needle");
  request.max_results = 1;
  world.ExpectSame(request, "truncated");
  EXPECT_EQ(world.stats.candidates_total, 30U);
  EXPECT_EQ(world.stats.candidates_excluded, 25U);
  EXPECT_EQ(world.stats.candidates_scanned, 2U);
  request.max_files = 10;
  world.ExpectSame(request, "max_files");
  EXPECT_EQ(world.stats.candidates_total, 10U);
}

// FR-LSI-STAT-02, F26: a filter that cannot be asked is not used.
TEST(IndexStats, ABloomFilterSaysWhenItCannotBeAsked) {
  FaultWorld world({.structure = "bloom"});
  FillTree(world.tree, 30);
  world.Open();
  ASSERT_TRUE(world.Heal());
  for (const char* pattern : {"alpha\\d+", "al", "ne+dle"}) {
    world.ExpectSame(FaultWorld::Request(pattern), pattern);
    EXPECT_FALSE(world.stats.index_exclusion_used) << pattern;
    EXPECT_EQ(world.stats.index_bypass_reason, BypassReason(Bypass::kNoRequiredGram)) << pattern;
  }
  world.ExpectSame(FaultWorld::Request("needle"), "text");
  EXPECT_TRUE(world.stats.index_exclusion_used);
  EXPECT_EQ(world.stats.index_bypass_reason, std::nullopt);
}

// FR-LSI-STAT-03, FR-LSI-STAT-04: the same index gives the same numbers; only
// times differ.
TEST(IndexStats, AreTheSameEachTimeButForTimes) {
  FaultWorld world;
  FillTree(world.tree, 60);
  world.Open();
  ASSERT_TRUE(world.Heal());
  for (const char* pattern : {"needle", "alpha\\d+", "nowhere_to_be_found", "."}) {
    std::string first;
    for (int round = 0; round < 5; ++round) {
      SearchRequest request = FaultWorld::Request(pattern);
      request.max_results = 3;
      world.Indexed(request);
      SearchResponse response;
      response.stats = world.stats;
      response.stats->elapsed = {};
      std::ostringstream json;
      tool::ToDocument(std::move(response)).Write(json);
      if (round == 0) first = json.str();
      EXPECT_EQ(json.str(), first) << pattern;
    }
  }
}

std::size_t StoredSegments(const FaultWorld& world) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(world.config.index.path)) {
    count += entry.path().extension() == ".seg" ? 1U : 0U;
  }
  return count;
}

// A file that is gone is gone from the store, too, as soon as the tree rests.
TEST(KeptStore, ADeletedFileLeavesTheStoreWhileTheServerRuns) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 30);
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.tree.Remove("d1");
  world.root().CatchUp();
  EXPECT_EQ(world.root().need(os::FileClockNow() + 60 * kSecond), indexer::Need::kMaintain);
  world.root().Work(os::FileClockNow() + 60 * kSecond, false);
  EXPECT_EQ(world.root().need(os::FileClockNow() + 60 * kSecond), indexer::Need::kNothing);
  world.OpenStored();  // nothing was saved at the end
  EXPECT_EQ(world.root().status().files, 20U);
  world.ExpectSame("opened again");
}

TEST(KeptStore, AReconcileOverItsBudgetLeavesNoFileBehind) {
  FaultWorld world({.storage = "sqlite"});
  world.config.index.build_max_files = 3;
  for (int i = 0; i < 3; ++i) world.tree.Write("f" + std::to_string(i), "alpha\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.tree.Write(".gitignore", "none\n");  // in doubt from now on
  for (int i = 0; i < 9; ++i) world.tree.Write("g" + std::to_string(i), "alpha\n");
  world.root().CatchUp();
  ASSERT_EQ(world.State(), "UNCERTAIN/ELIGIBILITY_CHANGED");
  EXPECT_FALSE(world.root().Reconcile());
  EXPECT_EQ(world.State(), "UNCERTAIN/ELIGIBILITY_CHANGED");
  const std::size_t segments = world.root().status().segments;
  EXPECT_GE(segments, 2U) << "what it read is kept";
  EXPECT_EQ(StoredSegments(world), segments);
  world.ExpectSame("over its budget");
  world.OpenStored();
  EXPECT_EQ(world.root().status().files, 12U);
  EXPECT_EQ(world.root().status().segments, segments) << "the store names them";
  world.ExpectSame("opened again");
}

}  // namespace
}  // namespace forge::testing
