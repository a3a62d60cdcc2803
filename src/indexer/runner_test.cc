#include "indexer/runner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/postings/postings_segment.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() {
    tree_.Write("a", "one\n");
    Make(IndexMode::kOn);
  }
  void Make(IndexMode mode) {
    RootSetup setup;
    setup.config.mode = mode;
    setup.sandbox = std::make_shared<const Sandbox>(*Sandbox::Create({tree_.root()}, "", {}));
    setup.root = tree_.root();
    setup.size_limit = {1000};
    setup.key.root = tree_.root();
    setup.key.traversal.no_ignore = true;
    setup.make_builder = [this] {
      if (before_reading_) before_reading_();
      return index::MakePostingsBuilder();
    };
    setup.return_memory = [this] { ++returned_; };
    setup.clocks = use_clocks_;
    setup.log = [this](const std::string& line) { logged_.push_back(line); };
    root_ = std::make_unique<RootIndex>(std::move(setup));
  }
  index::State State() const { return root_->safety().state; }

  testing::FakeClocks clocks_;
  const os::Clocks* use_clocks_ = &os::Clocks::System();
  int returned_ = 0;  // how often memory was
  testing::TempTree tree_;
  std::function<void()> before_reading_;
  std::vector<std::string> logged_;
  std::unique_ptr<RootIndex> root_;
};

// FR-LSI-BG-22
TEST_F(RunnerTest, WhatGoesWrongIsLoggedOnce) {
  root_->Build(false);
  root_->LogProblem();
  EXPECT_TRUE(logged_.empty());
  for (int i = 0; i < 3; ++i) {
    root_->ReportDamage(ExecutionFailed("a bad page", ErrorCode::kDamaged));
    root_->LogProblem();
  }
  EXPECT_EQ(logged_, (std::vector<std::string>{"the index of " + tree_.root() + ": a bad page"}));
}

// What searches have freed stays in the heaps of their threads.
TEST_F(RunnerTest, MemoryIsReturnedWhenSearchesHaveEnded) {
  const auto work = [&] {
    while (root_->Work(clocks_.FileNs(), false)) continue;
  };
  use_clocks_ = &clocks_;
  clocks_.Advance(std::chrono::nanoseconds(os::Clocks::System().FileNs() - clocks_.FileNs()) + std::chrono::hours(1));
  Make(IndexMode::kOn);
  work();
  const int by_build = returned_;
  EXPECT_EQ(by_build, 1);
  for (int i = 0; i < 3; ++i) {
    root_->Begin({.folder = tree_.root()}, Deadline());
    clocks_.Advance(std::chrono::seconds(29));
    work();
    EXPECT_EQ(returned_, by_build) << "the next search would fetch it again";
    EXPECT_LE(root_->NextLookMs(clocks_.FileNs(), 1'000'000), 1000) << "nobody else wakes the thread";
  }
  clocks_.Advance(std::chrono::seconds(1));
  work();
  EXPECT_EQ(returned_, by_build + 1);
  clocks_.Advance(std::chrono::hours(1));
  work();
  EXPECT_EQ(returned_, by_build + 1) << "once";
}

TEST_F(RunnerTest, TheThreadBuildsUntilItIsJoined) {
  auto runner = Runner::Start(*root_, false, false);
  ASSERT_NE(runner, nullptr);
  while (State() != index::State::kComplete) std::this_thread::yield();
  runner->Stop();
  runner->AwaitOrAbandon(Deadline());
  EXPECT_FALSE(root_->abandoned());
  runner.reset();
  EXPECT_TRUE(root_->stopped());
}

TEST_F(RunnerTest, WhatIsNotOverInTimeIsAbandoned) {
  before_reading_ = [this] {
    while (!root_->abandoned()) std::this_thread::yield();
  };
  auto runner = Runner::Start(*root_, false, false);
  ASSERT_NE(runner, nullptr);
  while (State() != index::State::kBuilding) std::this_thread::yield();
  while (root_->status().phase != Phase::kTokenize) std::this_thread::yield();
  runner->Stop();
  runner->AwaitOrAbandon(Deadline::After(0));
  EXPECT_TRUE(root_->abandoned());
}

TEST_F(RunnerTest, ACommandWaitsForTheBuild) {
  std::vector<index::State> states;
  const Status built = BuildNow(*root_, [&](const IndexStatus& status) { states.push_back(status.state); }, {});
  EXPECT_TRUE(built.ok());
  ASSERT_FALSE(states.empty());
  EXPECT_EQ(states.back(), index::State::kComplete);
}

// FR-LSI-IDX-03
TEST_F(RunnerTest, ACommandInAutoModeDoesNotBuildASmallTree) {
  Make(IndexMode::kAuto);
  EXPECT_TRUE(BuildNow(*root_, nullptr, {}).ok());
  EXPECT_EQ(State(), index::State::kDisabled);
  EXPECT_EQ(root_->safety().reason(), index::Reason::kBelowThreshold);
}

TEST_F(RunnerTest, ACommandThatIsCancelledStopsTheBuild) {
  CancelSource source;
  before_reading_ = [&] {
    source.Cancel();
    while (!root_->stopped()) std::this_thread::yield();
  };
  const Status built = BuildNow(*root_, nullptr, source.token());
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace forge::indexer
