#include "backend/helper_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <set>

namespace forge {
namespace {

TEST(HelperThreads, AllJoinAJobEachWithItsNumber) {
  HelperThreads helpers(3);
  std::mutex mutex;
  std::set<unsigned> numbers;
  std::set<std::thread::id> threads;
  std::latch all(3);
  {
    const HelperThreads::Job job(helpers, [&](unsigned number) {
      {
        const std::lock_guard lock(mutex);
        numbers.insert(number);
        threads.insert(std::this_thread::get_id());
      }
      all.arrive_and_wait();
    });
    all.wait();
  }
  EXPECT_EQ(numbers, (std::set<unsigned>{1, 2, 3}));
  EXPECT_EQ(threads.size(), 3U);
}

TEST(HelperThreads, TheSameThreadServesTheNextJob) {
  HelperThreads helpers(1);
  std::set<std::thread::id> threads;
  for (int i = 0; i < 20; ++i) {
    std::latch begun(1);
    const HelperThreads::Job job(helpers, [&](unsigned) {
      threads.insert(std::this_thread::get_id());
      begun.count_down();
    });
    begun.wait();
  }
  EXPECT_EQ(threads.size(), 1U);
}

// The second job gets no helper until the first job releases one.
TEST(HelperThreads, AJobThatFindsNoneFreeIsJoinedLater) {
  HelperThreads helpers(1);
  std::latch begun(1);
  std::latch leave(1);
  std::latch joined(1);
  std::atomic<bool> left = false;
  std::optional<HelperThreads::Job> first;
  first.emplace(helpers, [&](unsigned) {
    begun.count_down();
    leave.wait();
    left = true;
  });
  begun.wait();
  const HelperThreads::Job second(helpers, [&](unsigned) {
    EXPECT_TRUE(left);
    joined.count_down();
  });
  EXPECT_FALSE(joined.try_wait());
  leave.count_down();
  joined.wait();
  first.reset();
}

// A job does not wait for a helper that has not begun.
TEST(HelperThreads, AJobMayEndBeforeAnybodyJoins) {
  HelperThreads helpers(1);
  std::latch begun(1);
  std::latch leave(1);
  const HelperThreads::Job busy(helpers, [&](unsigned) {
    begun.count_down();
    leave.wait();
  });
  begun.wait();
  bool joined = false;
  {
    const HelperThreads::Job job(helpers, [&](unsigned) { joined = true; });
  }
  leave.count_down();
  EXPECT_FALSE(joined);
}

TEST(HelperThreads, ManyJobsFromManyThreads) {
  HelperThreads helpers(2);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        std::atomic<int> inside = 0;
        std::optional<HelperThreads::Job> job;
        job.emplace(helpers, [&](unsigned number) {
          ++inside;
          if (number < 1 || number > 2) ++wrong;
          --inside;
        });
        if (i % 3 == 0) std::this_thread::yield();
        job.reset();
        if (inside != 0) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(HelperThreads, NoneIsAllowed) {
  HelperThreads helpers(0);
  const HelperThreads::Job job(helpers, [](unsigned) { FAIL(); });
}

}  // namespace
}  // namespace forge
