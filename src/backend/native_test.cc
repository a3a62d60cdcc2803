#include "backend/native.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "backend/file_scan.h"
#include "backend/select.h"
#include "match/hyperscan.h"
#include "os/named_file.h"
#include "tests/testing/backend_world.h"
#include "tests/testing/unprivileged.h"

namespace forge {
namespace {

// Each line of it may take milliseconds without reaching PCRE2's limit.
class CountingMatcher final : public LineMatcher {
 public:
  explicit CountingMatcher(std::uint64_t& lines) : lines_(lines) {}
  MatchOutcome Match(std::string_view) override {
    ++lines_;
    return {};
  }

 private:
  std::uint64_t& lines_;
};

class CancellingMatcher final : public LineMatcher {
 public:
  static constexpr std::uint64_t kCancelsAt = 6;
  CancellingMatcher(std::uint64_t& lines, CancelSource& source) : lines_(lines), source_(source) {}
  MatchOutcome Match(std::string_view) override {
    if (++lines_ == kCancelsAt) source_.Cancel();
    return {};
  }

 private:
  std::uint64_t& lines_;
  CancelSource& source_;
};

TEST(FileScanner, ADeadlineIsSeenAfterAFewLinesOfALargeFile) {
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += "some line\n";
  const World world("line", 1, content);
  const Query query = world.query();
  CancelSource cancelled;
  cancelled.Cancel();
  const Deadline deadline(Clock::time_point::max(), cancelled.token());
  std::uint64_t lines = 0;
  const Prefilter filter = Prefilter::ForLiterals({"line"}, false);
  FileScanner scanner(query, std::make_unique<CountingMatcher>(lines), filter, *world.root, deadline);
  scanner.ScanAll({1, world.paths[0]});
  EXPECT_TRUE(scanner.interrupted());
  EXPECT_LT(lines, 100U);
}

// Lines that just escape PCRE2's limit take ten milliseconds each.
TEST(FileScanner, AfterACancelNoOtherLineIsTried) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += "some line\n";
  for (const std::string& text : {content, content + std::string(100'000, '-')}) {  // small and large
    const World world("line", 1, text);
    const Query query = world.query();
    CancelSource source;
    const Deadline deadline(Clock::time_point::max(), source.token());
    std::uint64_t lines = 0;
    const Prefilter filter = Prefilter::ForLiterals({"line"}, false);
    FileScanner scanner(query, std::make_unique<CancellingMatcher>(lines, source), filter, *world.root, deadline);
    scanner.ScanAll({1, world.paths[0]});
    EXPECT_TRUE(scanner.interrupted());
    EXPECT_LE(lines, CancellingMatcher::kCancelsAt + 1);
  }
}

class GreedyMatcher final : public LineMatcher {
 public:
  MatchOutcome Match(std::string_view line) override {
    if (line == "greedy") throw std::bad_alloc();
    return {MatchStatus::kMatch, {0, 1}};
  }
};

TEST(FileScanner, NoMemoryForOneFileIsThatFilesError) {
  const World world("x", 1, "modest\n");
  world.tree.Write("f0/greedy", "greedy\n");
  const Query query = world.query();
  const Deadline deadline;
  const Prefilter every_line;
  FileScanner scanner(query, std::make_unique<GreedyMatcher>(), every_line, *world.root, deadline);
  EXPECT_EQ(scanner.ScanAll({1, "f0/greedy"}).error, "there is not enough memory to search it");
  const os::FileInfo info = *os::StatPath(world.tree.Path("f0/greedy"));
  const SeenLine seen{1, 0, 0};
  EXPECT_EQ(scanner.ScanSeen({1, "f0/greedy"}, {&seen, 1}, info)->error, "there is not enough memory to search it");
  EXPECT_EQ(scanner.ScanAll({2, world.paths[0]}).events.size(), 1U);
}

// A NUL is found at once, and so is the match.
TEST(Native, AFileThatClaimsMoreThanThereIsMemoryIsNotRead) {
  World world("x*", 1, "x\n");
  std::filesystem::resize_file(world.tree.Path(world.paths[0]), std::uintmax_t{15} << 40);
  Query query = world.query();
  query.size_limit = {INT64_MAX};
  ListSource source(world.paths);
  ListSink sink;
  NativeBackend(1).Run(query, *world.root, source, sink, Deadline());
  ASSERT_EQ(sink.outcomes.size(), 1U);
  EXPECT_EQ(sink.outcomes[0].error, "");
  EXPECT_TRUE(sink.outcomes[0].binary);
}

// The end is said, and what was delivered before stays.
TEST(Native, MemoryThatEndsInTheMiddleIsSaid) {
  const World world("foo", 300, "a foo\n");
  for (const unsigned threads : {1U, 4U}) {
    GreedySource source(world.paths, 100);
    ListSink sink;
    const RunReport report = NativeBackend(threads).Run(world.query(), *world.root, source, sink, Deadline());
    EXPECT_EQ(report.end, SearchEnd::kOutOfMemory);
    EXPECT_EQ(report.message, "the search ran out of memory");
    EXPECT_LT(sink.outcomes.size(), 101U);
    for (std::size_t i = 0; i < sink.outcomes.size(); ++i) EXPECT_EQ(sink.outcomes[i].position, i + 1);
  }
}

TEST(Native, WithoutThreadsTheAnswerIsTheSame) {
  const World world("foo", 300, "a foo\n");
  chmod(world.tree.root().c_str(), 0755);
  const std::string scanned = testing::AsNobody([&] {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    ListSource source(world.paths);
    ListSink sink;
    NativeBackend(8).Run(world.query(), *world.root, source, sink, Deadline());
    return std::to_string(sink.outcomes.size());
  });
  EXPECT_EQ(scanned, "300");
}

TEST(Native, OutcomesComeInOrderWhateverTheThreads) {
  const World world("foo", 300, "a foo\n");
  for (const unsigned threads : {1U, 2U, 8U}) {
    ListSource source(world.paths);
    ListSink sink;
    const RunReport report = NativeBackend(threads).Run(world.query(), *world.root, source, sink, Deadline());
    EXPECT_EQ(report.end, SearchEnd::kComplete);
    ASSERT_EQ(sink.outcomes.size(), world.paths.size());
    for (std::size_t i = 0; i < sink.outcomes.size(); ++i) {
      ASSERT_EQ(sink.outcomes[i].position, i + 1);
      ASSERT_EQ(sink.outcomes[i].path, world.paths[i]);
      ASSERT_EQ(sink.outcomes[i].events.size(), 1U);
    }
  }
}

TEST(Native, AnEarlyEndReadsFewFiles) {
  const World world("foo", 3000, "a foo\n");
  ListSource source(world.paths);
  ListSink sink(3);
  EXPECT_EQ(NativeBackend(4).Run(world.query(), *world.root, source, sink, Deadline()).end, SearchEnd::kStopped);
  EXPECT_EQ(sink.outcomes.size(), 3U);
  // Helpers may run ahead as far as the window lets them: 32 batches of up to nine.
  EXPECT_LT(source.taken(), 300U);
}

// Every line of every file takes the pattern to its limit, about five
// milliseconds: only the clock can end this.
TEST(Native, CancellationIsSeenInTime) {
  std::string content;
  for (int i = 0; i < 50; ++i) content += std::string(3000, 'a') + "b\n";
  const World world("(a|aa)+$", 40, content);
  CancelSource source_of_cancel;
  ListSource source(world.paths);
  ListSink sink;
  std::chrono::steady_clock::time_point cancelled;
  std::thread canceller([&] {
    std::this_thread::yield();
    cancelled = std::chrono::steady_clock::now();
    source_of_cancel.Cancel();
  });
  const RunReport report =
      NativeBackend(2).Run(world.query(), *world.root, source, sink, Deadline::After(60'000, source_of_cancel.token()));
  canceller.join();
  const auto took = std::chrono::steady_clock::now() - cancelled;
  EXPECT_EQ(report.end, SearchEnd::kCancelled);
  // The goal is 10 ms on a quiet machine; tests run on loaded ones.
  EXPECT_LT(took, std::chrono::milliseconds(500));
}

TEST(Native, ADeadlineLeavesAPrefix) {
  std::string content;
  for (int i = 0; i < 50; ++i) content += std::string(3000, 'a') + "b\n";
  const World world("(a|aa)+$", 40, content);
  ListSource source(world.paths);
  ListSink sink;
  EXPECT_EQ(NativeBackend(2).Run(world.query(), *world.root, source, sink, Deadline::After(30)).end,
            SearchEnd::kTimedOut);
  for (std::size_t i = 0; i < sink.outcomes.size(); ++i) EXPECT_EQ(sink.outcomes[i].position, i + 1);
  EXPECT_LT(sink.outcomes.size(), world.paths.size());
}

TEST(Native, ALargeFileIsSearchedInBlocksAndWhole) {
  // The match straddles what would be the edge of a portion.
  for (const std::size_t before : {65'530U, 65'536U, 131'070U, 200'000U}) {
    std::string content;
    while (content.size() + 11 < before) content += "0123456789\n";
    content += std::string(before - content.size(), '-') + "needle\n" + std::string(100'000, '.') + "\n";
    const World world("needle", 1, content);
    ListSource source(world.paths);
    ListSink sink;
    NativeBackend(1).Run(world.query(), *world.root, source, sink, Deadline());
    ASSERT_EQ(sink.outcomes.size(), 1U);
    ASSERT_EQ(sink.outcomes[0].events.size(), 1U) << before;
    EXPECT_EQ(sink.outcomes[0].events[0].match_text, "needle");
  }
}

// Files of /proc come in portions of a page or so.
TEST(Native, AFileThatComesInPortionsIsReadToItsEnd) {
  const auto sandbox = Sandbox::Create({"/proc"}, "", {});
  ASSERT_TRUE(sandbox.ok());
  const auto root = SearchRoot::Open(*sandbox, "/proc", false);
  ASSERT_TRUE(root.ok());
  const Pattern pattern = std::move(*Pattern::Compile({.pattern = "."}));
  const Prefilter prefilter;
  const Query query{pattern, prefilter, std::nullopt, "", false, false, {10'000'000, 0, 10'000'000}, 100'000'000};
  ListSource source({"kallsyms"});
  ListSink sink;
  NativeBackend(1).Run(query, *root, source, sink, Deadline());
  ASSERT_EQ(sink.outcomes.size(), 1U);
  EXPECT_GT(sink.outcomes[0].events.size(), 10'000U);
}

TEST(Native, WhatCannotBeReadIsSaid) {
  const World world("foo", 1, "foo\n");
  world.tree.Link("/etc/passwd", "f0/link");
  ASSERT_EQ(mkfifo(world.tree.Path("f0/fifo").c_str(), 0600), 0);  // came after the walk
  ListSource source({"f0/0", "f0/gone", "f0/link", "missing/x", "f0", "f0/fifo"});
  ListSink sink;
  NativeBackend(1).Run(world.query(), *world.root, source, sink, Deadline());
  ASSERT_EQ(sink.outcomes.size(), 6U);
  EXPECT_EQ(sink.outcomes[0].error, "");
  EXPECT_EQ(sink.outcomes[1].error, "No such file or directory");
  EXPECT_EQ(sink.outcomes[2].error, "is a symbolic link, or lies behind one");
  EXPECT_EQ(sink.outcomes[3].error, "No such file or directory");
  EXPECT_EQ(sink.outcomes[4].error, "is no longer a regular file");
  EXPECT_EQ(sink.outcomes[5].error, "is no longer a regular file");
}

TEST(Native, ItsReportTellsOfHyperscan) {
  SearchConfig config;
  config.binary = "native";
  const auto reports = SelectBackend(config, "", true).reports;
  ASSERT_FALSE(reports.empty());
  const auto version = Hyperscan::Version();
  EXPECT_EQ(reports[0].capabilities.back(), version ? "with hyperscan " + *version : "without hyperscan");
}

}  // namespace
}  // namespace forge
