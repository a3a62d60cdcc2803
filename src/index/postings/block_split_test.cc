#include "index/postings/block_split.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "index/format/damage.h"
#include "index/postings/block_table.h"

namespace forge::index {
namespace {

std::vector<Block> Split(const std::string& text) {
  std::vector<Block> blocks;
  SplitIntoBlocks(text, blocks);
  return blocks;
}

std::string Lines(std::size_t count, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += std::string(size - 1, 'x') + '\n';
  return out;
}

std::vector<std::string> Texts() {
  return {"",
          "x",
          "\n",
          Lines(1000, 70),
          Lines(100'000, 1),
          Lines(1, 100'000),
          Lines(3, 20'000) + Lines(500, 80),
          Lines(2000, 33) + "no line feed",
          Lines(1, 16'384) + "z",
          Lines(1, 16'385) + "z",
          Lines(1, 16'386) + Lines(1000, 40),
          Lines(2, 100'000) + "a last line"};
}

TEST(BlockSplit, CoversTheTextWithWholeLines) {
  for (const std::string& text : Texts()) {
    std::uint64_t offset = 0;
    for (const Block& block : Split(text)) {
      EXPECT_EQ(block.offset, offset);
      EXPECT_GT(block.size, 0U);
      EXPECT_TRUE(offset == 0 || text[offset - 1] == '\n');
      EXPECT_EQ(block.first_line, 1U + static_cast<std::uint64_t>(std::count(
                                           text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n')));
      offset += block.size;
    }
    EXPECT_EQ(offset, text.size());
    EXPECT_LE(Split(text).size(), MostBlocks(text.size()));
  }
}

TEST(BlockSplit, OnlyLongLinesMakeLongBlocks) {
  for (const Block& block : Split(Lines(5000, 70))) EXPECT_LE(block.size, kBlockSize * 3 / 2);
  EXPECT_EQ(Split(Lines(1, 100'000)).size(), 1U);
  EXPECT_TRUE(Split("").empty());
}

TEST(BlockTable, RoundTrips) {
  std::vector<Block> blocks;
  for (const std::string& text : Texts()) SplitIntoBlocks(text, blocks);
  std::string bytes;
  AppendBlockTable(blocks, bytes);
  const auto count = static_cast<std::uint32_t>(blocks.size());
  const auto read = ReadBlockTable(bytes, count);
  ASSERT_TRUE(read.ok());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ((*read)[i].offset, blocks[i].offset);
    EXPECT_EQ((*read)[i].size, blocks[i].size);
    EXPECT_EQ((*read)[i].first_line, blocks[i].first_line);
  }
  EXPECT_FALSE(ReadBlockTable(bytes, count + 1).ok());
  EXPECT_FALSE(ReadBlockTable(bytes, count - 1).ok());
  EXPECT_EQ(ReadBlockTable("\x03", 1).error().code, ErrorCode::kDamaged);
}

}  // namespace
}  // namespace forge::index
