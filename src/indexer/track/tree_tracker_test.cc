#include "indexer/track/tree_tracker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/fake_mounts.h"
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

using Kind = os::WatchEvent::Kind;

// A tree, its catalog, and what a drain changes in it.
class DrainTest : public ::testing::Test {
 protected:
  DrainTest() {
    for (const char* path : {"a/x", "a/y", "b/x", "b/sub/z"}) tree_.Write(path, "text\n");
    sandbox_ = std::make_shared<const Sandbox>(*Sandbox::Create({tree_.root()}, "", {}));
    auto watcher = std::make_unique<testing::FakeWatcher>();
    watcher_ = watcher.get();
    auto mounts = std::make_unique<testing::FakeMounts>();
    mounts_ = mounts.get();
    tracker_ = std::make_unique<TreeTracker>(sandbox_, tree_.root(), Traversal(), std::make_shared<GitEnvironment>(),
                                             std::move(watcher), std::move(mounts));
    catalog_ = index::Catalog(tracker_->Enumerate(Deadline()).rows);
  }

  TreeChanges Drain(const Turn& turn = {}) {
    TreeChanges changes = tracker_->Drain(catalog_, turn);
    catalog_ = catalog_.With(changes.rows, changes.removed);
    return changes;
  }
  std::string Files() const {
    std::string out;
    for (const index::CatalogRow& row : catalog_.AllRows()) out += row.path + " ";
    return out;
  }
  static std::string Rows(const TreeChanges& changes) {
    std::string out;
    for (const index::CatalogRow& row : changes.rows) out += row.path + " ";
    return out;
  }

  testing::TempTree tree_;
  std::shared_ptr<const Sandbox> sandbox_;
  testing::FakeWatcher* watcher_ = nullptr;
  testing::FakeMounts* mounts_ = nullptr;
  std::unique_ptr<TreeTracker> tracker_;
  index::Catalog catalog_;
};

// A mount shows other files, an unmount the old ones; the files under both are
// exchanged by hand here.
TEST_F(DrainTest, AFolderWithAnotherMountIsLookedAtAgain) {
  tree_.Remove("b");
  tree_.Write("b/mounted/f", "text\n");
  EXPECT_EQ(Rows(Drain()), "") << "no event, and the mounts are as they were";
  mounts_->Set({{tree_.Path("b"), "1"}});
  EXPECT_EQ(Rows(Drain()), "b/mounted/f ");
  EXPECT_EQ(Files(), "a/x a/y b/mounted/f ");
  tree_.Write("b/x", "text\n");
  mounts_->Set({{tree_.Path("b"), "2"}});
  Drain();
  EXPECT_EQ(Files(), "a/x a/y b/mounted/f b/x ") << "another file system at the same place";
  tree_.Remove("b/mounted");
  mounts_->Set({});
  Drain();
  EXPECT_EQ(Files(), "a/x a/y b/x ");
  mounts_->Set({{tree_.Path("not/in/the/catalog"), "3"}});
  Drain();
  EXPECT_EQ(Files(), "a/x a/y b/x ");
}

TEST_F(DrainTest, AMountOnAnIgnoreFileChangesTheRules) {
  mounts_->Set({{tree_.Path("b/.gitignore"), "1"}});
  EXPECT_TRUE(Drain().rules_changed);
}

TEST_F(DrainTest, AMountDuringAScanIsAChange) {
  mounts_->Set({{tree_.Path("b"), "1"}});
  tracker_->Enumerate(Deadline());
  mounts_->Set({{tree_.Path("b"), "2"}});
  EXPECT_EQ(Rows(Drain()), "b/sub/z b/x ");
}

// What does not fit into a turn is done in the next ones.
TEST_F(DrainTest, ATurnThatIsTooShortLeavesABacklog) {
  for (int i = 0; i < 50; ++i) tree_.Write("new/" + std::to_string(i) + "/f", "text\n");
  watcher_->Push(tree_.root(), Kind::kCreated, "new", true);
  watcher_->Push(tree_.Path("a"), Kind::kRemoved, "x");
  tree_.Remove("a/x");
  std::atomic<int> waiting = 1;
  Drain({Deadline(), &waiting});
  EXPECT_TRUE(tracker_->has_backlog());
  Drain({Deadline::After(0), nullptr});
  EXPECT_TRUE(tracker_->has_backlog());
  tree_.Remove("new/7");  // not watched yet, so there is no event
  waiting = 0;
  Drain({Deadline(), &waiting});
  EXPECT_FALSE(tracker_->has_backlog());
  EXPECT_EQ(catalog_.files(), 3U + 49U);
  EXPECT_EQ(watcher_->Folders().size(), 4U + 50U);
}

TEST_F(DrainTest, AScanMakesTheBacklogUnnecessary) {
  watcher_->Push(tree_.Path("a"), Kind::kRemoved, "x");
  Drain({Deadline::After(0), nullptr});
  ASSERT_TRUE(tracker_->has_backlog());
  tracker_->Enumerate(Deadline());
  EXPECT_FALSE(tracker_->has_backlog());
}

TEST_F(DrainTest, AFolderThatWasUnmountedIsLookedAtAgain) {
  watcher_->Push({.kind = Kind::kFolderGone, .watch = watcher_->IdOf(tree_.Path("b"))});
  EXPECT_EQ(Rows(Drain()), "b/sub/z b/x ");
  EXPECT_GE(watcher_->IdOf(tree_.Path("b")), 0) << "it is watched again";
}

TEST_F(DrainTest, AnEntryInDoubtIsLookedAtAgain) {
  tree_.Remove("a/x");
  tracker_->Doubt("a/x");
  tracker_->Doubt("b/x");
  EXPECT_EQ(Rows(Drain()), "b/x ");
  EXPECT_EQ(Files(), "a/y b/sub/z b/x ");
}

// The name is unknown, and so is the file: a scan has to find it.
TEST_F(DrainTest, AWriteUnderANameThatNobodyKnowsIsADoubt) {
  watcher_->Push(tree_.Path("a"), Kind::kChanged, "unheard_of");
  EXPECT_TRUE(Drain().linked);
  watcher_->Push(tree_.Path("a"), Kind::kChanged, "#999999999999");
  EXPECT_FALSE(Drain().linked) << "no file of the tree has this inode";
  tree_.Write("a/.hidden", "text\n");
  watcher_->Push(tree_.Path("a"), Kind::kChanged, ".hidden");
  EXPECT_FALSE(Drain().linked) << "it is there, and not eligible";
  tree_.Remove("a/.hidden");
  watcher_->Push(tree_.Path("a"), Kind::kRemoved, ".hidden");
  watcher_->Push(tree_.Path("a"), Kind::kChanged, ".hidden");
  EXPECT_FALSE(Drain().linked) << "its inode is known from before";
}

}  // namespace
}  // namespace forge::indexer
