#include "search/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Rung kRungs[] = {Rung::kLines, Rung::kClipped, Rung::kNumbers, Rung::kCounts, Rung::kSummary};

Event Match(std::string path, std::uint64_t line, std::string text) {
  return {Event::Type::kMatch, std::move(path), line, 1, std::move(text), "x"};
}

// Three files of two matches each, with lines of 200 bytes.
std::vector<Event> ThreeFiles() {
  std::vector<Event> events;
  for (const char* path : {"src/a.c", "src/b.c", "test/c.c"}) {
    for (const std::uint64_t line : {1007U, 1009U}) events.push_back(Match(path, line, std::string(200, 'x')));
  }
  return events;
}

struct Step {
  std::size_t room;
  std::string rungs;  // files on kLines, kClipped, kNumbers, kCounts, kSummary
};

std::string Print(const Listing& listing) {
  std::string out;
  for (const Rung rung : kRungs) out += std::to_string(listing.On(rung));
  return out;
}

TEST(Ladder, EachFileTakesTheHighestRungThatLeavesRoomForTheOthers) {
  const Step steps[] = {
      {2000, "30000"}, {1200, "21000"}, {1000, "12000"}, {900, "03000"}, {700, "02100"}, {400, "01200"},
      {130, "00300"},  {70, "00120"},   {62, "00030"},   {60, "00003"},  {0, "00003"},
  };
  for (const Step& step : steps) {
    const Listing listing = ListEvents(ThreeFiles(), false, step.room);
    EXPECT_EQ(Print(listing), step.rungs) << step.room << ":\n" << listing.text;
    EXPECT_LE(listing.text.size(), step.room);
  }
}

TEST(Ladder, LooksLikeThisOnEachRung) {
  EXPECT_EQ(ListEvents(ThreeFiles(), false, 130).text,
            "src/a.c: lines 1007, 1009\nsrc/b.c: lines 1007, 1009\ntest/c.c: lines 1007, 1009\n\n");
  EXPECT_EQ(ListEvents(ThreeFiles(), false, 62).text,
            "src/a.c: 2 matches\nsrc/b.c: 2 matches\ntest/c.c: 2 matches\n\n");
  EXPECT_EQ(ListEvents(ThreeFiles(), false, 60).text, "src/: 4 matches in 2 files\ntest/: 2 matches in 1 file\n");
  const Listing cut = ListEvents(ThreeFiles(), false, 40);
  EXPECT_EQ(cut.text, "src/: 4 matches in 2 files\n");
  EXPECT_EQ(cut.unnamed_files, 1U);
}

TEST(Ladder, EveryFileIsNamedBeforeAnyIsShownInDetail) {
  std::vector<Event> events;
  for (int i = 0; i < 200; ++i) events.push_back(Match("file" + std::to_string(i), 1, std::string(300, 'y')));
  for (std::size_t room = 4000; room < 70'000; room += 777) {
    const Listing listing = ListEvents(events, false, room);
    EXPECT_LE(listing.text.size(), room);
    EXPECT_EQ(listing.On(Rung::kSummary), 0U);
    for (int i = 0; i < 200; ++i) EXPECT_THAT(listing.text, HasSubstr("file" + std::to_string(i)));
  }
}

TEST(Ladder, OneFileWithTooManyMatchesShowsItsFirst) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 5000; ++i) events.push_back(Match("a", i, std::string(60, 'z')));
  const Listing listing = ListEvents(events, false, 10'000);
  EXPECT_THAT(listing.text, StartsWith("a\n1:1:zzz"));
  EXPECT_THAT(listing.text, HasSubstr("\n100:1:zzz"));
  EXPECT_THAT(listing.text, HasSubstr(" more matches\n"));
  EXPECT_LE(listing.text.size(), 10'000U);
}

TEST(Ladder, NothingGivesNothing) { EXPECT_EQ(ListEvents({}, false, 100).text, ""); }

}  // namespace
}  // namespace forge
