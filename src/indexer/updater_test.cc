#include "indexer/updater.h"

#include <gtest/gtest.h>

#include "indexer/testing/root_parts.h"

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
