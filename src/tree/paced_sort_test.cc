#include "tree/paced_sort.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/testing/seed.h"

namespace forge {
namespace {

TEST(PacedSort, SortsAnyNumber) {
  testing::Random random(testing::FirstSeed());
  const Deadline never;
  for (const std::size_t size : {0U, 1U, 2U, 4095U, 4096U, 4097U, 8192U, 12289U, 50'000U}) {
    std::vector<std::string> items;
    for (std::size_t i = 0; i < size; ++i) items.push_back(std::to_string(random.Below(size)));
    std::vector<std::string> expected = items;
    std::sort(expected.begin(), expected.end());
    Pace pace(never);
    EXPECT_TRUE(PacedSort(items, std::less<>(), pace));
    EXPECT_EQ(items, expected) << size;
  }
}

TEST(PacedSort, EndsWithTheTime) {
  std::vector<int> items(200'000, 1);
  const Deadline over = Deadline::After(0);
  Pace pace(over);
  EXPECT_FALSE(PacedSort(items, std::less<>(), pace));
  const Deadline never;
  const std::atomic<bool> stop = true;
  Pace stopped(never, &stop);
  EXPECT_FALSE(PacedSort(items, std::less<>(), stopped));
}

}  // namespace
}  // namespace forge
