#include "mcp/calls.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <latch>

#include "os/wait.h"

namespace forge::mcp {
namespace {

using Started = Calls::Started;
using namespace std::chrono_literals;

void UntilCancelled(const CancelToken& cancel) { os::WaitFor(10s, Deadline(Clock::time_point::max(), cancel)); }

TEST(Calls, ASlowCallDoesNotHoldUpAFastOne) {
  Calls calls;
  std::latch fast(1);
  std::atomic<bool> cancelled = false;
  ASSERT_EQ(calls.Start("slow", 0,
                        [&](const CancelToken& cancel) {
                          UntilCancelled(cancel);
                          cancelled = cancel.cancelled();
                        }),
            Started::kYes);
  ASSERT_EQ(calls.Start("fast", 0, [&](const CancelToken&) { fast.count_down(); }), Started::kYes);
  fast.wait();
  EXPECT_FALSE(calls.Drain(0ms));
  calls.Cancel("no such call");
  calls.Cancel("slow");
  EXPECT_TRUE(calls.Drain(10s));
  EXPECT_TRUE(cancelled);
}

TEST(Calls, WhatExceedsTheThreadsWaitsAndIsBoundedInNumberAndBytes) {
  Calls calls({.running = 1, .waiting = 2, .waiting_bytes = 10});
  std::latch running(1);
  std::atomic<int> done = 0;
  calls.Start("1", 0, [&](const CancelToken& cancel) {
    running.count_down();
    UntilCancelled(cancel);
  });
  running.wait();
  const auto count = [&](const CancelToken&) { ++done; };
  EXPECT_EQ(calls.Start("1", 0, count), Started::kKeyInUse);
  EXPECT_EQ(calls.Start("2", 11, count), Started::kTooMany);
  EXPECT_EQ(calls.Start("2", 10, count), Started::kYes);
  EXPECT_EQ(calls.Start("3", 1, count), Started::kTooMany);
  EXPECT_EQ(calls.Start("3", 0, count), Started::kYes);
  EXPECT_EQ(calls.Start("4", 0, count), Started::kTooMany);
  EXPECT_EQ(done, 0);
  calls.Cancel("1");
  EXPECT_TRUE(calls.Drain(10s));
  EXPECT_EQ(done, 2);
}

// A process may have 1,024 descriptors.
TEST(Calls, AThousandCallsAtOnceAreAnsweredInTurnAndHoldNoDescriptors) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  std::atomic<int> done = 0;
  CancelSource go;
  Calls calls({.running = 2});
  const auto before = descriptors();
  for (int i = 0; i < 1000; ++i) {
    const auto started = calls.Start(std::to_string(i), 100, [&](const CancelToken& cancel) {
      UntilCancelled(go.token());
      if (!cancel.cancelled()) ++done;
    });
    ASSERT_EQ(started, Calls::Started::kYes) << i;
  }
  EXPECT_LT(descriptors() - before, 10);
  calls.Cancel("999");  // it waits
  go.Cancel();
  EXPECT_TRUE(calls.Drain(10s));
  EXPECT_EQ(done, 999);
}

TEST(Calls, StoppingCancelsAllAndGivesEachItsTurn) {
  std::atomic<int> cancelled = 0;
  {
    Calls calls({.running = 2});
    for (int i = 0; i < 20; ++i) {
      calls.Start(std::to_string(i), 0, [&](const CancelToken& cancel) {
        UntilCancelled(cancel);
        if (cancel.cancelled()) ++cancelled;
      });
    }
  }
  EXPECT_EQ(cancelled, 20);
}

}  // namespace
}  // namespace forge::mcp
