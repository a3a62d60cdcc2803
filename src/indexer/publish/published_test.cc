#include "indexer/publish/published.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "indexer/publish/scan_steps.h"
#include "indexer/publish/update_steps.h"
#include "indexer/publish/views.h"
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
    setup_.key.traversal.no_ignore = true;  // no rules outside the tree
    setup_.clocks = &clocks_;
    auto watcher = std::make_unique<testing::FakeWatcher>();
    watcher_ = watcher.get();
    tracker_ =
        std::make_unique<TreeTracker>(setup_.sandbox, setup_.root, setup_.key.traversal, nullptr, std::move(watcher));
    store_ = std::make_unique<StoreLink>(setup_, [](const Error&) {});
    Publish();
  }

  void Publish() {
    published_ = std::make_unique<Published>(setup_, *tracker_, texts_, *store_, wake_);
    views_ = std::make_unique<Views>(setup_, *tracker_, *store_, *published_, wake_);
    scans_ = std::make_unique<ScanSteps>(setup_, *tracker_, *store_, *published_);
    updates_ = std::make_unique<UpdateSteps>(setup_, *store_, *published_);
  }

  void Change(const std::string& name) { watcher_->Push(tree_.root(), Kind::kChanged, name); }
  void Scan() {
    scans_->StartBuild();
    Activate();
    scans_->EndBuild();
  }
  // All files, as if they had been read and had settled.
  void Activate() {
    Enumeration found = tracker_->Enumerate(Deadline());
    for (index::CatalogRow& row : found.rows) Fill(row);
    scans_->Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  }
  static void Fill(index::CatalogRow& row) {
    row.status = index::TokenStatus::kFull;
    row.settled = true;
  }
  View Begin(ViewRequest request = {.traversal = {.no_ignore = true}}) {
    request.folder = tree_.root();
    return views_->Begin(request, Deadline());
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
  TextCache texts_{1 << 20};
  std::unique_ptr<StoreLink> store_;
  std::unique_ptr<Published> published_;
  std::unique_ptr<Views> views_;
  std::unique_ptr<ScanSteps> scans_;
  std::unique_ptr<UpdateSteps> updates_;
};

TEST_F(PublishedTest, ASearchTrustsTheIndexOnceAScanHasEnded) {
  EXPECT_EQ(NextNeed(), Need::kBuild);
  EXPECT_EQ(Begin().bypass, BypassReason(index::State::kAbsent));
  scans_->StartBuild();
  EXPECT_EQ(State(), "BUILDING ");
  EXPECT_EQ(Begin().snapshot, nullptr);
  Activate();
  EXPECT_EQ(Begin().snapshot, nullptr) << "not before its end";
  scans_->EndBuild();
  const View view = Begin();
  EXPECT_TRUE(view.trusted);
  EXPECT_EQ(view.snapshot, published_->snapshot());
  EXPECT_EQ(view.bypass, std::nullopt);
  EXPECT_EQ(NextNeed(), Need::kNothing);
}

// R1: as on Windows.
TEST_F(PublishedTest, EventsThatComeLateAreNoReasonToTrustTheCatalog) {
  watcher_->vouching = false;
  Scan();
  EXPECT_EQ(State(), "COMPLETE ");
  const View view = Begin();
  EXPECT_FALSE(view.trusted) << "the search walks";
  EXPECT_EQ(view.snapshot, published_->snapshot()) << "and the index excludes";
  EXPECT_EQ(view.bypass, std::nullopt);
  Change("a");
  published_->CatchUp();
  EXPECT_FALSE(IsIndexed("a")) << "what they say is indexed again";
  EXPECT_TRUE(IsIndexed("b"));
  EXPECT_EQ(State(), "COMPLETE ");
  watcher_->Push({.kind = Kind::kOverflow});
  published_->CatchUp();
  EXPECT_EQ(State(), "UNCERTAIN WATCHER_OVERFLOW");
}

// The longest timeout in milliseconds is none in nanoseconds.
TEST_F(PublishedTest, TheLongestTimeoutIsEnoughForTheIndex) {
  setup_.default_timeout = std::chrono::milliseconds::max();
  Scan();
  Change("a");
  EXPECT_TRUE(Begin().trusted);
  EXPECT_EQ(State(), "COMPLETE ");
}

// F1
TEST_F(PublishedTest, AChangeDuringAScanIsNotLost) {
  scans_->StartBuild();
  Enumeration found = tracker_->Enumerate(Deadline());
  for (index::CatalogRow& row : found.rows) Fill(row);
  Change("a");  // after it was read
  scans_->Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  scans_->EndBuild();
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

// A write that took long ends with an event, and changes no stamp.
TEST_F(PublishedTest, AnEventOfAFileForgetsItsTextAlsoIfTheStateIsTheSame) {
  Scan();
  const auto state = [&](const char* name) { return published_->snapshot()->catalog.Find(name)->info; };
  const auto keep = [&](const char* name, const char* text) { texts_.Keep(state(name), text, texts_.BeginTurn()); };
  const auto has = [&](const char* name) { return static_cast<bool>(texts_.Find(state(name), texts_.BeginTurn())); };
  keep("a", "one\n");
  keep("b", "two\n");
  Change("a");
  Begin();
  EXPECT_FALSE(has("a"));
  EXPECT_TRUE(has("b"));
  keep("a", "one\n");
  EXPECT_TRUE(has("a"));
  Change("a");
  published_->CatchUp();
  EXPECT_FALSE(has("a")) << "the background thread may be the one that looks";
}

TEST_F(PublishedTest, AnUpdateTakesAFileOffTheQueue) {
  Scan();
  Change("a");
  published_->CatchUp();
  auto update = updates_->Start(clocks_.FileNs());
  ASSERT_TRUE(update);
  ASSERT_EQ(update->rows.size(), 1U);
  Fill(update->rows[0]);
  const auto change = updates_->End(std::move(*update), {});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->rows.size(), 1U);
  EXPECT_TRUE(IsIndexed("a"));
  EXPECT_FALSE(updates_->Start(clocks_.FileNs())) << "nothing is left";
}

TEST_F(PublishedTest, AFileThatChangesWhileItIsReadStaysInTheQueue) {
  Scan();
  Change("a");
  Change("b");
  published_->CatchUp();
  auto update = updates_->Start(clocks_.FileNs());
  ASSERT_TRUE(update);
  for (index::CatalogRow& row : update->rows) Fill(row);
  Change("a");  // no search happens, so only EndUpdate can see it
  const auto change = updates_->End(std::move(*update), {});
  ASSERT_TRUE(change);
  ASSERT_EQ(change->rows.size(), 1U);
  EXPECT_EQ(change->rows[0].path, "b");
  EXPECT_FALSE(IsIndexed("a"));
  EXPECT_TRUE(updates_->Start(clocks_.FileNs()));
}

TEST_F(PublishedTest, DoubtsDuringAnUpdatePublishNothing) {
  Scan();
  Change("a");
  published_->CatchUp();
  auto update = updates_->Start(clocks_.FileNs());
  watcher_->Push({.kind = Kind::kOverflow, .watch = -1, .name = ""});
  EXPECT_FALSE(updates_->End(std::move(*update), {}));
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
  scans_->StartReconcile();
  Activate();
  scans_->EndReconcile(true);
  EXPECT_TRUE(Begin().trusted);
}

// FR-LSI-BUD-MAINT-01, FR-LSI-BUD-MAINT-02, FR-LSI-BUD-02: a request whose share is
// used up goes without the index, and the index is in doubt.
TEST_F(PublishedTest, ARequestThatCannotCatchUpInItsShareGoesWithoutTheIndex) {
  Scan();
  for (int i = 0; i < 100; ++i) tree_.Write("moved/" + std::to_string(i) + "/f", "text\n");
  watcher_->Push(tree_.root(), Kind::kCreated, "moved", true);
  const View view = views_->Begin({.folder = tree_.root(), .traversal = {.no_ignore = true}}, Deadline::After(0));
  EXPECT_EQ(view.bypass, BypassReason(index::Reason::kMaintBudgetExceeded));
  EXPECT_EQ(view.snapshot, nullptr);
  EXPECT_TRUE(view.doubts_arose);
  EXPECT_EQ(State(), "UNCERTAIN MAINT_BUDGET_EXCEEDED");
  EXPECT_EQ(NextNeed(), Need::kReconcile);
  scans_->StartReconcile();
  Activate();
  scans_->EndReconcile(true);
  EXPECT_TRUE(Begin().trusted);
  EXPECT_TRUE(IsIndexed("moved/99/f"));
}

// FR-LSI-BUD-MAINT-03: the background thread has no share.
TEST_F(PublishedTest, TheBackgroundThreadCatchesUpWithAnything) {
  Scan();
  for (int i = 0; i < 100; ++i) tree_.Write("moved/" + std::to_string(i) + "/f", "text\n");
  watcher_->Push(tree_.root(), Kind::kCreated, "moved", true);
  published_->CatchUp();
  EXPECT_EQ(State(), "COMPLETE ");
  EXPECT_NE(published_->snapshot()->catalog.Find("moved/99/f"), nullptr);
  const View view = views_->Begin({.folder = tree_.root(), .traversal = {.no_ignore = true}}, Deadline::After(0));
  EXPECT_TRUE(view.trusted) << "nothing is left to do";
}

// A turn that ends between two pages of the catalog leaves the rest to the next.
TEST_F(PublishedTest, ChangesOnManyPagesAreAppliedInSeveralTurns) {
  const auto name = [](int number) { return "f" + std::to_string(10'000 + number); };
  std::vector<index::CatalogRow> rows;
  for (int i = 0; i < 3000; ++i) Fill(rows.emplace_back(FileRow(name(i), {})));
  scans_->StartBuild();
  tracker_->Enumerate(Deadline());
  scans_->Activate({.catalog = index::Catalog(rows), .segments = {}});
  scans_->EndBuild();
  for (int i = 0; i < 3000; i += 300) Change(name(i));
  {
    const std::atomic<int> waiting = 1;
    const Lock lock(published_->mutex);
    EXPECT_EQ(published_->follower.FollowUntilAsked(published_->now, waiting), TurnEnd::kTooShort);
  }
  EXPECT_FALSE(IsIndexed(name(0)));
  EXPECT_TRUE(IsIndexed(name(2700))) << "not applied yet";
  EXPECT_TRUE(Begin().trusted);
  for (int i = 0; i < 3000; i += 300) EXPECT_FALSE(IsIndexed(name(i))) << name(i);
  IndexStatus status;
  published_->Describe(status);
  EXPECT_EQ(status.pending_files, 10U);
  // FR-LSI-BUD-MAINT-01
  for (int i = 1; i < 3000; i += 300) Change(name(i));
  const View view = views_->Begin({.folder = tree_.root(), .traversal = {.no_ignore = true}}, Deadline::After(0));
  EXPECT_EQ(view.bypass, BypassReason(index::Reason::kMaintBudgetExceeded));
}

// CFG-SFI-05
TEST_F(PublishedTest, AServerWithoutAWatcherIsNeverComplete) {
  setup_.should_watch = true;
  TreeTracker blind(setup_.sandbox, setup_.root, setup_.key.traversal, nullptr, nullptr);
  Published published(setup_, blind, texts_, *store_, wake_);
  Views views(setup_, blind, *store_, published, wake_);
  ScanSteps scans(setup_, blind, *store_, published);
  scans.StartBuild();
  Enumeration found = blind.Enumerate(Deadline());
  for (index::CatalogRow& row : found.rows) Fill(row);
  scans.Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  scans.EndBuild();
  EXPECT_EQ(published.safety().reason(), index::Reason::kWatcherDown);
  const View view = views.Begin({.folder = tree_.root(), .traversal = {.no_ignore = true}}, Deadline());
  EXPECT_NE(view.snapshot, nullptr) << "a request that looks at every file may use it";
  EXPECT_FALSE(view.trusted);
  clocks_.Advance(std::chrono::seconds(29));
  EXPECT_EQ(published.NextNeed(clocks_.FileNs()), Need::kNothing);
  clocks_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(published.NextNeed(clocks_.FileNs()), Need::kReconcile);
}

TEST_F(PublishedTest, ARequestThatMaySeeMoreIsBypassed) {
  Scan();
  for (const ViewRequest& request :
       {ViewRequest{.traversal = {.hidden = true}}, ViewRequest{.traversal = {.follow = true}}}) {
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
  views_->ReportDamage(ExecutionFailed("bad", ErrorCode::kDamaged));
  EXPECT_EQ(State(), "CORRUPT ");
  EXPECT_EQ(published_->problem(), "bad");
  EXPECT_EQ(scans_->StartBuild(), nullptr);
  EXPECT_EQ(published_->problem(), "");
}

TEST_F(PublishedTest, AFailedBuildIsTriedAgainAfterItsCooldown) {
  scans_->StartBuild();
  scans_->Fail(ExecutionFailed("no"), false);
  EXPECT_EQ(State(), "ABSENT ");
  EXPECT_EQ(NextNeed(), Need::kNothing);
  clocks_.Advance(std::chrono::milliseconds(setup_.config.cooldown_base.count()));
  EXPECT_EQ(NextNeed(), Need::kBuild);
}

TEST_F(PublishedTest, WhatWasReadTooSoonSettles) {
  scans_->StartBuild();
  Enumeration found = tracker_->Enumerate(Deadline());
  for (index::CatalogRow& row : found.rows) {
    Fill(row);
    row.settled = row.path != "a";
    row.info.ctime_ns = clocks_.FileNs();
  }
  scans_->Activate({.catalog = index::Catalog(found.rows), .segments = {}});
  scans_->EndBuild();
  EXPECT_EQ(updates_->SettlesInNs(), setup_.stamp_granularity_ns);
  EXPECT_FALSE(updates_->Start(clocks_.FileNs()));
  clocks_.Advance(std::chrono::nanoseconds(setup_.stamp_granularity_ns));
  EXPECT_EQ(updates_->SettlesInNs(), 0);
  const auto update = updates_->Start(clocks_.FileNs());
  ASSERT_TRUE(update);
  EXPECT_EQ(update->rows[0].path, "a");
}

// A watcher that is slow, as if its thread had a low priority on a busy machine.
class SlowWatcher final : public os::Watcher {
 public:
  os::OsResult<os::WatchId> Add(int /*folder*/, const std::string& /*path*/) override { return 1; }
  void Remove(os::WatchId /*watch*/) override {}
  bool Drain(std::vector<os::WatchEvent>& /*events*/) override {
    if (!slow) return true;
    draining = true;
    while (slow) std::this_thread::yield();
    return true;
  }
  int fd() const override { return -1; }

  std::atomic<bool> slow = false;
  std::atomic<bool> draining = false;
};

// FR-LSI-BUD-MAINT-01: whatever holds the mutex, a request waits no longer
// than its share.
TEST_F(PublishedTest, ARequestDoesNotWaitForAThreadThatCatchesUp) {
  auto owned = std::make_unique<SlowWatcher>();
  SlowWatcher& watcher = *owned;
  tracker_ =
      std::make_unique<TreeTracker>(setup_.sandbox, setup_.root, setup_.key.traversal, nullptr, std::move(owned));
  Publish();
  Scan();
  watcher.slow = true;
  std::thread background([&] { published_->CatchUp(); });
  while (!watcher.draining) std::this_thread::yield();
  const View view = views_->Begin({.folder = tree_.root(), .traversal = {.no_ignore = true}}, Deadline::After(40));
  EXPECT_EQ(view.bypass, BypassReason(index::Reason::kMaintBudgetExceeded));
  EXPECT_TRUE(view.doubts_arose);
  watcher.slow = false;
  background.join();
  EXPECT_TRUE(Begin().trusted) << "nothing was in doubt but the time";
}

}  // namespace
}  // namespace forge::indexer
