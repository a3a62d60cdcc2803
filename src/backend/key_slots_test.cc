#include "backend/key_slots.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/testing/seed.h"

namespace forge {
namespace {

TEST(KeySlots, DoesWhatAMapDoes) {
  const std::uint64_t first = testing::FirstSeed();
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(50); ++seed) {
    testing::Random random(seed);
    // Few homes, so that slots run into each other; 0 and 1 are the same key.
    const std::uint64_t homes = 1 + random.Below(40);
    std::map<std::uint64_t, int> model;
    KeySlots<int> slots;
    for (int step = 0; step < 2000; ++step) {
      const std::uint64_t key = 1 + random.Below(homes) * 256 + random.Below(4);
      int* const found = slots.Find(key);
      ASSERT_EQ(found != nullptr, model.contains(key)) << "seed " << seed << ", step " << step;
      if (found == nullptr) {
        slots.Insert(key, step);
        model[key] = step;
      } else {
        ASSERT_EQ(*found, model[key]) << "seed " << seed << ", step " << step;
        if (!random.OneIn(4)) continue;
        slots.Erase(key);
        model.erase(key);
      }
      ASSERT_EQ(slots.size(), model.size());
    }
  }
}

TEST(KeySlots, TakesZeroForOne) {
  KeySlots<int> slots;
  EXPECT_EQ(slots.Find(0), nullptr);
  slots.Insert(0, 7);
  ASSERT_NE(slots.Find(1), nullptr);
  EXPECT_EQ(*slots.Find(0), 7);
  slots.Erase(0);
  EXPECT_EQ(slots.Find(1), nullptr);
}

}  // namespace
}  // namespace forge
