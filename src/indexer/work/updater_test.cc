#include "indexer/work/updater.h"

#include <gtest/gtest.h>

#include "indexer/work/testing/root_parts.h"

namespace forge::indexer {
namespace {

class UpdaterTest : public ::testing::Test {
 protected:
  UpdaterTest() {
    parts_.tree.Write("a", "one\n");
    parts_.tree.Write("b", "two\n");
    parts_.builder().Build(false);
  }
  void Maintain() { parts_.updater().Maintain(parts_.clocks.FileNs()); }
  index::TokenStatus StatusOf(const std::string& path) {
    return parts_.published->snapshot()->catalog.Find(path)->status;
  }

  RootParts parts_;
};

TEST_F(UpdaterTest, IndexesAChangedFileAgain) {
  const std::size_t segments = parts_.published->snapshot()->segments.size();
  parts_.Change("a", "changed\n");
  parts_.Begin();
  EXPECT_EQ(StatusOf("a"), index::TokenStatus::kNone);
  Maintain();
  EXPECT_EQ(StatusOf("a"), index::TokenStatus::kFull);
  EXPECT_EQ(parts_.published->snapshot()->segments.size(), segments + 1);
  EXPECT_EQ(parts_.Status().pending_files, 0U);
  parts_.Change("a", "and again\n");
  parts_.Change("b", "too\n");
  parts_.Begin();
  Maintain();
  EXPECT_EQ(parts_.published->snapshot()->segments.size(), 1U) << "no row refers to the others";
}

// FR-LSI-IDX-RM-04: the limit holds whenever the index grows.
TEST_F(UpdaterTest, AnUpdateThatNeedsTooMuchMemoryDisablesTheIndex) {
  parts_.setup.config.max_memory_bytes = static_cast<std::int64_t>(parts_.published->snapshot()->memory()) + 10'000;
  parts_.Change("a", "a few words more\n");
  parts_.Begin();
  Maintain();
  EXPECT_EQ(parts_.State(), "COMPLETE");
  std::string much;
  for (int i = 0; i < 20'000; ++i) much += std::to_string(i * 7919) + "\n";
  parts_.Change("b", much);
  parts_.Begin();
  Maintain();
  EXPECT_EQ(parts_.State(), "DISABLED/MEMORY_BUDGET_EXCEEDED");
  EXPECT_EQ(parts_.published->snapshot(), nullptr);
  EXPECT_EQ(parts_.NextNeed(), Need::kNothing);
}

// The limits of a build are not those of an update.
TEST_F(UpdaterTest, AnUpdateMayReadMoreThanABuild) {
  parts_.setup.config.build_max_bytes = 3;
  parts_.Change("a", "changed, and longer\n");
  parts_.Begin();
  Maintain();
  EXPECT_EQ(StatusOf("a"), index::TokenStatus::kFull);
}

// FR-LSI-TRK-06
TEST_F(UpdaterTest, WaitsUntilAChangeHasRested) {
  EXPECT_EQ(parts_.NextNeed(), Need::kNothing);
  parts_.Change("a", "changed\n");
  parts_.published->CatchUp();
  EXPECT_EQ(parts_.NextNeed(), Need::kNothing);
  parts_.clocks.Advance(std::chrono::seconds(60));
  EXPECT_EQ(parts_.NextNeed(), Need::kMaintain);
}

TEST_F(UpdaterTest, AFileThatIsGoneIsNotIndexed) {
  parts_.Change("a", "changed\n");
  parts_.published->CatchUp();
  parts_.tree.Remove("a");  // its event comes later
  Maintain();
  EXPECT_EQ(StatusOf("a"), index::TokenStatus::kUnreadable);
  EXPECT_TRUE(parts_.Begin().trusted);
}

TEST_F(UpdaterTest, OnceStoppedItWaitsForNothing) {
  parts_.setup.stamp_granularity_ns = 3'600'000'000'000;  // a file needs an hour to settle
  parts_.Change("a", "changed\n");
  parts_.published->CatchUp();
  Maintain();
  ASSERT_EQ(parts_.Status().pending_files, 1U);
  parts_.throttle.Stop();
  parts_.updater().SettleNow();
  EXPECT_EQ(parts_.Status().pending_files, 1U);
}

// FR-LSI-TRK-10
TEST_F(UpdaterTest, TheOldestChangesAreIndexedFirst) {
  parts_.Change("b", "changed\n");
  parts_.published->CatchUp();
  parts_.clocks.Advance(std::chrono::seconds(1));
  parts_.Change("a", "changed\n");
  parts_.published->CatchUp();
  const auto update = parts_.updates->Start(parts_.clocks.FileNs());
  ASSERT_TRUE(update);
  EXPECT_LT(update->numbers.at("b"), update->numbers.at("a"));
}

TEST_F(UpdaterTest, DoesNothingWhileAScanIsNeeded) {
  parts_.Change("a", "changed\n");
  parts_.watcher->Push({.kind = os::WatchEvent::Kind::kOverflow, .watch = -1, .name = ""});
  parts_.published->CatchUp();
  Maintain();
  EXPECT_EQ(StatusOf("a"), index::TokenStatus::kNone);
  EXPECT_EQ(parts_.NextNeed(), Need::kReconcile);
}

}  // namespace
}  // namespace forge::indexer
