#include "live/grid.h"

#include <gtest/gtest.h>

namespace forge::live {
namespace {

TEST(LiveGrid, ClipsAtTheEndOfTheSpan) {
  Grid grid({10, 2});
  EXPECT_EQ(grid.Write({0, 2, 6}, "abcdefgh", Style::kPlain), 6U);
  EXPECT_EQ(grid.Text(0), "  abcd");
  EXPECT_EQ(grid.Write({5, 0, 6}, "outside", Style::kPlain), 0U) << "no such row";
}

TEST(LiveGrid, WideCharactersTakeTwoCellsAndMarksNone) {
  Grid grid({6, 1});
  EXPECT_EQ(grid.Write({0, 0, 6}, "漢e\u0301字", Style::kPlain), 5U);
  EXPECT_EQ(grid.Text(0), "漢e字");
  EXPECT_EQ(grid.at(0, 1).character, 0U);
  EXPECT_EQ(grid.Write({0, 5, 6}, "漢", Style::kPlain), 5U) << "half a character is none";
}

TEST(LiveGrid, TabsMatchesAndBytesThatAreNotUtf8) {
  Grid grid({20, 1});
  grid.Write({0, 1, 20}, "a\tneedle\xff", Style::kPlain, {{2, 8}});
  EXPECT_EQ(grid.Text(0), " a   needle\uFFFD");
  EXPECT_EQ(grid.at(0, 4).style, Style::kPlain);
  EXPECT_EQ(grid.at(0, 5).style, Style::kMatch);
  EXPECT_EQ(grid.at(0, 10).style, Style::kMatch);
  EXPECT_EQ(grid.at(0, 11).style, Style::kPlain);
  EXPECT_EQ(Width("a\tb"), 5U);
}

}  // namespace
}  // namespace forge::live
