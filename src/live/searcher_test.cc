#include "live/searcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/testing/fake_engine.h"

namespace forge::live {
namespace {

using testing::FakeEngine;

Event Line(std::uint64_t number) {
  return {Event::Type::kMatch, "a.c", number, 1, "needle", "needle", 0, LineEnding::kLf, {{0, 6}}};
}

// Waits for the end of the last job.
class LiveSearcher : public ::testing::Test {
 protected:
  News TakeAll(Searcher& searcher) {
    News all;
    while (!all.ended) {
      {
        const Lock lock(mutex_);
        while (!rung_) changed_.Wait(mutex_);
        rung_ = false;
      }
      News news = searcher.Take();
      for (Match& line : news.lines) all.lines.push_back(std::move(line));
      news.lines = std::move(all.lines);
      all = std::move(news);
    }
    return all;
  }

  void Ring() {
    {
      const Lock lock(mutex_);
      rung_ = true;
    }
    changed_.NotifyAll();
  }

  Mutex mutex_;
  Condition changed_;
  bool rung_ GUARDED_BY(mutex_) = false;
};

Result<SearchResponse> TenLines(const SearchOptions& how) {
  for (std::uint64_t number = 1; number <= 10 && !how.enough(); ++number) how.on_event(Line(number));
  return SearchResponse{};
}

TEST_F(LiveSearcher, SearchesEveryPlace) {
  FakeEngine engine({}, [](const SearchRequest&, const SearchOptions& how) { return TenLines(how); }, {});
  Searcher searcher(engine, [this] { Ring(); });
  searcher.Start({.request = {}, .places = {{"a", "a"}, {"b", "b"}}});
  const News news = TakeAll(searcher);
  EXPECT_EQ(news.lines.size(), 20U);
  EXPECT_EQ(news.lines.back().place, 1U);
  EXPECT_EQ(news.responses.size(), 2U);
  EXPECT_FALSE(news.more);
}

TEST_F(LiveSearcher, StopsAfterEnoughLines) {
  FakeEngine engine({}, [](const SearchRequest&, const SearchOptions& how) { return TenLines(how); }, {});
  Searcher searcher(engine, [this] { Ring(); });
  searcher.Start({.request = {}, .places = {{"a", "a"}}, .most = 4});
  News news = TakeAll(searcher);
  EXPECT_EQ(news.lines.size(), 4U);
  EXPECT_TRUE(news.more);
  searcher.Start({.request = {}, .places = {{"a", "a"}}, .first_line = 3, .last_line = 5});
  news = TakeAll(searcher);
  ASSERT_EQ(news.lines.size(), 3U);
  EXPECT_EQ(news.lines.front().line, 3U);
  EXPECT_FALSE(news.more);
}

TEST_F(LiveSearcher, ANewJobEndsTheOldOne) {
  std::atomic<bool> running = false;
  FakeEngine engine({},
                    [&](const SearchRequest& request, const SearchOptions& how) -> Result<SearchResponse> {
                      if (request.pattern == "new") return TenLines(how);
                      how.on_event(Line(99));
                      running = true;
                      running.notify_all();
                      while (!how.cancel.cancelled()) std::this_thread::yield();
                      return Cancelled();
                    },
                    {});
  Searcher searcher(engine, [this] { Ring(); });
  searcher.Start({.request = {.pattern = "old"}, .places = {{"a", "a"}}});
  running.wait(false);
  searcher.Start({.request = {.pattern = "new"}, .places = {{"a", "a"}}});
  const News news = TakeAll(searcher);
  EXPECT_EQ(news.lines.size(), 10U) << "nothing of the old one";
  EXPECT_FALSE(news.error.has_value());
}

TEST_F(LiveSearcher, AnErrorIsNews) {
  FakeEngine engine(
      {}, [](const SearchRequest&, const SearchOptions&) -> Result<SearchResponse> { return ExecutionFailed("no"); },
      {});
  Searcher searcher(engine, [this] { Ring(); });
  searcher.Start({.request = {}, .places = {{"a", "a"}}});
  const News news = TakeAll(searcher);
  ASSERT_TRUE(news.error.has_value());
  EXPECT_EQ(news.error->message, "no");
}

}  // namespace
}  // namespace forge::live
