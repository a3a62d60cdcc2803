#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/deadline.h"
#include "os/private_file.h"
#include "os/system_win.h"
#include "os/watch.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

using Kind = WatchEvent::Kind;

class WatchWin : public ::testing::Test {
 protected:
  WatchWin() : watcher_(std::move(*MakeWatcher())) {}

  WatchId Add(const std::string& relative) {
    const std::string path = relative.empty() ? tree_.root() : tree_.root() + "/" + relative;
    const OsResult<Fd> place = OpenExactFolder(path);
    EXPECT_TRUE(place.ok()) << path << ": " << place.error().message();
    const OsResult<WatchId> watch = watcher_->Add(place->get(), path);
    EXPECT_TRUE(watch.ok()) << path << ": " << watch.error().message();
    return *watch;
  }
  // Waits for an event of this kind, because the system reports some time later.
  bool Comes(Kind kind, WatchId watch, const std::string& name) {
    const Deadline end = Deadline::After(20000);
    while (!end.expired()) {
      std::vector<WatchEvent> events;
      EXPECT_TRUE(watcher_->Drain(events));
      for (const WatchEvent& event : events) {
        if (event.kind == kind && event.watch == watch && event.name == name) return true;
      }
      WaitAny({watcher_->fd()}, 1000);
    }
    return false;
  }

  testing::TempTree tree_;
  std::unique_ptr<Watcher> watcher_;
};

TEST_F(WatchWin, NeverVouches) { EXPECT_FALSE(watcher_->vouches()); }

TEST_F(WatchWin, ReportsWhatHappensInEachFolderThatWasAdded) {
  tree_.Write("sub/old.txt", "1");
  const WatchId top = Add("");
  const WatchId sub = Add("sub");
  EXPECT_EQ(Add("sub"), sub);
  EXPECT_NE(top, sub);
  tree_.Write("new.txt", "1");
  EXPECT_TRUE(Comes(Kind::kCreated, top, "new.txt"));
  tree_.Write("sub/old.txt", "longer");
  EXPECT_TRUE(Comes(Kind::kChanged, sub, "old.txt"));
  RemoveFile(tree_.Path("sub/old.txt"));
  EXPECT_TRUE(Comes(Kind::kRemoved, sub, "old.txt"));
}

TEST_F(WatchWin, AFolderThatLeavesEndsItsWatch) {
  tree_.Write("sub/f", "1");
  Add("");
  const WatchId sub = Add("sub");
  RemoveFile(tree_.Path("sub/f"));
  RemoveFile(tree_.Path("sub"));
  EXPECT_TRUE(Comes(Kind::kFolderGone, sub, ""));
}

// More than the buffer holds, without a look at it.
TEST_F(WatchWin, TooManyChangesAreAnOverflow) {
  const WatchId top = Add("");
  const std::string name(100, 'n');
  for (int i = 0; i < 2000; ++i) tree_.Write(name + std::to_string(i), "1");
  const Deadline end = Deadline::After(20000);
  bool overflow = false;
  while (!overflow && !end.expired()) {
    std::vector<WatchEvent> events;
    ASSERT_TRUE(watcher_->Drain(events));
    for (const WatchEvent& event : events) overflow |= event.kind == Kind::kOverflow;
    WaitAny({watcher_->fd()}, 100);
  }
  EXPECT_TRUE(overflow);
  // It goes on.
  tree_.Write("last", "1");
  EXPECT_TRUE(Comes(Kind::kCreated, top, "last"));
}

}  // namespace
}  // namespace forge::os
