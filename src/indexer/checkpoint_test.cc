// A build that is stopped, and the process that continues it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/names.h"
#include "indexer/root_index.h"
#include "indexer/work/testing/noisy_builder.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

class Checkpoint : public ::testing::Test {
 protected:
  static constexpr int kFiles = 20;

  Checkpoint() {
    // The stamps of the files are reliable at once.
    clocks_.Advance(std::chrono::nanoseconds(os::FileClockNow() - clocks_.FileNs()) + std::chrono::hours(1));
    cache_.MakeFolder("index");
    for (int i = 0; i < kFiles; ++i) tree_.Write("f" + std::to_string(100 + i), "text " + std::to_string(i) + "\n");
  }

  // Like a new process.
  void Open() {
    root_.reset();
    RootSetup setup;
    setup.sandbox = std::make_shared<const Sandbox>(*Sandbox::Create({tree_.root()}, "", {}));
    setup.root = tree_.root();
    setup.config = config_;
    setup.size_limit = {1 << 20};
    setup.key.root = tree_.root();
    setup.key.traversal.no_ignore = true;  // no rules outside the tree
    setup.threads = 1;
    setup.clocks = &clocks_;
    setup.store_options = {.folder = cache_.Path("index"), .lock_timeout_ms = 0};
    auto store = index::OpenStore(setup.store_options, setup.key, true);
    ASSERT_TRUE(store.ok()) << store.error().message;
    ASSERT_TRUE((*store)->writable()) << "the lock was not released";
    setup.store = std::move(*store);
    setup.make_builder = [this] { return std::make_unique<NoisyBuilder>([this] { AfterFile(); }); };
    root_ = std::make_unique<RootIndex>(std::move(setup));
    root_->Open();
  }
  void AfterFile() {
    if (++read_ == stop_after_) root_->Stop();
  }
  // Builds and is stopped after so many files (0: before the first).
  void BuildUntil(int files) {
    Open();
    read_ = 0;
    stop_after_ = files;
    if (files == 0) root_->Stop();
    root_->Build(false);
    root_->Close();
    stop_after_ = -1;
  }
  int BuildRest() {
    read_ = 0;
    root_->Build(false);
    root_->Close();
    return read_;
  }
  std::string State() const {
    const IndexStatus status = root_->status();
    return std::string(Name(status.state)) +
           (status.reason == IndexReason::kNone ? "" : "/" + std::string(Name(status.reason)));
  }

  testing::TempTree tree_;
  testing::TempTree cache_;
  testing::FakeClocks clocks_;
  IndexConfig config_;
  std::unique_ptr<RootIndex> root_;
  int read_ = 0;
  int stop_after_ = -1;
};

// FR-LSI-BG-40, FR-LSI-BG-41, FR-LSI-BG-51.
TEST_F(Checkpoint, TheNextProcessReadsOnlyTheRest) {
  BuildUntil(8);
  EXPECT_EQ(read_, 8) << "no file is begun after the stop";
  Open();
  EXPECT_EQ(State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
  EXPECT_EQ(root_->status().files, static_cast<std::uint64_t>(kFiles));
  EXPECT_EQ(root_->status().indexed_files, 8U) << "each file wholly, or not at all";
  for (const auto& [id, segment] : root_->snapshot()->segments) EXPECT_TRUE(segment->Verify().ok());
  EXPECT_EQ(BuildRest(), kFiles - 8);
  EXPECT_EQ(State(), "COMPLETE");
  Open();
  EXPECT_EQ(root_->status().indexed_files, static_cast<std::uint64_t>(kFiles));
}

// FR-LSI-BG-51: what the checkpoint says of a file holds only while the file is as it was.
TEST_F(Checkpoint, AFileThatChangedSinceIsReadAgain) {
  BuildUntil(8);
  tree_.Write("f101", "another text\n");
  Open();
  EXPECT_EQ(BuildRest(), kFiles - 8 + 1);
  EXPECT_EQ(State(), "COMPLETE");
}

// FR-LSI-BG-51.
TEST_F(Checkpoint, OneThatIsDamagedIsThrownAway) {
  BuildUntil(8);
  root_.reset();
  for (const auto& entry : std::filesystem::directory_iterator(cache_.Path("index"))) {
    if (entry.path().extension() == ".seg") std::ofstream(entry.path(), std::ios::app) << "more";
  }
  Open();
  EXPECT_EQ(State(), "CORRUPT");
  EXPECT_EQ(BuildRest(), kFiles);
  EXPECT_EQ(State(), "COMPLETE");
  Open();
  EXPECT_EQ(State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
}

TEST_F(Checkpoint, WithoutOneTheBuildStartsAgain) {
  config_.checkpoint_on_shutdown = false;
  BuildUntil(8);
  Open();
  EXPECT_EQ(State(), "ABSENT");
  EXPECT_EQ(BuildRest(), kFiles);
}

// FR-LSI-BG-42.
TEST_F(Checkpoint, AStopBeforeAnythingIsStoredLeavesNothing) {
  BuildUntil(0);
  Open();
  EXPECT_EQ(State(), "ABSENT");
  EXPECT_EQ(root_->status().bytes_on_disk, 0U);
}

// FR-LSI-IDX-RM-04: also when it is loaded.
TEST_F(Checkpoint, AnIndexThatNeedsTooMuchMemoryIsNotLoaded) {
  BuildUntil(-1);
  EXPECT_EQ(State(), "COMPLETE");
  config_.max_memory_bytes = 100;
  Open();
  EXPECT_EQ(State(), "DISABLED/MEMORY_BUDGET_EXCEEDED");
  EXPECT_EQ(root_->snapshot(), nullptr);
}

// FR-LSI-BUD-INIT-02: a limit is no interruption, and the next process knows.
TEST_F(Checkpoint, ABuildThatStoppedAtALimitIsKnownAsSuch) {
  config_.build_max_files = 8;
  BuildUntil(-1);
  EXPECT_EQ(State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  Open();
  EXPECT_EQ(State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  EXPECT_EQ(root_->status().indexed_files, 8U);
  EXPECT_EQ(root_->Begin({.folder = tree_.root(), .traversal = {.no_ignore = true}}, Deadline()).snapshot, nullptr);
  config_.build_max_files = 0;
  Open();
  EXPECT_EQ(BuildRest(), kFiles - 8);
  EXPECT_EQ(State(), "COMPLETE");
  Open();
  EXPECT_EQ(State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
}

}  // namespace
}  // namespace forge::indexer
