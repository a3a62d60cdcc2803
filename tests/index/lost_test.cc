// Links, other writers, and a store that disappears.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "indexer/index_set.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {
namespace {

class Lost : public ::testing::Test {
 protected:
  std::unique_ptr<indexer::IndexSet> Open() {
    indexer::IndexSetOptions options;
    options.config.mode = IndexMode::kOn;
    options.config.path = cache_.Path("index");
    options.size_limit = {1 << 20};
    options.server = options.write = options.full_speed = true;
    auto sandbox = Sandbox::Create({tree_.root()}, "", {});
    std::vector<std::string> diagnostics;
    auto indexes = indexer::IndexSet::Create(options, *sandbox, diagnostics);
    indexes->OpenStored();
    return indexes;
  }
  indexer::View Begin(indexer::IndexSet& indexes) {
    return indexes.roots()[0]->Begin({.folder = tree_.root()}, Deadline::After(10'000));
  }
  static void Build(indexer::IndexSet& indexes) {
    indexes.roots()[0]->Build(false);
    indexes.roots()[0]->SettleNow();
  }

  TempTree tree_;
  TempTree cache_;
};

// A write through the new name is an event of the new name alone.
TEST_F(Lost, ANewNameOfAKnownFileIsADoubt) {
  tree_.Write("a", "before\n");
  tree_.MakeFolder("d");
  const auto indexes = Open();
  Build(*indexes);
  ASSERT_TRUE(Begin(*indexes).trusted);
  std::filesystem::create_hard_link(tree_.Path("a"), tree_.Path("d/link"));
  const indexer::View view = Begin(*indexes);
  EXPECT_EQ(view.snapshot, nullptr);
  EXPECT_EQ(view.bypass, BypassReason(IndexReason::kRenameUncertain));
  EXPECT_TRUE(indexes->roots()[0]->Reconcile());
  // Both rows now say that the file has another name, so each search looks at
  // them.
  const indexer::View after = Begin(*indexes);
  ASSERT_TRUE(after.trusted);
  EXPECT_EQ(after.snapshot->catalog.Find("a")->info.links, 2U);
  EXPECT_EQ(after.snapshot->catalog.Find("d/link")->info.links, 2U);
}

TEST_F(Lost, ASecondServerKeepsWhatItIndexesInMemory) {
  tree_.Write("a", "before\n");
  const auto first = Open();
  Build(*first);
  const auto second = Open();
  Build(*second);
  EXPECT_EQ(second->roots()[0]->status().state, IndexState::kComplete);
  tree_.Write("a", "after\n");
  EXPECT_TRUE(Begin(*second).trusted);
  second->roots()[0]->SettleNow();
  EXPECT_EQ(second->roots()[0]->status().state, IndexState::kComplete);
  EXPECT_EQ(second->roots()[0]->status().indexed_files, 1U);
  EXPECT_TRUE(Begin(*second).trusted);
}

TEST_F(Lost, WhenTheStoreDisappearsTheIndexGoesOnInMemory) {
  tree_.Write("a", "before\n");
  const auto indexes = Open();
  Build(*indexes);
  std::filesystem::remove_all(cache_.Path("index"));
  tree_.Write("a", "after\n");
  ASSERT_TRUE(Begin(*indexes).trusted);
  indexer::RootIndex& root = *indexes->roots()[0];
  root.SettleNow();
  EXPECT_EQ(root.status().state, IndexState::kComplete);
  EXPECT_EQ(root.status().storage, IndexStorage::kMemory);
  EXPECT_EQ(root.status().storage_fallback_reason, StorageFallback::kNotCreatable);
  EXPECT_NE(root.status().problem, "");
  EXPECT_TRUE(Begin(*indexes).trusted);
  EXPECT_EQ(root.need(os::FileClockNow()), indexer::Need::kNothing);
  constexpr std::int64_t kMinuteNs = 61'000'000'000;
  EXPECT_EQ(root.need(os::FileClockNow() + kMinuteNs), indexer::Need::kStoreAgain);
}

}  // namespace
}  // namespace forge::testing
