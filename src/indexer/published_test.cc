#include "indexer/published.h"

#include <gtest/gtest.h>

#include "tests/testing/fake_clocks.h"
#include "tests/testing/fake_watcher.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

using Kind = os::WatchEvent::Kind;

// A tree with a watcher that the test drives. The test calls the steps of the
// background thread one by one, so that it can do something in between.
class PublishedTest : public ::testing::Test {
 protected:
  PublishedTest() {
    tree_.Write("a", "one\n");
    tree_.Write("b", "two\n");
    setup_.sandbox = std::make_shared<const Sandbox>(*Sandbox::Create({tree_.root()}, "", {}));
    setup_.root = tree_.root();
    setup_.key.root = tree_.root();
    setup_.key.no_ignore = true;  // no rules outside the tree
    setup_.clocks = &clocks_;
    auto watcher = std::make_unique<testing::FakeWatcher>();
    watcher_ = watcher.get();
    tracker_ =
        std::make_unique<TreeTracker>(setup_.sandbox, setup_.root, setup_.traversal(), nullptr, std::move(watcher));
    store_ = std::make_unique<StoreLink>(setup_, [](const Error&) {});
    published_ = std::make_unique<Published>(setup_, *tracker_, *store_, wake_);
  }

  void Change(const std::string& name) { watcher_->Push(tree_.root(), Kind::kChanged, name); }
  void Scan() {
    published_->StartBuild();
    Activate();
    published_->EndBuild();
  }
  // All files, as if they had been read and had settled.
  void Activate() {
    Enumeration found = tracker_->Enumerate(Deadline());
    for (index::CatalogRow& row : found.rows) Fill(row);
    published_->Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  }
  static void Fill(index::CatalogRow& row) {
    row.status = index::TokenStatus::kFull;
    row.settled = true;
  }
  View Begin(ViewRequest request = {.no_ignore = true}) {
    request.folder = tree_.root();
    return published_->Begin(request, Deadline());
  }
  std::string State() {
    const index::Safety safety = published_->safety();
    return std::string(Name(safety.state)) + " " + std::string(Name(safety.reason()));
  }
  bool IsIndexed(const std::string& path) {
    return published_->snapshot()->catalog.Find(path)->status == index::TokenStatus::kFull;
  }
  Need NextNeed() { return published_->NextNeed(clocks_.FileNs()); }

  testing::TempTree tree_;
  testing::FakeClocks clocks_;
  RootSetup setup_;
  testing::FakeWatcher* watcher_ = nullptr;
  os::Wake wake_;
  std::unique_ptr<TreeTracker> tracker_;
  std::unique_ptr<StoreLink> store_;
  std::unique_ptr<Published> published_;
};

TEST_F(PublishedTest, ASearchTrustsTheIndexOnceAScanHasEnded) {
  EXPECT_EQ(NextNeed(), Need::kBuild);
  EXPECT_EQ(Begin().bypass, BypassReason(index::State::kAbsent));
  published_->StartBuild();
  EXPECT_EQ(State(), "BUILDING ");
  EXPECT_EQ(Begin().snapshot, nullptr);
  Activate();
  EXPECT_EQ(Begin().snapshot, nullptr) << "not before its end";
  published_->EndBuild();
  const View view = Begin();
  EXPECT_TRUE(view.trusted);
  EXPECT_EQ(view.snapshot, published_->snapshot());
  EXPECT_EQ(view.bypass, std::nullopt);
  EXPECT_EQ(NextNeed(), Need::kNothing);
}

// F1
TEST_F(PublishedTest, AChangeDuringAScanIsNotLost) {
  published_->StartBuild();
  Enumeration found = tracker_->Enumerate(Deadline());
  for (index::CatalogRow& row : found.rows) Fill(row);
  Change("a");  // after it was read
  published_->Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  published_->EndBuild();
  EXPECT_EQ(State(), "COMPLETE ");
  EXPECT_FALSE(IsIndexed("a"));
  EXPECT_TRUE(IsIndexed("b"));
}

// R1
TEST_F(PublishedTest, AChangeBeforeARequestMakesItsFileACandidate) {
  Scan();
  Change("a");
  const View view = Begin();
  EXPECT_TRUE(view.trusted);
  EXPECT_NE(view.snapshot->catalog.Find("a")->status, index::TokenStatus::kFull);
  EXPECT_FALSE(view.doubts_arose);
  IndexStatus status;
  published_->Describe(status);
  EXPECT_EQ(status.pending_files, 1U);
}

TEST_F(PublishedTest, AnUpdateTakesAFileOffTheQueue) {
  Scan();
  Change("a");
  published_->CatchUp();
  auto update = published_->StartUpdate(clocks_.FileNs());
  ASSERT_TRUE(update);
  ASSERT_EQ(update->rows.size(), 1U);
  Fill(update->rows[0]);
  const auto change = published_->EndUpdate(std::move(*update), {});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->rows.size(), 1U);
  EXPECT_TRUE(IsIndexed("a"));
  EXPECT_FALSE(published_->StartUpdate(clocks_.FileNs())) << "nothing is left";
}

TEST_F(PublishedTest, AFileThatChangesWhileItIsReadStaysInTheQueue) {
  Scan();
  Change("a");
  Change("b");
  published_->CatchUp();
  auto update = published_->StartUpdate(clocks_.FileNs());
  ASSERT_TRUE(update);
  for (index::CatalogRow& row : update->rows) Fill(row);
  Change("a");  // no search happens, so only EndUpdate can see it
  const auto change = published_->EndUpdate(std::move(*update), {});
  ASSERT_TRUE(change);
  ASSERT_EQ(change->rows.size(), 1U);
  EXPECT_EQ(change->rows[0].path, "b");
  EXPECT_FALSE(IsIndexed("a"));
  EXPECT_TRUE(published_->StartUpdate(clocks_.FileNs()));
}

TEST_F(PublishedTest, DoubtsDuringAnUpdatePublishNothing) {
  Scan();
  Change("a");
  published_->CatchUp();
  auto update = published_->StartUpdate(clocks_.FileNs());
  watcher_->Push({.kind = Kind::kOverflow, .watch = -1, .name = ""});
  EXPECT_FALSE(published_->EndUpdate(std::move(*update), {}));
  EXPECT_EQ(State(), "UNCERTAIN WATCHER_OVERFLOW");
  EXPECT_EQ(NextNeed(), Need::kReconcile);
}

TEST_F(PublishedTest, ARequestThatMeetsDoubtsGoesWithoutTheIndex) {
  Scan();
  watcher_->Push({.kind = Kind::kOverflow, .watch = -1, .name = ""});
  const View view = Begin();
  EXPECT_TRUE(view.doubts_arose);
  EXPECT_EQ(view.snapshot, nullptr);
  EXPECT_EQ(view.bypass, BypassReason(index::Reason::kWatcherOverflow));
  published_->StartReconcile();
  Activate();
  published_->EndReconcile(true);
  EXPECT_TRUE(Begin().trusted);
}

TEST_F(PublishedTest, ARequestThatMaySeeMoreIsBypassed) {
  Scan();
  for (const ViewRequest& request : {ViewRequest{.hidden = true}, ViewRequest{.follow = true}}) {
    const View view = Begin(request);
    EXPECT_EQ(view.bypass, BypassReason(Bypass::kKeyDiffers));
    EXPECT_EQ(view.snapshot, nullptr);
    EXPECT_EQ(view.state, index::State::kComplete);
  }
  const View with_rules = Begin(ViewRequest{});
  EXPECT_NE(with_rules.snapshot, nullptr);
  EXPECT_FALSE(with_rules.trusted) << "the catalog has files that its rules hide";
}

TEST_F(PublishedTest, DamageIsBuiltAnewWithoutReusingAnything) {
  Scan();
  published_->ReportDamage(ExecutionFailed("bad", ErrorCode::kDamaged));
  EXPECT_EQ(State(), "CORRUPT ");
  EXPECT_EQ(published_->problem(), "bad");
  EXPECT_EQ(published_->StartBuild(), nullptr);
  EXPECT_EQ(published_->problem(), "");
}

TEST_F(PublishedTest, AFailedBuildIsTriedAgainAfterItsCooldown) {
  published_->StartBuild();
  published_->Fail(ExecutionFailed("no"), false);
  EXPECT_EQ(State(), "ABSENT ");
  EXPECT_EQ(NextNeed(), Need::kNothing);
  clocks_.Advance(std::chrono::milliseconds(setup_.config.cooldown_base.count()));
  EXPECT_EQ(NextNeed(), Need::kBuild);
}

TEST_F(PublishedTest, WhatWasReadTooSoonSettles) {
  published_->StartBuild();
  Enumeration found = tracker_->Enumerate(Deadline());
  for (index::CatalogRow& row : found.rows) {
    Fill(row);
    row.settled = row.path != "a";
    row.info.ctime_ns = clocks_.FileNs();
  }
  published_->Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  published_->EndBuild();
  EXPECT_EQ(published_->SettlesInNs(), setup_.stamp_granularity_ns);
  EXPECT_FALSE(published_->StartUpdate(clocks_.FileNs()));
  clocks_.Advance(std::chrono::nanoseconds(setup_.stamp_granularity_ns));
  EXPECT_EQ(published_->SettlesInNs(), 0);
  const auto update = published_->StartUpdate(clocks_.FileNs());
  ASSERT_TRUE(update);
  EXPECT_EQ(update->rows[0].path, "a");
}

}  // namespace
}  // namespace forge::indexer
