#include "indexer/setup/throttle.h"

#include <gtest/gtest.h>

#include "tests/testing/fake_clocks.h"

namespace forge::indexer {
namespace {

using std::chrono::milliseconds;

TEST(Throttle, RestsInProportionToTheWork) {
  struct Case {
    ThrottleOptions options;
    int worked;
    int quiet;
    int rest;
  };
  const Case cases[] = {
      {{50, 10, 1000}, 100, 0, 100},                              // half of the time
      {{50, 10, 1000}, 2, 0, 10},                                 // at least throttle_ms
      {{25, 0, 0}, 10, 5000, 30},                                 // no boost configured
      {{50, 10, 1000}, 100, 1000, 0},                             // there was no search for long enough
      {{50, 10, 1000}, 100, 999, 100}, {{100, 0, 0}, 100, 0, 0},  // full speed
  };
  for (const Case& c : cases) {
    EXPECT_EQ(RestAfter(c.options, milliseconds(c.worked), milliseconds(c.quiet)), milliseconds(c.rest))
        << c.options.max_cpu_percent << " " << c.worked << " " << c.quiet;
  }
}

TEST(Throttle, DoesNotRestOnceStopped) {
  testing::FakeClocks clocks;
  Throttle throttle({1, 3'600'000, 0}, clocks);
  throttle.Stop();
  throttle.RestSince(clocks.Steady());  // an hour, if it were not stopped
  EXPECT_TRUE(throttle.stopped());
  EXPECT_TRUE(throttle.token().cancelled());
}

TEST(Throttle, DoesNotRestWhenThereWasNoSearchForLong) {
  testing::FakeClocks clocks;
  Throttle throttle({1, 3'600'000, 1000}, clocks);
  throttle.NoteSearch();
  const Clock::time_point began = clocks.Steady();
  clocks.Advance(milliseconds(1000));
  throttle.RestSince(began);  // an hour, if the search were not so long ago
  EXPECT_FALSE(throttle.stopped());
}

}  // namespace
}  // namespace forge::indexer
