// Texts in memory (backend/text_cache.h) and a tree that changes: each search
// shows what its files hold now. Every search here finds the changed file, so it
// would show a text that is out of date.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "tests/index/fault_world.h"
#include "tests/testing/seed.h"
#include "tests/testing/stalled_memory.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

class KeptText : public ::testing::Test {
 protected:
  void Begin() {
    FillTree(world.tree, 40);
    world.Open();
    ASSERT_TRUE(world.Heal());
    Warm();
  }
  // Twice: the first search keeps texts, the second uses them.
  void Warm() {
    for (int i = 0; i < 2; ++i) world.ExpectSame("warm");
    ASSERT_GT(Bytes(), 0U);
  }
  std::uint64_t Bytes() { return world.root().status().text_bytes; }

  FaultWorld world;
};

TEST_F(KeptText, EveryKindOfChangeIsSeenAtOnce) {
  Begin();
  const std::string file = world.tree.Path("d0/f0.txt");
  const auto overwrite = [&](const std::string& text) {
    const os::Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_EQ(pwrite(fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  };
  struct stat before;
  ASSERT_EQ(stat(file.c_str(), &before), 0);
  const std::vector<std::pair<std::string, std::function<void()>>> changes = {
      {"in place, same size and times",
       [&] {
         overwrite("ALPHA");
         const timespec times[2] = {before.st_atim, before.st_mtim};
         utimensat(AT_FDCWD, file.c_str(), times, 0);
       }},
      {"cut short", [&] { ASSERT_EQ(truncate(file.c_str(), 9), 0); }},
      {"renamed over",
       [&] {
         world.tree.Write("fresh", "needle\nalpha1 again\n");
         fs::rename(world.tree.Path("fresh"), file);
       }},
      {"exchanged with another",
       [&] {
         fs::rename(file, world.tree.Path("spare"));
         fs::rename(world.tree.Path("d0/f7.txt"), file);
         fs::rename(world.tree.Path("spare"), world.tree.Path("d0/f7.txt"));
       }},
      {"not readable", [&] { fs::permissions(file, fs::perms::none); }},
      {"readable again", [&] { fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write); }},
      {"a second name outside, and a write through it",
       [&] {
         fs::create_hard_link(file, world.cache.Path("outside"));
         world.ExpectSame("linked");
         overwrite("beta9");
       }},
      {"a link instead", [&] {
         fs::remove(file);
         fs::create_symlink("f1.txt", file);
       }}};
  for (const auto& [what, change] : changes) {
    change();
    world.ExpectSame(what);
    ASSERT_TRUE(world.Heal()) << what;
    Warm();
    if (HasFatalFailure()) FAIL() << what;
  }
}

// Large files: the index says which parts of them can match, and only those are
// scanned, in memory and on disk.
TEST_F(KeptText, PartsOfLargeFilesGiveTheWholeAnswer) {
  const std::uint64_t seed = FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const std::vector<std::string> patterns = {
      "needle", "needle$", "^line 7\\d+ needle", "nee.le", "line 123", "needle|line 99999", "end", "9{4}[^.]"};
  for (int file = 0; file < 12; ++file) {
    std::string text = random.OneIn(4) ? "\xEF\xBB\xBF" : "";
    const std::string ending = random.OneIn(3) ? "\r\n" : "\n";
    const std::size_t lines = 500 + random.Below(4'000);
    for (std::size_t i = 0; i < lines; ++i) {
      text += "line " + std::to_string(random.Below(1'000'000)) + std::string(random.Below(40), '.');
      if (random.OneIn(700)) text += " needle";
      if (random.OneIn(900)) text += " Nee.le";
      if (random.OneIn(3'000)) text += std::string(40'000, 'y');
      text += ending;
    }
    if (random.OneIn(3)) text += "needle at the end";
    if (file == 5) text[text.size() / 2] = '\0';
    if (file == 7) text = "\xFF\xFE" + text;
    world.tree.Write("large" + std::to_string(file), text);
  }
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1} << 26}) {
    world.config.index.text_cache_bytes = bytes;
    world.Open();
    ASSERT_TRUE(world.Heal());
    for (int round = 0; round < 60; ++round) {
      SearchRequest request = FaultWorld::Request(random.Pick(patterns));
      request.context = static_cast<std::int64_t>(random.Below(3));
      request.max_matches_per_file = static_cast<std::int64_t>(1 + random.Below(30));
      request.max_results = static_cast<std::int64_t>(1 + random.Below(400));
      request.case_mode = random.OneIn(2) ? CaseMode::kInsensitive : CaseMode::kSensitive;
      request.invert = random.OneIn(8);
      if (random.OneIn(8)) request.report = Report::kCounts;
      world.ExpectSame(request, "round " + std::to_string(round));
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(Bytes() > 0, bytes > 0);
  }
}

TEST_F(KeptText, AFolderThatMovesTakesNothingAlong) {
  Begin();
  fs::rename(world.tree.Path("d0"), world.tree.Path("other"));
  world.tree.Write("d0/f0.txt", "needle elsewhere\n");
  world.ExpectSame("moved");
  ASSERT_TRUE(world.Heal());
  Warm();
}

TEST_F(KeptText, NothingIsKeptWithoutTrustOrWithoutBytes) {
  world.config.index.text_cache_bytes = 0;
  FillTree(world.tree, 40);
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("off");
  EXPECT_EQ(Bytes(), 0U);
  FaultWorld single({.server = false});
  FillTree(single.tree, 40);
  single.Open();
  ASSERT_TRUE(single.Heal());
  single.ExpectSame("a single command");
  EXPECT_EQ(single.root().status().text_bytes, 0U);
}

TEST_F(KeptText, WhatIsDeniedBinaryOrTooLargeIsNotKept) {
  world.config.max_file_size_bytes = 5'000;
  world.tree.Write("a.secret", "needle\n");
  world.tree.Write("binary", std::string("needle\0\n", 8));
  world.tree.Write("large", std::string(6'000, 'x') + "\nneedle\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("first");
  world.ExpectSame("second");
  EXPECT_EQ(Bytes(), 0U);
}

TEST_F(KeptText, ClearingTheIndexDropsTheTexts) {
  Begin();
  ASSERT_TRUE(world.root().Clear().ok());
  EXPECT_EQ(Bytes(), 0U);
}

// What one thread writes to several files, while others search. Each write is one call,
// and all lines of a file have its number. A search may see any part of a write that is
// under way, for the kernel copies it piece by piece. But it sees no part of an earlier one.
class Writes {
 public:
  static constexpr int kFiles = 6;
  using Numbers = std::array<int, kFiles>;

  static std::string Name(int file) { return "w/" + std::to_string(file); }
  static std::string Content(int file, int number) {
    const std::string line = "state" + std::to_string(100'000 + number) + " of file" + std::to_string(file) + "\n";
    std::string text;
    for (int i = 0; i < 40; ++i) text += line;
    return text;
  }

  void Write(const TempTree& tree, int file, int number) {
    const os::Fd fd(open(tree.Path(Name(file)).c_str(), O_WRONLY | O_CLOEXEC));
    const std::string text = Content(file, number);
    begun_[static_cast<std::size_t>(file)] = number;
    ASSERT_EQ(pwrite(fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    done_[static_cast<std::size_t>(file)] = number;
  }
  Numbers begun() const { return Load(begun_); }
  Numbers done() const { return Load(done_); }

  // How many lines are of no write that a search could see: of none between the last one
  // that had ended when it began, and the last one that had begun when it ended.
  static int Wrong(const SearchResponse& response, const Numbers& done, const Numbers& begun) {
    return static_cast<int>(std::count_if(response.matches.begin(), response.matches.end(), [&](const Event& event) {
      const auto file = static_cast<std::size_t>(event.path.view().back() - '0');
      const int number = std::stoi(event.line.Part(5, 100).str()) - 100'000;
      return number < done[file] || number > begun[file];
    }));
  }

 private:
  using Shared = std::array<std::atomic<int>, kFiles>;
  static Numbers Load(const Shared& shared) {
    Numbers numbers;
    std::copy(shared.begin(), shared.end(), numbers.begin());
    return numbers;
  }

  Shared begun_ = {};
  Shared done_ = {};
};

TEST_F(KeptText, SearchesWhileFilesAreWritten) {
  for (int file = 0; file < Writes::kFiles; ++file) world.tree.Write(Writes::Name(file), Writes::Content(file, 0));
  world.config.index.watch_debounce = std::chrono::milliseconds(1);
  world.Open();
  world.indexes().Start();
  ASSERT_TRUE(world.AwaitComplete());
  Writes writes;
  std::atomic<bool> over = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> searches = 0;
  const auto ask = [&] {
    while (!over) {
      const Writes::Numbers done = writes.done();
      const auto response = world.Search(FaultWorld::Request("state\\d+"));
      wrong += Writes::Wrong(response, done, writes.begun());
      ++searches;
    }
  };
  std::vector<std::thread> askers;
  for (int i = 0; i < 2; ++i) askers.emplace_back(ask);
  // The first writes meet texts in memory, however soon the searches are.
  const Deadline late = Deadline::After(30'000);
  while (Bytes() == 0 && !late.over()) std::this_thread::yield();
  std::uint64_t kept = Bytes();
  for (int number = 1; number <= 60; ++number) {
    for (int file = 0; file < Writes::kFiles; file += 1 + number % 3) writes.Write(world.tree, file, number);
    // Until texts of some files are in memory again: those that were written first
    // have settled.
    const int until = searches + 40;
    while (searches < until) std::this_thread::yield();
    kept = std::max(kept, Bytes());
  }
  over = true;
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(kept, 0U);
}

// The kernel stamps a file when a write begins, and copies then. If the copying takes
// long, the file is read, found at rest and kept, all before it changes; and the end of
// the write changes no stamp. It is an event, though.
TEST_F(KeptText, AWriteThatTookLongIsSeenAtItsEnd) {
  Begin();
  const std::string file = world.tree.Path("d0/f0.txt");
  const std::string text = "alpha0\nsome text\nBEFORE\n";
  world.tree.Write("d0/f0.txt", text);
  ASSERT_TRUE(world.Heal());
  auto source = StalledMemory::Make("alpha0\nsome text\nneedle\n");
  if (!source) GTEST_SKIP() << "userfaultfd for calls of the kernel is for root: " << std::strerror(errno);
  const os::Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  const auto stamp = [&] { return os::Stat(fd.get())->ctime_ns; };
  const std::int64_t before = stamp();
  ssize_t written = 0;
  std::thread writer([&] { written = pwrite(fd.get(), source->data(), text.size(), 0); });
  const Deadline late = Deadline::After(10'000);
  while (!(source->Waited() && stamp() != before) && !late.over()) std::this_thread::yield();
  const std::int64_t during = stamp();
  // An event that is not the write's own: so the server looks at the file now.
  { const os::Fd other(open(file.c_str(), O_WRONLY | O_CLOEXEC)); }
  EXPECT_TRUE(world.Heal());
  Warm();
  const std::uint64_t kept = Bytes();
  source->Fill();
  writer.join();
  ASSERT_EQ(written, static_cast<ssize_t>(text.size()));
  EXPECT_EQ(stamp(), during) << "else this tests nothing";
  world.ExpectSame("at once");
  EXPECT_TRUE(world.Heal());
  Warm();
  EXPECT_EQ(Bytes(), kept) << "all are kept again";
}

}  // namespace
}  // namespace forge::testing
