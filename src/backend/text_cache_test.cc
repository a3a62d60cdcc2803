#include "backend/text_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/fake_clocks.h"
#include "tests/testing/fake_memory.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using testing::FakeClocks;
using testing::FakeMemory;

os::FileInfo StateOf(std::uint64_t inode, std::string_view text, std::int64_t time = 1) {
  return {os::FileType::kRegular, text.size(), time, time, 7, inode, 1};
}

class TextCacheTest : public ::testing::Test {
 protected:
  TextCacheTest() { cache_.BeginTurn(); }

  void Keep(std::uint64_t inode, std::string_view text, TextCache::Turn turn) {
    cache_.Keep(StateOf(inode, text), text, turn);
  }
  bool Has(std::uint64_t inode, std::string_view text) {
    const TextCache::Text found = cache_.Find(StateOf(inode, text), 0);
    return found && found.view() == text;
  }
  // One of the parts of the cache is full of the texts of this search.
  std::uint64_t Fill(TextCache::Turn turn) {
    std::uint64_t inode = 0;
    while (cache_.HasRoom(StateOf(++inode, kText), turn)) Keep(inode, kText, turn);
    return inode;
  }

  static constexpr std::uint64_t kMost = 1 << 20;
  const std::string kText = std::string(2000, 'x');
  FakeMemory memory_;
  FakeClocks clocks_;
  TextCache cache_{kMost, memory_, clocks_};
};

TEST_F(TextCacheTest, ATextIsFoundUnderItsStateOnly) {
  Keep(1, "one", 1);
  EXPECT_TRUE(Has(1, "one"));
  EXPECT_FALSE(Has(2, "one"));
  EXPECT_FALSE(cache_.Find(StateOf(1, "one", 2), 1));
  EXPECT_FALSE(cache_.Find(StateOf(1, "three"), 1));
  os::FileInfo linked = StateOf(1, "one");
  linked.links = 2;
  EXPECT_FALSE(cache_.Find(linked, 1));
}

TEST_F(TextCacheTest, ANewStateReplacesTheOld) {
  Keep(1, "one", 1);
  cache_.Keep(StateOf(1, "two", 2), "two", 2);
  EXPECT_FALSE(Has(1, "one"));
  EXPECT_EQ(cache_.Find(StateOf(1, "two", 2), 2).view(), "two");
  EXPECT_EQ(cache_.texts(), 1U);
}

TEST_F(TextCacheTest, WhatIsBinaryLargeOrHalfReadIsNotKept) {
  Keep(1, std::string_view("a\0b", 3), 1);
  Keep(2, std::string(kMost / TextCache::kParts / 4, 'x'), 1);
  cache_.Keep(StateOf(3, "long"), "lon", 1);
  EXPECT_EQ(cache_.texts(), 0U);
  EXPECT_FALSE(cache_.HasRoom(StateOf(2, std::string(kMost, 'x')), 1));
}

TEST_F(TextCacheTest, AnEmptyFileIsKept) {
  Keep(1, "", 1);
  EXPECT_TRUE(Has(1, ""));
}

TEST_F(TextCacheTest, ASearchDropsWhatOthersUsedLeastRecentlyAndNotItsOwn) {
  const TextCache::Turn first = cache_.BeginTurn();
  const std::uint64_t refused = Fill(first);
  Keep(refused, kText, first);
  EXPECT_FALSE(Has(refused, kText));
  const TextCache::Turn second = cache_.BeginTurn();
  const std::uint64_t texts = cache_.texts();
  Keep(refused, kText, second);
  EXPECT_TRUE(Has(refused, kText));
  EXPECT_EQ(cache_.texts(), texts);
}

TEST_F(TextCacheTest, AUsedTextStaysLongerThanOneThatWasNotUsed) {
  const std::uint64_t refused = Fill(cache_.BeginTurn());
  const TextCache::Turn second = cache_.BeginTurn();
  for (std::uint64_t inode = 1; inode < refused; inode += 2) cache_.Find(StateOf(inode, kText), second);
  const TextCache::Turn third = cache_.BeginTurn();
  for (std::uint64_t inode = refused; inode < refused + 300; ++inode) Keep(inode, kText, third);
  int used = 0;
  int unused = 0;
  for (std::uint64_t inode = 1; inode < refused; ++inode) (inode % 2 == 1 ? used : unused) += Has(inode, kText) ? 1 : 0;
  EXPECT_GT(used, 2 * unused);
}

TEST_F(TextCacheTest, StaysBelowItsBound) {
  std::mt19937_64 random(testing::FirstSeed());
  TextCache::Turn turn = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (i % 50 == 0) turn = cache_.BeginTurn();
    Keep(random() % 3000, std::string(random() % 8000, 'x'), turn);
    ASSERT_LE(cache_.bytes(), kMost);
  }
  EXPECT_GT(cache_.bytes(), kMost / 2);
}

TEST_F(TextCacheTest, GivesWayWhileMemoryIsShort) {
  Fill(cache_.BeginTurn());
  const std::uint64_t before = cache_.bytes();
  memory_.is_short = true;
  cache_.Tend();
  EXPECT_EQ(cache_.bytes(), before) << "it has looked within this second";
  clocks_.Advance(TextCache::kBetweenLooks);
  cache_.Tend();
  EXPECT_LE(cache_.bytes(), before / 2);
  EXPECT_FALSE(cache_.HasRoom(StateOf(1, kText), 9));
  const std::uint64_t texts = cache_.texts();
  Keep(100'000, "new", 9);
  EXPECT_EQ(cache_.texts(), texts);
  clocks_.Advance(TextCache::kBetweenLooks);
  cache_.Tend();
  EXPECT_EQ(cache_.bytes(), 0U);
  memory_.is_short = false;
  clocks_.Advance(TextCache::kBetweenLooks);
  cache_.Tend();
  Keep(100'000, "new", 9);
  EXPECT_TRUE(Has(100'000, "new"));
}

TEST_F(TextCacheTest, ForgetsWhatNobodyWants) {
  Keep(1, "one", cache_.BeginTurn());
  clocks_.Advance(TextCache::kIdle / 2);
  cache_.Tend();
  EXPECT_TRUE(Has(1, "one"));
  EXPECT_TRUE(cache_.NeedsTending());
  clocks_.Advance(TextCache::kIdle / 2);
  cache_.Tend();
  EXPECT_FALSE(Has(1, "one"));
  EXPECT_FALSE(cache_.NeedsTending());
}

TEST_F(TextCacheTest, WithoutBytesItKeepsNothing) {
  TextCache off(0, memory_, clocks_);
  EXPECT_FALSE(off.enabled());
  off.Keep(StateOf(1, ""), "", 1);
  EXPECT_EQ(off.texts(), 0U);
}

TEST_F(TextCacheTest, ExpectingATextChangesNothing) {
  const os::FileInfo one = StateOf(1, "one");
  const os::FileInfo other = StateOf(1, "other", 2);
  const os::FileInfo absent = StateOf(2, "two");
  const std::vector<const os::FileInfo*> states = {&one, nullptr, &other, &absent, &one};
  const auto expect_from = [&](std::size_t begin) {
    cache_.Expect(states, std::identity(), [begin](const os::FileInfo*) { return begin; });
  };
  expect_from(0);  // while the cache is empty
  Keep(1, "one", 1);
  for (const std::size_t begin : {0U, 2U, 3U, 1'000'000U}) expect_from(begin);
  EXPECT_TRUE(Has(1, "one"));
  EXPECT_FALSE(cache_.Find(other, 1));
  EXPECT_FALSE(cache_.Find(absent, 1));
  EXPECT_EQ(cache_.texts(), 1U);
}

TEST_F(TextCacheTest, WhatIsForgottenIsKeptOnlyByLaterSearches) {
  const TextCache::Turn early = cache_.BeginTurn();
  const os::FileInfo one = StateOf(1, "one");
  cache_.Keep(one, "one", early);
  const TextCache::Text in_use = cache_.Find(one, early);
  cache_.Forget(StateOf(1, "other", 2));  // the state at the event; another one is kept
  EXPECT_FALSE(cache_.Find(one, early));
  EXPECT_EQ(cache_.texts(), 0U);
  EXPECT_EQ(cache_.bytes(), 0U);
  EXPECT_EQ(in_use.view(), "one");
  cache_.Keep(one, "one", early);  // read before the event, perhaps
  EXPECT_FALSE(cache_.Find(one, early));
  cache_.Keep(one, "new", cache_.BeginTurn());
  EXPECT_EQ(cache_.Find(one, early).view(), "new");
  cache_.Keep(one, "old", early);
  EXPECT_EQ(cache_.Find(one, early).view(), "new");
}

TEST_F(TextCacheTest, ATextInUseOutlivesItsPlace) {
  Keep(1, "one", 1);
  const TextCache::Text text = cache_.Find(StateOf(1, "one"), 1);
  cache_.Clear();
  EXPECT_EQ(text.view(), "one");
  EXPECT_EQ(cache_.bytes(), 0U);
}

// Each text says whose it is and in which state, so a wrong one would show.
TEST_F(TextCacheTest, ManyThreadsGetTheirOwnTexts) {
  const std::uint64_t seed = testing::FirstSeed();
  std::atomic<int> wrong = 0;
  const auto work = [&](std::uint64_t number) {
    std::mt19937_64 random(seed + number);
    for (TextCache::Turn i = 0; i < 5'000; ++i) {
      const std::uint64_t inode = random() % 500;
      const std::int64_t time = static_cast<std::int64_t>(random() % 2);
      const std::string text = std::to_string(inode * 2 + static_cast<std::uint64_t>(time)) + std::string(3000, '.');
      const os::FileInfo state = StateOf(inode, text, time);
      if (random() % 2 == 0)
        cache_.Expect(std::vector{&state}, std::identity(), [](const os::FileInfo*) { return 0U; });
      const TextCache::Text found = cache_.Find(state, i);
      if (found && found.view() != text) ++wrong;
      if (!found) cache_.Keep(state, text, i);
      if (random() % 1000 == 0) cache_.Clear();
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < 3; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(cache_.bytes(), kMost);
}

}  // namespace
}  // namespace forge
