#include "indexer/work/builder.h"

#include <gtest/gtest.h>

#include <map>

#include "index/postings/postings_segment.h"
#include "index/snapshot/open_segment.h"
#include "indexer/work/testing/root_parts.h"

namespace forge::indexer {
namespace {

// Keeps segments in memory, and calls back at a commit.
class NoisyStore : public index::Store {
 public:
  std::function<void()> on_commit = [] {};
  forge::Status commit_result;

  bool writable() const override { return true; }
  Error NotWritable() const override { return {}; }
  Result<std::optional<index::StoredIndex>> Load() override { return std::optional<index::StoredIndex>(); }
  Result<std::shared_ptr<const index::Segment>> Open(index::SegmentId id) override {
    return index::OpenSegment(index::InMemory(images_.at(id)));
  }
  Status WriteSegment(index::SegmentId id, std::string_view image) override {
    images_[id] = image;
    return {};
  }
  Status Commit(const index::StoreChange&) override {
    on_commit();
    return commit_result;
  }
  Status Clear() override { return {}; }
  Status Checkpoint() override { return {}; }
  void Touch(std::int64_t) const override {}
  std::uint64_t bytes_on_disk() const override { return 0; }

 private:
  std::map<index::SegmentId, std::string> images_;
};

void Fill(const RootParts& parts, int files) {
  for (int i = 0; i < files; ++i) parts.tree.Write("f" + std::to_string(i), "some text\n");
}

TEST(Builder, ABuildIndexesEveryFile) {
  RootParts parts;
  Fill(parts, 5);
  EXPECT_EQ(parts.builder().Build(false), BuildEnd::kInMemory);
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
  EXPECT_EQ(parts.progress.numbers().kept.files, 4U) << "people see 4 of 6 at once, and not 0";
  EXPECT_EQ(parts.progress.numbers().kept.bytes, 40U);
  EXPECT_EQ(parts.Status().files, 6U);
  EXPECT_EQ(parts.State(), "COMPLETE");
}

TEST(Builder, ASmallTreeIsNotBuiltInAutoMode) {
  IndexConfig config;
  config.auto_threshold_files = 5;
  RootParts parts(config);
  Fill(parts, 5);
  EXPECT_EQ(parts.builder().Build(true), BuildEnd::kTooSmall);
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
  EXPECT_EQ(parts.builder().Build(false), BuildEnd::kOverBudget);
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

// What a reconcile has indexed before its budget ended is not lost.
TEST(Builder, AReconcileOverItsBudgetKeepsWhatItHasDone) {
  IndexConfig config;
  config.build_max_files = 3;
  RootParts parts(config);
  Fill(parts, 3);
  parts.builder().Build(false);
  ASSERT_EQ(parts.State(), "COMPLETE");
  Fill(parts, 8);
  parts.watcher->Push({.kind = os::WatchEvent::Kind::kOverflow, .watch = -1, .name = ""});
  parts.published->CatchUp();
  for (int i = 0; i < 3; ++i) parts.tree.Write("f" + std::to_string(i), "some text\n");
  EXPECT_FALSE(parts.builder().Reconcile()) << "eight files are new or written again";
  EXPECT_EQ(parts.State(), "UNCERTAIN/WATCHER_OVERFLOW");
  EXPECT_EQ(parts.Status().files, 8U);
  EXPECT_EQ(parts.Status().indexed_files, 3U);
  parts.builder().Build(false);
  EXPECT_EQ(parts.Status().indexed_files, 6U) << "it reuses what the reconcile read";
}

TEST(Builder, TooMuchMemoryDisablesTheIndexForAWhile) {
  IndexConfig config;
  config.max_memory_bytes = 1;
  RootParts parts(config);
  Fill(parts, 5);
  EXPECT_EQ(parts.builder().Build(false), BuildEnd::kOverLimit);
  EXPECT_EQ(parts.State(), "DISABLED/MEMORY_BUDGET_EXCEEDED");
  EXPECT_EQ(parts.published->snapshot(), nullptr);
  EXPECT_EQ(parts.NextNeed(), Need::kNothing);
  parts.clocks.Advance(std::chrono::milliseconds(config.cooldown_base.count()));
  EXPECT_EQ(parts.NextNeed(), Need::kReevaluate);
  // FR-LSI-BUD-04: the time is over, and the index starts afresh.
  parts.setup.config.max_memory_bytes = 1 << 30;
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "COMPLETE");
}

// FR-LSI-BUD-05
TEST(Builder, PaceAndLimitsAreIndependent) {
  for (const std::int64_t most : {0, 3}) {
    IndexConfig config;
    config.build_max_files = most;
    RootParts parts(config);
    Fill(parts, 5);
    Throttle slow({.max_cpu_percent = 100, .throttle_ms = 1, .idle_boost_ms = 3'600'000}, parts.clocks);
    slow.NoteSearch();
    SegmentMaker maker(parts.setup, slow, *parts.store);
    Builder({parts.setup, slow, *parts.tracker, maker, *parts.store, *parts.scans, *parts.published, parts.progress})
        .Build(false);
    EXPECT_EQ(parts.Status().indexed_files, most == 0 ? 5U : 3U) << "however slowly";
    EXPECT_EQ(parts.State(), most == 0 ? "COMPLETE" : "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  }
}

// The catalog counts, too.
TEST(Builder, TooManyFilesForTheMemoryDisableTheIndex) {
  IndexConfig config;
  config.max_memory_bytes = 20'000;
  RootParts parts(config);
  for (int i = 0; i < 300; ++i) parts.tree.Write("f" + std::to_string(i), "");
  parts.builder().Build(false);
  EXPECT_EQ(parts.State(), "DISABLED/MEMORY_BUDGET_EXCEEDED");
}

// FR-LSI-BG-20, FR-LSI-BG-21: the phases in their order, and how far each is.
TEST(Builder, ABuildGoesThroughItsPhases) {
  auto fake = std::make_unique<NoisyStore>();
  NoisyStore& stored = *fake;
  RootParts parts({}, std::move(fake));
  Fill(parts, 5);
  std::vector<std::string> seen;
  const auto look = [&] {
    std::string now = std::string(Name(parts.progress.numbers().phase)) + " " + parts.State();
    if (seen.empty() || seen.back() != now) seen.push_back(std::move(now));
  };
  // The tracker holds its mutex, and nothing may ask for the state then.
  parts.watcher->on_use = [&] {
    std::string now(Name(parts.progress.numbers().phase));
    if (seen.empty() || seen.back() != now) seen.push_back(std::move(now));
  };
  parts.setup.make_builder = [&] {
    look();
    EXPECT_EQ(parts.progress.numbers().files_total, 5U);
    EXPECT_EQ(parts.progress.numbers().files_done, 0U);
    parts.clocks.Advance(std::chrono::milliseconds(30));
    return index::MakePostingsBuilder();
  };
  stored.on_commit = look;
  EXPECT_EQ(parts.builder().Build(false), BuildEnd::kStored);
  const std::vector<std::string> expected = {"ENUMERATE", "TOKENIZE BUILDING", "PERSIST BUILDING", "ACTIVATE"};
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(parts.State(), "COMPLETE");
  EXPECT_EQ(parts.progress.numbers().phase, Phase::kIdle);
  EXPECT_EQ(parts.progress.numbers().files_done, 5U);
  EXPECT_EQ(parts.progress.numbers().elapsed, std::chrono::milliseconds(30));
}

// A store that is full, or damaged.
TEST(Builder, WhatTheStoreSaysIsTheEndOfTheBuild) {
  for (const auto& [code, expected] :
       {std::pair(ErrorCode::kDiskFull, BuildEnd::kNotStored), std::pair(ErrorCode::kDamaged, BuildEnd::kFailed)}) {
    auto fake = std::make_unique<NoisyStore>();
    fake->commit_result = ExecutionFailed("no", code);
    RootParts parts({}, std::move(fake));
    Fill(parts, 5);
    EXPECT_EQ(parts.builder().Build(false), expected);
  }
}

TEST(Builder, OnceStoppedItPublishesNothing) {
  RootParts parts;
  Fill(parts, 5);
  parts.throttle.Stop();
  EXPECT_EQ(parts.builder().Build(false), BuildEnd::kStopped);
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
