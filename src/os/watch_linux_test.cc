#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <functional>

#include "os/named_file.h"
#include "os/watch.h"
#include "tests/testing/fake_watcher.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

using Kind = WatchEvent::Kind;

const char* Name(Kind kind) {
  switch (kind) {
    case Kind::kChanged: return "changed";
    case Kind::kCreated: return "created";
    case Kind::kRemoved: return "removed";
    case Kind::kFolderGone: return "gone";
    case Kind::kOverflow: return "overflow";
  }
  return "?";
}

// The test watches the folder "in" and not the folder "out" beside it.
class WatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.Write("in/old", "old");
    tree_.MakeFolder("in/folder");
    tree_.Write("out/other", "other");
    tree_.MakeFolder("out/folder");
    auto made = MakeWatcher();
    ASSERT_TRUE(made.ok()) << made.error().message();
    watcher_ = std::move(*made);
    const auto added = Add(tree_.Path("in"));
    ASSERT_TRUE(added.ok()) << added.error().message();
    watch_ = *added;
  }

  OsResult<WatchId> Add(const std::string& path) {
    const auto folder = OpenExactFolder(path);
    if (!folder.ok()) return folder.error();
    return watcher_->Add(folder->get(), path);
  }

  std::vector<WatchEvent> Drain() {
    std::vector<WatchEvent> events;
    EXPECT_TRUE(watcher_->Drain(events));
    return events;
  }

  // "created x, changed x"; a folder's name ends in a slash, what moves in "~".
  std::string Seen() {
    std::string text;
    for (const WatchEvent& event : Drain()) {
      text += text.empty() ? "" : ", ";
      text += Name(event.kind);
      if (event.kind == Kind::kOverflow) continue;
      EXPECT_EQ(event.watch, watch_);
      if (event.kind == Kind::kFolderGone) continue;
      text += " " + event.name + (event.is_folder ? "/" : "") + (event.move != 0 ? "~" : "");
    }
    return text;
  }

  std::string Path(std::string_view relative) const { return tree_.Path(relative); }
  void Rename(std::string_view from, std::string_view to) const {
    ASSERT_EQ(rename(Path(from).c_str(), Path(to).c_str()), 0);
  }
  void Append(std::string_view path) const { std::ofstream(Path(path), std::ios::app) << "more"; }

  forge::testing::TempTree tree_;
  std::unique_ptr<Watcher> watcher_;
  WatchId watch_ = -1;
};

TEST_F(WatchTest, WhatIsDoneIsSeen) {
  const struct {
    const char* what;
    std::function<void()> act;
    const char* seen;
  } cases[] = {
      {"nothing", [] {}, ""},
      {"create", [&] { tree_.Write("in/new", "x"); }, "created new, changed new"},
      {"create empty", [&] { close(open(Path("in/empty").c_str(), O_CREAT | O_WRONLY, 0600)); },
       "created empty, changed empty"},
      {"overwrite", [&] { tree_.Write("in/old", "y"); }, "changed old"},
      {"append", [&] { Append("in/old"); }, "changed old"},
      {"truncate", [&] { EXPECT_EQ(truncate(Path("in/old").c_str(), 1), 0); }, "changed old"},
      {"chmod", [&] { chmod(Path("in/old").c_str(), 0600); }, "changed old"},
      {"touch", [&] { utimensat(AT_FDCWD, Path("in/old").c_str(), nullptr, 0); }, "changed old"},
      {"read", [&] { tree_.Read("in/old"); }, ""},
      {"link", [&] { EXPECT_EQ(link(Path("out/other").c_str(), Path("in/link").c_str()), 0); }, "created link"},
      {"symlink", [&] { tree_.Link("old", "in/symlink"); }, "created symlink"},
      {"move within", [&] { Rename("in/new", "in/newer"); }, "removed new~, created newer~"},
      {"move over", [&] { Rename("in/newer", "in/old"); }, "removed newer~, created old~"},
      {"move out", [&] { Rename("in/old", "out/old"); }, "removed old~"},
      {"move in", [&] { Rename("out/old", "in/old"); }, "created old~"},
      {"delete", [&] { unlink(Path("in/old").c_str()); }, "removed old"},
      {"elsewhere", [&] { tree_.Write("out/x", "x"); }, ""},
      {"below", [&] { tree_.Write("in/folder/x", "x"); }, ""},
      {"delete below", [&] { unlink(Path("in/folder/x").c_str()); }, ""},
      {"new folder", [&] { mkdir(Path("in/sub").c_str(), 0700); }, "created sub/"},
      {"folder's mode", [&] { chmod(Path("in/sub").c_str(), 0500); }, "changed sub/"},
      {"remove folder", [&] { rmdir(Path("in/sub").c_str()); }, "removed sub/"},
      {"folder moves out", [&] { Rename("in/folder", "out/moved"); }, "removed folder/~"},
      {"folder moves in", [&] { Rename("out/moved", "in/folder"); }, "created folder/~"},
      {"own mode", [&] { chmod(Path("in").c_str(), 0700); }, "changed /"},
  };
  for (const auto& c : cases) {
    c.act();
    EXPECT_EQ(Seen(), c.seen) << c.what;
  }
}

TEST_F(WatchTest, BothEndsOfAMoveHaveOneNumber) {
  const auto other = Add(Path("out"));
  Rename("in/old", "out/new");
  const auto events = Drain();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0], (WatchEvent{Kind::kRemoved, watch_, "old", false, events[0].move}));
  EXPECT_EQ(events[1], (WatchEvent{Kind::kCreated, *other, "new", false, events[0].move}));
}

TEST_F(WatchTest, AFolderThatIsGoneIsToldOnce) {
  const struct {
    const char* what;
    std::function<void()> act;
  } cases[] = {
      {"deleted", [&] { rmdir(Path("out/folder").c_str()); }},
      {"moved", [&] { Rename("out/folder", "out/elsewhere"); }},
  };
  for (const auto& c : cases) {
    tree_.MakeFolder("out/folder");
    watch_ = *Add(Path("out/folder"));
    c.act();
    EXPECT_EQ(Seen(), "gone") << c.what;
    EXPECT_EQ(Seen(), "") << c.what;
  }
  tree_.Write("out/elsewhere/x", "x");
  EXPECT_EQ(Seen(), "");
  const WatchId before = watch_;
  watch_ = *Add(Path("out/elsewhere"));
  EXPECT_NE(watch_, before);
  tree_.Write("out/elsewhere/y", "y");
  EXPECT_EQ(Seen(), "created y, changed y");
}

TEST_F(WatchTest, NothingIsHeardOfAWatchThatWasRemoved) {
  tree_.Write("in/new", "x");
  watcher_->Remove(watch_);
  tree_.Write("in/newer", "x");
  EXPECT_EQ(Seen(), "");
  watcher_->Remove(watch_);  // twice is no harm
  watcher_->Remove(12345);
  watch_ = *Add(Path("in"));
  tree_.Write("in/newest", "x");
  EXPECT_EQ(Seen(), "created newest, changed newest");
}

TEST_F(WatchTest, AFolderIsWatchedWhereverItsNameLeadsNow) {
  const Fd folder = std::move(*OpenExactFolder(Path("out/folder")));
  Rename("out/folder", "out/moved");
  tree_.Link("../in", "out/folder");
  watch_ = *watcher_->Add(folder.get(), Path("out/folder"));
  tree_.Write("out/moved/x", "x");
  EXPECT_EQ(Seen(), "created x, changed x");
}

TEST_F(WatchTest, OnlyFoldersOnceEach) {
  EXPECT_EQ(*Add(Path("in")), watch_);
  const Fd file = std::move(*OpenBeneath(OpenExactFolder(Path("in"))->get(), "old"));
  EXPECT_EQ(watcher_->Add(file.get(), "old").error().code, ENOTDIR);
}

TEST_F(WatchTest, TheDescriptorIsReadableWhileSomethingIsQueued) {
  const auto readable = [this] {
    pollfd one = {watcher_->fd(), POLLIN, 0};
    return poll(&one, 1, 0) == 1;
  };
  EXPECT_FALSE(readable());
  tree_.Write("in/new", "x");
  EXPECT_TRUE(readable());
  Drain();
  EXPECT_FALSE(readable());
}

// This lets a request trust the catalog (R1): no wait, no second look.
TEST_F(WatchTest, AWriteIsSeenAsSoonAsItsCallReturns) {
  const Fd file(open(Path("in/old").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(write(file.get(), "x", 1), 1);
    ASSERT_EQ(Seen(), "changed old") << i;
    Rename("in/old", "in/renamed");
    ASSERT_EQ(Seen(), "removed old~, created renamed~") << i;
    Rename("in/renamed", "in/old");
    ASSERT_EQ(Seen(), "removed renamed~, created old~") << i;
  }
}

TEST_F(WatchTest, MoreEventsThanABufferHolds) {
  const std::string name(200, 'n');
  for (int i = 0; i < 500; ++i) tree_.Write("in/" + name + std::to_string(i), "");
  const auto events = Drain();
  std::size_t created = 0;
  for (const WatchEvent& event : events) created += event.kind == Kind::kCreated ? 1 : 0;
  EXPECT_EQ(created, 500U);
  EXPECT_EQ(events.back().name, name + "499");
}

// The test floods the queue as it is. A shorter queue would be a setting for
// the whole machine.
TEST_F(WatchTest, LostEventsAreTold) {
  std::ifstream limit_file("/proc/sys/fs/inotify/max_queued_events");
  std::size_t limit = 0;
  if (!(limit_file >> limit) || limit > 100'000) GTEST_SKIP() << "the queue is too long to be flooded: " << limit;
  // Two names in turn, because the kernel merges equal neighbours.
  for (std::size_t i = 0; i <= limit / 2; ++i) {
    chmod(Path("in/old").c_str(), 0600);
    chmod(Path("in/folder").c_str(), 0700);
  }
  const auto events = Drain();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back(), (WatchEvent{.kind = Kind::kOverflow}));
  tree_.Write("in/new", "x");
  EXPECT_EQ(Seen(), "created new, changed new");  // it goes on
}

bool MountedThere(const char* folder) {
  struct stat here = {};
  struct stat above = {};
  return stat(folder, &here) == 0 && stat("/", &above) == 0 && here.st_dev != above.st_dev;
}

TEST(Watchable, NetworksAndSpecialFileSystemsCannotBeWatched) {
  for (const char* folder : {"/proc", "/sys"}) {
    const auto fd = OpenFolder(folder);
    if (!fd.ok() || !MountedThere(folder)) continue;  // a chroot may have an empty folder
    EXPECT_FALSE(WatchableFolder(fd->get())) << folder;
    EXPECT_EQ(StampGranularityNs(fd->get()), 2'100'000'000) << folder;
  }
  EXPECT_FALSE(WatchableFolder(-1));
}

// A folder in memory has stamps with nanoseconds. ext with small inodes keeps
// whole seconds, and has the same magic number as ext with large ones.
TEST(Watchable, StampsAreFineIfOneIsSeenToBe) {
  const auto folder = OpenFolder("/dev/shm");
  if (!folder.ok() || !WatchableFolder(folder->get())) GTEST_SKIP() << "/dev/shm is not a tmpfs";
  struct stat status = {};
  ASSERT_EQ(fstat(folder->get(), &status), 0);
  EXPECT_EQ(StampGranularityNs(folder->get()), status.st_ctim.tv_nsec == 0 ? 2'100'000'000 : 50'000'000);
}

TEST(FakeWatcher, DoesAsItIsTold) {
  forge::testing::FakeWatcher watcher;
  watcher.FailAddAfter(2);
  const WatchId a = *watcher.Add(-1, "/a");
  EXPECT_EQ(*watcher.Add(-1, "/a"), a);
  EXPECT_TRUE(watcher.Add(-1, "/b").ok());
  EXPECT_EQ(watcher.Add(-1, "/c").error().code, ENOSPC);
  watcher.Push("/a", Kind::kChanged, "x");
  watcher.Push("/b", Kind::kChanged, "y");
  watcher.Push("/c", Kind::kChanged, "z");
  watcher.Remove(watcher.IdOf("/b"));
  std::vector<WatchEvent> events;
  EXPECT_TRUE(watcher.Drain(events));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0], (WatchEvent{.kind = Kind::kChanged, .watch = a, .name = "x"}));
  watcher.Push({.kind = Kind::kFolderGone, .watch = a});
  EXPECT_TRUE(watcher.Drain(events));
  EXPECT_EQ(watcher.Folders(), std::vector<std::string>());
  watcher.Break();
  EXPECT_FALSE(watcher.Drain(events));
}

}  // namespace
}  // namespace forge::os
