#include "tests/model/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace forge::testing {
namespace {

using Steps = std::vector<int>;

bool Has(const Steps& steps, int step) { return std::find(steps.begin(), steps.end(), step) != steps.end(); }

TEST(Shrink, LeavesWhatTheFailureNeeds) {
  Steps steps(100);
  std::iota(steps.begin(), steps.end(), 0);
  const std::function<bool(const Steps&)> fails = [](const Steps& some) { return Has(some, 7) && Has(some, 93); };
  EXPECT_THAT(Shrink(steps, fails, 1000), ::testing::ElementsAre(7, 93));
}

TEST(Shrink, LeavesAllIfNothingCanGo) {
  const std::function<bool(const Steps&)> fails = [](const Steps& some) { return some.size() == 5; };
  EXPECT_EQ(Shrink(Steps{1, 2, 3, 4, 5}, fails, 1000).size(), 5U);
}

TEST(Shrink, AsksNoMoreThanItMay) {
  std::size_t asked = 0;
  const std::function<bool(const Steps&)> fails = [&](const Steps& some) { return ++asked > 0 && Has(some, 50); };
  Steps steps(100);
  std::iota(steps.begin(), steps.end(), 0);
  EXPECT_TRUE(Has(Shrink(steps, fails, 20), 50));
  EXPECT_LE(asked, 20U);
}

}  // namespace
}  // namespace forge::testing
