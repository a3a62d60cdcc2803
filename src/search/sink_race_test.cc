// The way from the walk through the native backend to the answer, under load.
//
// In an earlier version EligibleFiles kept what stood between files in a deque.
// The Collector popped it on the calling thread, while helper threads pushed to
// it inside Next(): the release binary died of it (12,000 small files, every
// third denied, a word that is nowhere: about 1 run in 300). These tests keep
// helpers inside Next() while the sink takes what stood beside files, over and
// over. With the deque put back, 3 runs in 10 die on two busy cores; the thread
// sanitizer reported it at once. A count that is wrong fails them too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "backend/native.h"
#include "search/collector.h"
#include "search/eligible.h"
#include "search/service.h"
#include "tests/testing/backend_world.h"

namespace forge {
namespace {

constexpr unsigned kThreads = 4;  // also where there are fewer cores

// Entries that are made up: one in `every` is a file, most of which have vanished;
// the others are denied, and now and then one cannot be listed.
class MadeUpStream final : public EligibleStream {
 public:
  MadeUpStream(std::uint64_t entries, std::uint64_t every) : entries_(entries), every_(every) {}

  void Next(EligibleEntry& out) override {
    out.excluded = 0;
    out.end = at_ == entries_;
    if (out.end) return;
    const std::uint64_t i = at_++;
    const bool file = i % every_ == 0;
    const bool denied = i % 64 != 1;
    out.entry.kind = file ? WalkEntry::Kind::kFile : denied ? WalkEntry::Kind::kDenied : WalkEntry::Kind::kError;
    out.entry.path = i % 1000 == 0 ? "f0/0" : std::to_string(i);
    out.entry.error = file || denied ? "" : "Permission denied";
  }
  bool timed_out() const override { return false; }

 private:
  const std::uint64_t entries_;
  const std::uint64_t every_;
  std::uint64_t at_ = 0;
};

struct Counted {
  std::uint64_t files = 0, denied = 0, unreadable = 0;

  friend bool operator==(const Counted&, const Counted&) = default;
};

// What the stream itself holds.
Counted Expected(std::uint64_t entries, std::uint64_t every) {
  Counted out;
  for (std::uint64_t i = 0; i < entries; ++i) {
    ++(i % every == 0 ? out.files : i % 64 != 1 ? out.denied : out.unreadable);
  }
  return out;
}

// What of it reaches the answer.
Counted Searched(const NativeBackend& native, const World& world, std::uint64_t entries, std::uint64_t every) {
  EligibleFiles files(std::make_unique<MadeUpStream>(entries, every), entries);
  CheckedRequest request;
  request.max_results = 10;
  const SearchOptions options;
  Collector collector(request, *world.sandbox, world.tree.root(), options);
  const RunReport report = native.Run(world.query(), *world.root, files, collector, {});
  EXPECT_EQ(report.end, SearchEnd::kComplete);
  collector.TakeAsides(files.TakeRest());
  SearchResponse response;
  collector.Finish(response);
  const auto unreadable = std::count_if(response.errors.begin(), response.errors.end(),
                                        [](const FileError& e) { return e.error == "Permission denied"; });
  return {files.count(), collector.left_out().denied, static_cast<std::uint64_t>(unreadable)};
}

TEST(SinkRace, WhatStandsBesideManyMadeUpFilesReachesTheAnswer) {
  constexpr std::uint64_t kEntries = 200'000;
  const World world("nowhere", 1, "text\n");
  const NativeBackend native(kThreads);
  EXPECT_EQ(Searched(native, world, kEntries, 3), Expected(kEntries, 3));
}

// Many more asides than files: the sink takes them as fast as helpers find them.
TEST(SinkRace, WhatStandsBesideFewFilesReachesTheAnswerAgainAndAgain) {
  constexpr std::uint64_t kEntries = 20'000;
  const World world("nowhere", 1, "text\n");
  const NativeBackend native(kThreads);
  const Counted expected = Expected(kEntries, 25);
  const auto end = Clock::now() + std::chrono::seconds(1);
  int runs = 0;
  for (; runs < 200 && Clock::now() < end; ++runs) ASSERT_EQ(Searched(native, world, kEntries, 25), expected);
  RecordProperty("runs", runs);
}

// A tree as the one above, searched by the whole service.
class RaceTree {
 public:
  explicit RaceTree(int files) {
    for (int i = 0; i < files; ++i) {
      const std::string name = "d" + std::to_string(i % 40) + "/" + std::to_string(i);
      if (i % 6 == 0) {
        tree.Write(name + ".pem", "nowhere\n");
      } else if (i % 6 == 3) {
        tree.Link("no such file", name);
      } else {
        tree.Write(name, "text\n");
      }
    }
  }

  SearchResponse Search() const {
    const auto response = service.Search({.pattern = "nowhere", .follow = true, .no_ignore = true}, {});
    if (!response) throw std::runtime_error(response.error().message);
    return *response;
  }

  testing::TempTree tree;
  const SearchService service{SearchConfig(), *Sandbox::Create({tree.root()}, "", {}),
                              std::make_shared<NativeBackend>(kThreads), ""};
};

TEST(SinkRace, ManySearchesOfATreeWithDeniedAndBrokenEntriesAnswerTheSame) {
  const RaceTree world(600);
  const SearchResponse first = world.Search();
  ASSERT_EQ(first.errors.size(), 100U);
  ASSERT_THAT(first.content, ::testing::HasSubstr("100 paths were skipped"));
  const auto end = Clock::now() + std::chrono::milliseconds(500);
  int runs = 0;
  for (; runs < 300 && Clock::now() < end; ++runs) {
    const SearchResponse again = world.Search();
    ASSERT_EQ(again.content, first.content);
    ASSERT_EQ(again.errors.size(), first.errors.size());
  }
  RecordProperty("runs", runs);
}

TEST(SinkRace, FilesThatVanishAndComeBackDoNotDisturbTheCounts) {
  const RaceTree world(300);
  std::atomic<bool> over = false;
  std::thread mover([&] {
    while (!over) {
      for (const char* name : {"d1/1", "d1/41", "d5/5"}) {
        std::filesystem::rename(world.tree.Path(name), world.tree.Path("away"));
        std::filesystem::rename(world.tree.Path("away"), world.tree.Path(name));
      }
    }
  });
  const auto end = Clock::now() + std::chrono::milliseconds(300);
  for (int runs = 0; runs < 150 && Clock::now() < end; ++runs) {
    EXPECT_THAT(world.Search().content, ::testing::HasSubstr("50 paths were skipped"));
  }
  over = true;
  mover.join();
}

}  // namespace
}  // namespace forge
