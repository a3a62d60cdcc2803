#include "base/bits.h"

#include <gtest/gtest.h>

#include <bit>

namespace forge {
namespace {

TEST(CountBits, EqualsPopcount) {
  for (std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63U}) {
    EXPECT_EQ(CountBits(word), static_cast<std::uint32_t>(std::popcount(word)));
  }
  std::uint64_t word = 1;
  for (int i = 0; i < 100'000; ++i, word = word * 6364136223846793005U + 1442695040888963407U) {
    ASSERT_EQ(CountBits(word), static_cast<std::uint32_t>(std::popcount(word))) << word;
  }
}

}  // namespace
}  // namespace forge
