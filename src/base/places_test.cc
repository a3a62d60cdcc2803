#include "forge/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace forge {
namespace {

using ::testing::ElementsAre;

std::vector<Place> Listed(const Places& places) { return {places.begin(), places.end()}; }

TEST(PlacesTest, AreReadAsTheyWereAdded) {
  Places places;
  EXPECT_TRUE(places.empty());
  EXPECT_EQ(places.begin(), places.end());
  places.Add(0, 0);
  places.Add(2, 5);
  places.Add(5, 400);
  places.Add(UINT64_MAX - 1, UINT64_MAX);
  EXPECT_EQ(places.size(), 4U);
  EXPECT_EQ(places.front(), (Place{0, 0}));
  EXPECT_THAT(Listed(places), ElementsAre(Place{0, 0}, Place{2, 5}, Place{5, 400}, Place{UINT64_MAX - 1, UINT64_MAX}));
  EXPECT_EQ(places, (Places{{0, 0}, {2, 5}, {5, 400}, {UINT64_MAX - 1, UINT64_MAX}}));
  EXPECT_NE(places, (Places{{0, 0}, {2, 5}, {5, 400}}));
}

TEST(PlacesTest, HaveTheirReplacements) {
  Places places;
  places.Add(1, 2, "one");
  places.Add(2, 4, "");
  places.Add(4, 4, "three");
  EXPECT_THAT(Listed(places), ElementsAre(Place{1, 2, "one"}, Place{2, 4, ""}, Place{4, 4, "three"}));
}

// A line of matches costs about two bytes a match.
TEST(PlacesTest, TakeLittleMemory) {
  Places places;
  for (std::uint64_t i = 0; i < 100'000; ++i) places.Add(i, i + 1);
  EXPECT_LE(places.bytes(), 200'000U);
}

// What the wire brings may be anything: reading it ends, and stays inside.
TEST(PlacesTest, OfNonsenseCanBeRead) {
  Places places;
  std::get<0>(Places::Members(places)) = std::make_unique<Places::Kept>(
      Places::Kept{"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x05\x80", "text", 0, 0, true});
  const std::vector<Place> read = Listed(places);
  EXPECT_LE(read.size(), 13U);
  for (const Place& place : read) EXPECT_LE(place.replacement.size(), 4U);
}

}  // namespace
}  // namespace forge
