#include "match/count_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/testing/seed.h"

namespace forge {
namespace {

// Lengths around the blocks of every instruction set, and one in which a byte of the
// counters would overflow if it were not summed up in time.
TEST(CountLineFeeds, EqualsANaiveCount) {
  testing::Random random(testing::FirstSeed());
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 15, 16, 17, 31, 32, 33, 255, 4096, 32 * 256 + 5, 100000}) {
    for (const std::size_t rare : std::initializer_list<std::size_t>{1, 2, 40}) {
      std::string text;
      while (text.size() < size) text += random.OneIn(rare) ? '\n' : static_cast<char>(random.Below(256));
      EXPECT_EQ(CountLineFeeds(text), static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'))) << size;
    }
  }
}

}  // namespace
}  // namespace forge
