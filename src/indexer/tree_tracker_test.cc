#include "indexer/tree_tracker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/fake_watcher.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

constexpr std::size_t kFolders = 400;  // enough for the walk to have helpers

// Cancels a walk once it has watched half of the folders.
class CancellingWatcher final : public os::Watcher {
 public:
  const CancelToken& Arm() {
    adds_left_ = kFolders / 2;
    return source_.token();
  }
  std::size_t watches() const { return fake_.Folders().size(); }

  os::OsResult<os::WatchId> Add(int fd, const std::string& folder) override {
    if (--adds_left_ == 0) source_.Cancel();
    return fake_.Add(fd, folder);
  }
  void Remove(os::WatchId watch) override { fake_.Remove(watch); }
  bool Drain(std::vector<os::WatchEvent>& events) override { return fake_.Drain(events); }
  int fd() const override { return fake_.fd(); }

 private:
  testing::FakeWatcher fake_;
  CancelSource source_;
  std::atomic<std::int64_t> adds_left_ = INT64_MAX;
};

class TreeTrackerTest : public ::testing::Test {
 protected:
  TreeTrackerTest() {
    for (std::size_t i = 1; i < kFolders; ++i) tree_.Write("f" + std::to_string(i) + "/x", "x\n");
    sandbox_ = std::make_shared<const Sandbox>(*Sandbox::Create({tree_.root()}, "", {}));
    auto watcher = std::make_unique<CancellingWatcher>();
    watcher_ = watcher.get();
    tracker_ = std::make_unique<TreeTracker>(sandbox_, tree_.root(), Traversal(), nullptr, std::move(watcher));
    EXPECT_TRUE(tracker_->Enumerate(Deadline()).finished);
  }

  testing::TempTree tree_;
  std::shared_ptr<const Sandbox> sandbox_;
  CancellingWatcher* watcher_ = nullptr;
  std::unique_ptr<TreeTracker> tracker_;
};

// Ended watches are events too. If a large tree ended one for each folder, the
// queue would overflow, and the next scan would find events lost, for ever.
// Also for the thread sanitizer: the walk's helpers add watches until the walk
// is destroyed.
TEST_F(TreeTrackerTest, AScanThatIsCutShortNeitherEndsNorForgetsWatches) {
  EXPECT_FALSE(tracker_->Enumerate(Deadline(Clock::time_point::max(), watcher_->Arm())).finished);
  EXPECT_EQ(watcher_->watches(), kFolders);
  EXPECT_EQ(tracker_->watches(), kFolders);

  EXPECT_FALSE(tracker_->Enumerate(Deadline(), 5).finished);
  EXPECT_EQ(watcher_->watches(), kFolders);
  EXPECT_EQ(tracker_->watches(), kFolders);
}

TEST_F(TreeTrackerTest, TheNextScanEndsTheWatchesThatAreNotNeeded) {
  tree_.Write(".ignore", "f1*\n");
  EXPECT_FALSE(tracker_->Enumerate(Deadline(), 5).finished);
  const Enumeration found = tracker_->Enumerate(Deadline());
  EXPECT_TRUE(found.finished);
  EXPECT_LT(found.files, kFolders - 1);
  EXPECT_EQ(watcher_->watches(), found.files + 1);
  EXPECT_EQ(tracker_->watches(), found.files + 1);
}

}  // namespace
}  // namespace forge::indexer
