// The way from the walk through the native backend to the answer, under load.
//
// In an earlier version EligibleFiles kept what stood between files in a deque.
// The Collector popped it on the calling thread, while helper threads pushed to
// it inside Next(): the release binary died of it (12,000 small files, every
// third denied, a word that is nowhere: about 1 run in 300), and ThreadSanitizer
// reported it at once. These tests keep helpers inside Next() while the sink
// takes what stood beside files, over and over; besides crashes and reports, a
// count that is wrong fails them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// Entries that are made up: every third is denied or cannot be listed, the
// others are files, most of which have vanished.
class MadeUpStream final : public EligibleStream {
 public:
  explicit MadeUpStream(std::uint64_t entries) : entries_(entries) {}

  void Next(EligibleEntry& out) override {
    out.excluded = 0;
    out.end = at_ == entries_;
    if (out.end) return;
    const std::uint64_t i = at_++;
    out.entry.path = i % 6 == 1 ? "f0/0" : "gone" + std::to_string(i);
    out.entry.error = i % 6 == 3 ? "Permission denied" : "";
    out.entry.kind = i % 6 == 0   ? WalkEntry::Kind::kDenied
                     : i % 6 == 3 ? WalkEntry::Kind::kError
                                  : WalkEntry::Kind::kFile;
  }
  bool timed_out() const override { return false; }

 private:
  const std::uint64_t entries_;
  std::uint64_t at_ = 0;
};

TEST(SinkRace, WhatStandsBesideManyMadeUpFilesReachesTheAnswer) {
  constexpr std::uint64_t kEntries = 200'000;
  const World world("nowhere", 1, "text\n");
  const NativeBackend native(kThreads);
  EligibleFiles files(std::make_unique<MadeUpStream>(kEntries), kEntries);
  CheckedRequest request;
  request.max_results = 10;
  const SearchOptions options;
  Collector collector(request, *world.sandbox, world.tree.root(), options);
  const RunReport report = native.Run(world.query(), *world.root, files, collector, {});
  ASSERT_EQ(report.end, RunReport::End::kComplete);
  collector.TakeAsides(files.TakeRest());
  EXPECT_EQ(collector.left_out().denied, (kEntries + 5) / 6);
  SearchResponse response;
  collector.Finish(response);
  const auto unreadable = std::count_if(response.errors.begin(), response.errors.end(),
                                        [](const FileError& e) { return e.error == "Permission denied"; });
  EXPECT_EQ(static_cast<std::uint64_t>(unreadable), (kEntries + 2) / 6);
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
  const RaceTree world(1200);
  const SearchResponse first = world.Search();
  ASSERT_EQ(first.errors.size(), 200U);
  ASSERT_THAT(first.content, ::testing::HasSubstr("200 paths were skipped"));
  const auto end = Clock::now() + std::chrono::seconds(1);
  int runs = 0;
  for (; runs < 300 && Clock::now() < end; ++runs) {
    const SearchResponse again = world.Search();
    ASSERT_EQ(again.content, first.content);
    ASSERT_EQ(again.errors.size(), first.errors.size());
  }
  RecordProperty("runs", runs);
}

TEST(SinkRace, FilesThatVanishAndComeBackDoNotDisturbTheCounts) {
  const RaceTree world(600);
  std::atomic<bool> over = false;
  std::thread mover([&] {
    while (!over) {
      for (const char* name : {"d1/1", "d1/41", "d5/5"}) {
        std::filesystem::rename(world.tree.Path(name), world.tree.Path("away"));
        std::filesystem::rename(world.tree.Path("away"), world.tree.Path(name));
      }
    }
  });
  const auto end = Clock::now() + std::chrono::milliseconds(500);
  for (int runs = 0; runs < 150 && Clock::now() < end; ++runs) {
    EXPECT_THAT(world.Search().content, ::testing::HasSubstr("100 paths were skipped"));
  }
  over = true;
  mover.join();
}

}  // namespace
}  // namespace forge
