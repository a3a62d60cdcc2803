#include "base/text_room.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace forge {
namespace {

TEST(TextRoomTest, WhatWasReservedTogetherLiesSideBySide) {
  TextRoom room;
  room.Reserve(9);
  const SharedText first = room.Copy("first");
  const SharedText next = room.Copy("next");
  EXPECT_EQ(next.data(), first.data() + first.size());
  EXPECT_EQ(first, "first");
  EXPECT_EQ(next, "next");
}

TEST(TextRoomTest, WhatDoesNotFitGetsMemoryOfItsOwn) {
  TextRoom room;
  EXPECT_EQ(room.Copy("abc"), "abc");
  room.Reserve(3);
  EXPECT_EQ(room.Copy("abcd"), "abcd");
  const SharedText text = room.Copy("abc");
  EXPECT_NE(room.Copy("x").data(), text.data() + 3);
  EXPECT_EQ(text, "abc");
}

TEST(TextRoomTest, TextsStayWhenTheRoomGetsANewPieceOrIsGone) {
  std::vector<SharedText> texts;
  {
    TextRoom room;
    for (std::size_t i = 0; i < 3000; ++i) {
      const std::string text = "text " + std::to_string(i * i);
      texts.push_back(room.Add(text));
    }
  }
  for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(texts[i], "text " + std::to_string(i * i));
}

// How often a text lies behind the one before it: pieces grow, and what is left of one is used.
TEST(TextRoomTest, ManySmallTextsTakeFewPieces) {
  TextRoom room;
  const char* end = nullptr;
  int pieces = 0;
  for (int i = 0; i < 10'000; ++i) {
    const SharedText text = room.Add("0123456789");
    pieces += text.data() != end;
    end = text.data() + text.size();
  }
  EXPECT_LE(pieces, 20);
  EXPECT_GE(pieces, 2);
}

TEST(TextRoomTest, AnEmptyTextNeedsNoRoom) {
  TextRoom room;
  room.Reserve(0);
  EXPECT_EQ(room.Copy(""), "");
}

}  // namespace
}  // namespace forge
