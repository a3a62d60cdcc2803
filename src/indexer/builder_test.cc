#include "indexer/builder.h"

#include <gtest/gtest.h>

#include "index/postings/postings_segment.h"
#include "indexer/testing/root_parts.h"

namespace forge::indexer {
namespace {

void Fill(const RootParts& parts, int files) {
  for (int i = 0; i < files; ++i) parts.tree.Write("f" + std::to_string(i), "some text\n");
}

TEST(Builder, ABuildIndexesEveryFile) {
  RootParts parts;
  Fill(parts, 5);
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "COMPLETE");
  EXPECT_EQ(parts.Status().indexed_files, 5U);
  EXPECT_EQ(parts.Status().pending_files, 0U);
  EXPECT_EQ(parts.progress.numbers().files_done, 5U);
  EXPECT_EQ(parts.progress.numbers().phase, Phase::kIdle);
  EXPECT_TRUE(parts.Begin().trusted);
}

TEST(Builder, AScanReadsOnlyWhatIsNotAsItWas) {
  RootParts parts;
  Fill(parts, 5);
  parts.builder().Build(false);
  parts.tree.Write("f3", "another text\n");
  parts.tree.Write("new", "text\n");
  parts.builder().Build(false);
  EXPECT_EQ(parts.progress.numbers().files_done, 2U);
  EXPECT_EQ(parts.Status().files, 6U);
  EXPECT_EQ(parts.State(), "COMPLETE");
}

TEST(Builder, ASmallTreeIsNotBuiltInAutoMode) {
  IndexConfig config;
  config.auto_threshold_files = 5;
  RootParts parts(config);
  Fill(parts, 5);
  parts.builder().Build(true);
  EXPECT_EQ(parts.State(), "DISABLED/BELOW_THRESHOLD");
  Fill(parts, 6);
  parts.builder().Build(true);
  EXPECT_EQ(parts.State(), "COMPLETE");
}

TEST(Builder, ATreeOverTheBudgetIsBuiltWhenItFits) {
  IndexConfig config;
  config.build_max_files = 3;
  RootParts parts(config);
  Fill(parts, 5);
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  EXPECT_EQ(parts.Status().indexed_files, 3U);
  EXPECT_EQ(parts.NextNeed(), Need::kNothing);
  parts.clocks.Advance(std::chrono::milliseconds(config.cooldown_base.count()));
  EXPECT_EQ(parts.NextNeed(), Need::kMeasure);
  parts.builder().Measure();
  EXPECT_EQ(parts.NextNeed(), Need::kNothing) << "it is as large as before";
  parts.tree.Remove("f0");
  parts.tree.Remove("f4");
  parts.clocks.Advance(std::chrono::hours(1));
  parts.builder().Measure();
  EXPECT_EQ(parts.NextNeed(), Need::kBuild);
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "COMPLETE");
}

TEST(Builder, WhatDoesNotFitAReconcileIsBuilt) {
  IndexConfig config;
  config.reconcile_max_files = 3;
  RootParts parts(config);
  Fill(parts, 5);
  parts.builder().Build(false);
  parts.watcher->Push({.kind = os::WatchEvent::Kind::kOverflow, .watch = -1, .name = ""});
  parts.published->CatchUp();
  EXPECT_EQ(parts.NextNeed(), Need::kReconcile);
  EXPECT_FALSE(parts.builder().Reconcile());
  EXPECT_EQ(parts.State(), "UNCERTAIN/WATCHER_OVERFLOW");
  EXPECT_EQ(parts.NextNeed(), Need::kBuild);
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "COMPLETE");
}

TEST(Builder, TooMuchMemoryDisablesTheIndexForAWhile) {
  IndexConfig config;
  config.max_memory_bytes = 1;
  RootParts parts(config);
  Fill(parts, 5);
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "DISABLED/MEMORY_BUDGET_EXCEEDED");
  EXPECT_EQ(parts.published->snapshot(), nullptr);
  EXPECT_EQ(parts.NextNeed(), Need::kNothing);
  parts.clocks.Advance(std::chrono::milliseconds(config.cooldown_base.count()));
  EXPECT_EQ(parts.NextNeed(), Need::kReevaluate);
}

TEST(Builder, OnceStoppedItPublishesNothing) {
  RootParts parts;
  Fill(parts, 5);
  parts.throttle.Stop();
  parts.builder().Build(false);
  EXPECT_EQ(parts.published->snapshot(), nullptr);
  EXPECT_EQ(parts.progress.numbers().phase, Phase::kIdle);
}

// F1, with a real scan: the event comes while the scan reads the files.
TEST(Builder, AChangeDuringABuildIsNotLost) {
  RootParts parts;
  Fill(parts, 5);
  parts.setup.make_builder = [&] {
    parts.Change("f1", "changed\n");
    return index::MakePostingsBuilder();
  };
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "COMPLETE");
  EXPECT_GE(parts.Status().pending_files, 1U);
  EXPECT_NE(parts.Begin().snapshot->catalog.Find("f1")->status, index::TokenStatus::kFull);
}

TEST(ScanProgress, TellsHowLongTheScanTookUntilTheNextOne) {
  testing::FakeClocks clocks;
  ScanProgress progress(clocks);
  progress.Enter(Phase::kEnumerate);
  clocks.Advance(std::chrono::milliseconds(20));
  progress.Enter(Phase::kTokenize);
  clocks.Advance(std::chrono::milliseconds(30));
  EXPECT_EQ(progress.numbers().elapsed, std::chrono::milliseconds(50));
  progress.Enter(Phase::kIdle);
  clocks.Advance(std::chrono::milliseconds(100));
  EXPECT_EQ(progress.numbers().elapsed, std::chrono::milliseconds(50));
  progress.Enter(Phase::kEnumerate);
  EXPECT_EQ(progress.numbers().elapsed, std::chrono::milliseconds(0));
}

}  // namespace
}  // namespace forge::indexer
