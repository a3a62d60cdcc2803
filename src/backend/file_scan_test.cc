#include "backend/file_scan.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "os/named_file.h"
#include "tests/testing/backend_world.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

constexpr std::size_t kSmallPortion = 64;
constexpr ScanBounds kSmallPortions{.portion = kSmallPortion};

std::string Show(const FileOutcome& outcome) {
  std::string out = outcome.error + (outcome.binary ? " binary" : "") + (outcome.capped ? " capped" : "");
  for (const Event& event : outcome.events) {
    out += "\n" + std::to_string(event.line_number) + ":" + std::to_string(event.column) + ":" + event.match_text +
           ":" + event.line;
  }
  return out;
}

// Lines of all lengths near the size of a portion, with special bytes at their ends
// and at the end of the text.
std::string RandomText(std::mt19937_64& random) {
  constexpr std::array<std::string_view, 10> kPieces = {"foo", "bar", "fo", "x", " ", "\r", "\n", "\n", "é", "K"};
  std::string text;
  if (random() % 4 == 0) text = "\xEF\xBB\xBF";
  const std::size_t size = random() % (6 * kSmallPortion);
  const bool long_lines = random() % 4 == 0;
  while (text.size() < size) {
    const std::string_view piece = kPieces[random() % kPieces.size()];
    if (piece == "\n" && long_lines && random() % 8 != 0) continue;
    text += piece;
  }
  if (random() % 16 == 0 && !text.empty()) text[random() % text.size()] = '\0';
  return text;
}

// Files that were written a moment ago are read with more care, so the test
// waits until they count as at rest.
void AwaitRest(const World& world) {
  constexpr std::int64_t kLongEnough = 80'000'000;
  const std::int64_t written = os::StatPath(world.tree.Path(world.paths.back()))->ctime_ns;
  while (os::FileClockNow() < written + kLongEnough) continue;
}

TEST(FileScanner, TheSizeOfABlockChangesNoAnswer) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  World world("x", 400, "");
  for (const std::string& path : world.paths) world.tree.Write(path, RandomText(random));
  AwaitRest(world);
  for (const char* const text :
       {"foo", "^foo", "^(foo|bar)", "bar$", "foo.*bar", "[fb][oa][or]x", "oo\\r?$", "(?i)k"}) {
    const Pattern pattern = *Pattern::Compile({.pattern = text});
    const Prefilter prefilter = Prefilter::For(pattern);
    const Query query{pattern, prefilter, std::nullopt, text, false, false, {3, 1, 1000}, 1'000'000};
    const Deadline deadline;
    FileScanner whole(query, *world.root, deadline);
    FileScanner portions(query, *world.root, deadline, kSmallPortions);
    for (std::size_t i = 0; i < world.paths.size(); ++i) {
      const FileItem item{i + 1, world.paths[i]};
      ASSERT_EQ(Show(portions.ScanAll(item)), Show(whole.ScanAll(item))) << text << " in " << world.paths[i];
    }
  }
}

// A long line is converted in blocks, wherever they end.
// As Show, with all that an outcome has.
std::string ShowAll(const FileOutcome& outcome) {
  std::string out = Show(outcome) + "\n" + std::to_string(outcome.matched_lines) + " lines, " +
                    std::to_string(outcome.matches) + " matches";
  for (const Event& event : outcome.events) {
    out += "\n" + std::to_string(event.offset) + std::string(BytesOf(event.ending));
    for (const Place& place : event.places) out += " " + std::to_string(place.begin) + "-" + std::to_string(place.end);
  }
  return out;
}

// The outcome, also of a file that cannot be held.
FileOutcome ScanOrStream(FileScanner& scanner, const FileItem& item, std::size_t& streamed) {
  FileOutcome outcome = scanner.ScanAll(item);
  if (!outcome.deferred) return outcome;
  ++streamed;
  std::vector<Event> events;
  outcome = scanner.Stream(item, [&](Event&& event) {
    events.push_back(std::move(event));
    return true;
  });
  EXPECT_TRUE(outcome.events.empty());
  outcome.events = std::move(events);
  return outcome;
}

TEST(FileScanner, WhatIsStreamedIsWhatWouldBeHeld) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  World world("x", 200, "");
  for (const std::string& path : world.paths) {
    std::string text = RandomText(random);
    if (random() % 8 == 0) text = std::string("\xFF\xFE") + std::string("f\0o\0o\0\n\0x\0\n\0f\0", 14) + text;
    world.tree.Write(path, text);
  }
  AwaitRest(world);
  const ScanLimits wide{UINT64_MAX, 1, UINT64_MAX};
  std::vector<ScanLimits> all(7, wide);
  all[1].invert = true;
  all[2].passthru = true;
  all[2].context = UINT64_MAX;
  all[3].report = ScanReport::kCounts;
  all[3].count_each = true;
  all[4].report = ScanReport::kFirst;
  all[5].as_text = true;
  all[6].max_matches = 2;
  std::size_t streamed = 0;
  for (const char* const text : {"foo", "o", "^(foo|bar)", "x$"}) {
    const Pattern pattern = *Pattern::Compile({.pattern = text});
    const Prefilter prefilter = Prefilter::For(pattern);
    for (const ScanLimits& limits : all) {
      Query query{pattern, prefilter, std::nullopt, text, false, false, limits, 1'000'000};
      query.detail = {.every_match = true, .exact_bytes = true, .inverted = limits.invert};
      const Deadline deadline;
      FileScanner whole(query, *world.root, deadline);
      FileScanner pieces(query, *world.root, deadline,
                         {.portion = kSmallPortion, .file = 150, .events = 3, .text = 2000, .piece = 7});
      for (std::size_t i = 0; i < world.paths.size(); ++i) {
        const FileItem item{i + 1, world.paths[i]};
        ASSERT_EQ(ShowAll(ScanOrStream(pieces, item, streamed)), ShowAll(whole.ScanAll(item)))
            << text << " in " << world.paths[i] << ", limits " << &limits - all.data();
      }
    }
  }
  EXPECT_GT(streamed, 1000U);
}

// An image of a disk: gigabytes without a line feed.
TEST(FileScanner, ALongLineOfABinaryFileIsNotHeld) {
  World world("foo", 1, "a\n" + std::string(5000, '\0') + "foo" + std::string(5000, '\0'));
  Query query = world.query();
  const Deadline deadline;
  for (const bool counts : {false, true}) {
    query.limits.report = counts ? ScanReport::kCounts : ScanReport::kLines;
    FileScanner scanner(query, *world.root, deadline, {.file = 100, .piece = 64, .binary_line = 1000});
    std::size_t streamed = 0;
    const FileOutcome outcome = ScanOrStream(scanner, {1, world.paths[0]}, streamed);
    EXPECT_TRUE(outcome.binary);
    EXPECT_EQ(outcome.matched_lines, 0U);
    EXPECT_TRUE(outcome.events.empty());
  }
}

TEST(FileScanner, AFileThatChangesWhileItIsStreamedIsAnError) {
  World world("foo", 1, "foo\nfoo\nfoo\n");
  const Query query = world.query();
  const Deadline deadline;
  FileScanner scanner(query, *world.root, deadline, {.events = 1, .piece = 4});
  const FileItem item{1, world.paths[0]};
  ASSERT_TRUE(scanner.ScanAll(item).deferred);
  std::size_t lines = 0;
  const FileOutcome outcome = scanner.Stream(item, [&](const Event&) {
    if (++lines == 1) world.tree.Write(world.paths[0], "foo\nfoo\n");
    return true;
  });
  EXPECT_GE(lines, 1U);
  EXPECT_EQ(outcome.error, "changed while it was searched; what is shown may be of different states");
}

TEST(FileScanner, AStreamEndsWhenThereIsEnough) {
  World world("foo", 1, "foo\nfoo\nfoo\n");
  const Query query = world.query();
  const Deadline deadline;
  FileScanner scanner(query, *world.root, deadline, {.events = 1, .piece = 4});
  std::size_t lines = 0;
  scanner.Stream({1, world.paths[0]}, [&](const Event&) { return ++lines < 2; });
  EXPECT_EQ(lines, 2U);
}

TEST(FileScanner, ALongLineOfBadBytesIsShownLikeAShortOne) {
  World world("foo", 1, "");
  for (const char* const unit : {"\xFF\xE2\x82"
                                 "a\u4E2D",
                                 "\x80\x80\x80\x80\x80", "\xF0\x9F\x98", "\U0001F600x"}) {
    std::string line;
    while (line.size() < 600'000) line += unit;
    line += "foo";
    world.tree.Write(world.paths[0], line + "\n");
    const Query query = world.query();
    const Deadline deadline;
    FileScanner scanner(query, *world.root, deadline);
    const FileOutcome outcome = scanner.ScanAll({1, world.paths[0]});
    ASSERT_EQ(outcome.events.size(), 1U);
    EXPECT_TRUE(outcome.events[0].line == LossyUtf8(line));
    EXPECT_EQ(outcome.events[0].match_text, "foo");
  }
}

// A deadline in the past: neither a transcoded beginning nor a match is shown.
TEST(FileScanner, ADeadlineIsSeenWithinALine) {
  World world("(?=.*[A-Z])", 1, "");
  std::string wide = "\xFF\xFE";
  for (int i = 0; i < 300'000; ++i) wide += std::string_view("a\0", 2);
  for (const std::string& content : {std::string(400'000, 'a') + "\n", wide}) {
    world.tree.Write(world.paths[0], content);
    const Query query = world.query();
    CancelSource source;
    source.Cancel();
    const Deadline deadline(Clock::time_point::max(), source.token());
    FileScanner scanner(query, *world.root, deadline);
    EXPECT_TRUE(scanner.ScanAll({1, world.paths[0]}).events.empty());
    EXPECT_TRUE(scanner.interrupted());
  }
}

// The first files that an index leaves of a folder are opened by their whole path, others
// through the folder. Large files are read at once.
TEST(FileScanner, AFileAloneIsSearchedLikeAnyOther) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  World world("x", 0, "");
  for (const char* const folder : {"", "a/", "a/b/", "a/c/", "d/"}) {
    for (const char name : std::string_view("12345678")) world.paths.push_back(std::string(folder) + name);
  }
  for (const std::string& path : world.paths) world.tree.Write(path, RandomText(random));
  AwaitRest(world);
  const Pattern pattern = *Pattern::Compile({.pattern = "foo|bar$"});
  const Prefilter prefilter = Prefilter::For(pattern);
  const Query query{pattern, prefilter, std::nullopt, "foo|bar$", false, false, {3, 1, 1000}, 1'000'000};
  const Deadline deadline;
  FileScanner usual(query, *world.root, deadline, kSmallPortions);
  for (int round = 0; round < 50; ++round) {
    FileScanner sparse(query, *world.root, deadline, kSmallPortions);
    for (std::size_t i = 0; i < world.paths.size(); ++i) {
      if (random() % 4 == 0) continue;
      const FileItem item{i + 1, world.paths[i], random() % 6 != 0};
      ASSERT_EQ(Show(sparse.ScanAll(item)), Show(usual.ScanAll({i + 1, world.paths[i]}))) << world.paths[i];
    }
  }
}

// What a scanner reports about a file, alone or not.
std::string Said(const World& world, const std::string& path, bool alone) {
  const Pattern pattern = *Pattern::Compile({.pattern = "foo"});
  const Prefilter prefilter = Prefilter::For(pattern);
  const Query query{pattern, prefilter, std::nullopt, "foo", false, false, {3, 1, 1000}, 1'000'000};
  const Deadline deadline;
  return Show(FileScanner(query, *world.root, deadline).ScanAll({1, path, alone}));
}

// Even without a walk before it, the scanner checks every folder on the path.
TEST(FileScanner, AFileAloneIsNotReachedThroughALink) {
  World world("x", 0, "");
  world.tree.Write("real/file", "foo\n");
  world.tree.Link("real", "link");
  world.tree.Link("file", "real/other");
  for (const char* const path : {"link/file", "real/other"}) {
    EXPECT_EQ(Said(world, path, true), "is a symbolic link, or lies behind one") << path;
    EXPECT_EQ(Said(world, path, false), "is a symbolic link, or lies behind one") << path;
  }
}

// The system takes no path of more than 4095 bytes; the folder's path is
// shorter.
TEST(FileScanner, AFileAloneMayHaveAVeryLongPath) {
  World world("x", 0, "");
  const std::string name(200, 'n');
  std::string path;
  os::Fd folder = std::move(*os::OpenFolder(world.tree.root()));
  while (path.size() + name.size() + 1 < 4096) {
    ASSERT_EQ(mkdirat(folder.get(), name.c_str(), 0700), 0);
    folder = std::move(*os::OpenFolderBeneath(folder.get(), name));
    path += name + "/";
  }
  path += name;
  ASSERT_GT(path.size(), 4096U);
  const os::Fd file(openat(folder.get(), name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  ASSERT_EQ(write(file.get(), "foo\n", 4), 4);
  EXPECT_EQ(Said(world, path, true), "\n1:1:foo:foo");
  EXPECT_EQ(Said(world, path, false), "\n1:1:foo:foo");
}

// A lease, as a file server holds it on files of its clients. For 45 seconds
// the system tells every program that opens the file to try again.
TEST(FileScanner, AFileAloneThatIsLeasedIsNotWaitedFor) {
  const auto before = std::signal(SIGIO, SIG_IGN);
  World world("x", 0, "");
  world.tree.Write("d/file", "foo\n");
  const os::Fd file(open(world.tree.Path("d/file").c_str(), O_RDWR | O_CLOEXEC));
  if (fcntl(file.get(), F_SETLEASE, F_WRLCK) != 0) GTEST_SKIP() << "NOT TESTED: this file system has no leases";
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(Said(world, "d/file", true), "Resource temporarily unavailable");
  EXPECT_EQ(Said(world, "d/file", false), "Resource temporarily unavailable");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  std::signal(SIGIO, before);
}

// With texts in memory, as a warm server has them.
class KeptTexts : public ::testing::Test {
 protected:
  KeptTexts() {
    std::mt19937_64 random(seed_);
    for (const std::string& path : world_.paths) world_.tree.Write(path, RandomText(random));
    for (const std::string& path : world_.paths) states_.push_back(*os::StatPath(world_.tree.Path(path)));
  }
  FileItem Item(std::size_t i) const { return {i + 1, world_.paths[i], false, {}, &states_[i]}; }
  FileOutcome Scan(const Query& query, const FileItem& item) const {
    return FileScanner(query, *world_.root, Deadline(), kSmallPortions).ScanAll(item);
  }
  Query QueryWithTexts() {
    Query query = world_.query();
    query.texts = &cache_;
    query.turn = cache_.BeginTurn();
    return query;
  }

  const std::uint64_t seed_ = testing::FirstSeed();
  World world_{"foo|bar$", 200, ""};
  std::vector<os::FileInfo> states_;
  TextCache cache_{1 << 20};
};

TEST_F(KeptTexts, ChangeNoAnswer) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  AwaitRest(world_);
  for (int round = 0; round < 3; ++round) {
    const Query query = QueryWithTexts();
    for (std::size_t i = 0; i < world_.paths.size(); ++i) {
      const FileOutcome plain = Scan(world_.query(), {i + 1, world_.paths[i]});
      const FileOutcome kept = Scan(query, Item(i));
      ASSERT_EQ(Show(kept), Show(plain)) << world_.paths[i];
      ASSERT_EQ(kept.bytes, plain.bytes);
    }
    EXPECT_GT(cache_.texts(), world_.paths.size() / 2);
  }
}

TEST_F(KeptTexts, AreSearchedInsteadOfTheFile) {
  const Query query = QueryWithTexts();
  cache_.Keep(states_[0], std::string(states_[0].size, '.'), query.turn);
  std::string text(states_[1].size, '.');
  text.replace(0, 3, "foo");
  cache_.Keep(states_[1], text, query.turn);
  EXPECT_TRUE(Scan(query, Item(0)).events.empty());
  EXPECT_EQ(Scan(query, Item(1)).events.size(), 1U);
  // The index does not vouch for the file: it is read.
  EXPECT_EQ(Show(Scan(query, {2, world_.paths[1]})), Show(Scan(world_.query(), {2, world_.paths[1]})));
}

TEST_F(KeptTexts, AreKeptOnlyInTheStateThatIsVouchedFor) {
  AwaitRest(world_);
  for (os::FileInfo& state : states_) ++state.ctime_ns;
  const Query query = QueryWithTexts();
  for (std::size_t i = 0; i < world_.paths.size(); ++i) Scan(query, Item(i));
  EXPECT_EQ(cache_.texts(), 0U);
}

TEST_F(KeptTexts, AFileOverTheLimitIsReportedAsSuch) {
  Query query = QueryWithTexts();
  Scan(query, Item(0));
  query.size_limit = {1};
  EXPECT_EQ(Scan(query, Item(0)).too_large, states_[0].size > 1);
}

// It holds no match before and none after.
TEST(FileScanner, AFileAloneMayBeWrittenToWhereNothingMatches) {
  World world("x", 0, "");
  world.tree.Write("d/file", std::string(50'000, 'x') + "\n");
  const os::Fd file(open(world.tree.Path("d/file").c_str(), O_RDWR | O_CLOEXEC));
  std::atomic<bool> done = false;
  std::atomic<int> writes = 0;
  std::thread writer([&] {
    while (!done) writes += pwrite(file.get(), "x", 1, 0) == 1 ? 1 : 0;
  });
  std::string said;
  while (said.empty() && writes < 50'000) said = Said(world, "d/file", true);
  EXPECT_EQ(said, "");
  done = true;
  writer.join();
}

}  // namespace
}  // namespace forge
