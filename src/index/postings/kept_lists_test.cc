#include "index/postings/kept_lists.h"

#include <gtest/gtest.h>

namespace forge::index {
namespace {

std::string Found(const KeptLists& lists, std::uint64_t place, std::size_t size) {
  std::string out = "what was there before";
  return lists.Find(place, size, out) ? out : "nothing";
}

TEST(KeptLists, AListIsFoundByItsPlaceAndItsSize) {
  KeptLists lists;
  EXPECT_EQ(Found(lists, 7, 3), "nothing");
  lists.Keep(7, "abc");
  EXPECT_EQ(Found(lists, 7, 3), "abc");
  EXPECT_EQ(Found(lists, 7, 2), "nothing");
  EXPECT_EQ(Found(lists, 8, 3), "nothing");
  lists.Keep(7, "of another size");
  EXPECT_EQ(Found(lists, 7, 15), "of another size");
  EXPECT_EQ(Found(lists, 7, 3), "nothing");
}

TEST(KeptLists, TheFirstPlaceIsOneLikeOthers) {
  KeptLists lists;
  lists.Keep(1, "x");
  EXPECT_EQ(Found(lists, 0, 0), "nothing");
  EXPECT_EQ(Found(lists, 0, 1), "nothing");
  lists.Keep(0, "y");
  EXPECT_EQ(Found(lists, 0, 1), "y");
}

// Whatever comes and goes, what is found is what was kept last for that place.
TEST(KeptLists, AListNeverComesFromAnotherPlace) {
  KeptLists lists;
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t place = i * i % 1009;
    const std::string found = Found(lists, place, 4);
    if (found != "nothing") {
      ++hits;
      ASSERT_EQ(found, std::to_string(1000 + place)) << i;
    }
    lists.Keep(place, std::to_string(1000 + place));
  }
  EXPECT_GT(hits, 0U);
}

TEST(KeptLists, MemoryIsBounded) {
  KeptLists lists;
  EXPECT_EQ(lists.memory(), 0U);
  lists.Keep(1, std::string(KeptLists::kMostBytes + 1, 'x'));
  EXPECT_EQ(lists.memory(), 0U) << "a list that is too long";
  for (std::uint64_t place = 0; place < 10'000; ++place) lists.Keep(place, std::string(KeptLists::kMostBytes, 'x'));
  EXPECT_GT(lists.memory(), KeptLists::kSlots / 2 * KeptLists::kMostBytes);
  EXPECT_LT(lists.memory(), KeptLists::kSlots * (KeptLists::kMostBytes + 100));
  for (std::uint64_t place = 0; place < 10'000; ++place) lists.Keep(place, "short");
  EXPECT_LT(lists.memory(), KeptLists::kSlots * 100);
}

}  // namespace
}  // namespace forge::index
