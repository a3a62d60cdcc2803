#include "index/bloom/bloom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/xxhash64.h"

namespace forge::index {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> BitsOf(std::string_view ngram, const BloomShape& shape) {
  const NgramBits places(ngram, shape);
  std::vector<std::uint64_t> bits;
  for (std::uint32_t i = 0; i < shape.hashes; ++i) bits.push_back(places[i]);
  return bits;
}

TEST(Bloom, ItsSizeFollowsTheFormula) {
  const struct {
    std::uint64_t ngrams;
    double rate;
    std::uint64_t bits;
    std::uint32_t hashes;
  } cases[] = {
      {524'288, 0.01, 5'025'332, 7},  // the defaults: E9
      {512, 0.01, 4'908, 7},
      {5'242'880, 0.001, 75'379'967, 10},
      {16, 0.1, 77, 3},
      {8, 0.01, 77, 7},
      {1, 0.5, 2, 1},
      {0, 0.5, 2, 1},
  };
  for (const auto& c : cases) {
    const BloomShape shape = ShapeFor(c.ngrams, c.rate);
    EXPECT_EQ(shape.bits, c.bits) << c.ngrams;
    EXPECT_EQ(shape.hashes, c.hashes) << c.ngrams;
  }
  EXPECT_EQ(ShapeFor(BloomParams{}), ShapeFor(524'288, 0.01));
  EXPECT_EQ(ShapeFor(BloomParams{}).bytes(), 628'167U);
}

// The bytes come from another implementation of Appendix F.
TEST(T_LSI_BLOOM_01, AFixedSetOfNgramsHasThisBitset) {
  BloomFilter filter(ShapeFor(8, 0.01));
  for (const char* ngram : {"abc", "bcd", "né€"}) filter.Add(ngram);
  EXPECT_EQ(filter.bytes(), std::string("\x48\xA0\xD0\x08\x96\x02\x24\x00\x64\x00", 10));
  EXPECT_TRUE(filter.MayHave("abc") && filter.MayHave("bcd") && filter.MayHave("né€"));
  EXPECT_FALSE(filter.MayHave("xyz"));
}

TEST(T_LSI_BLOOM_01, TheSumOfHashesWraps) {  // E10
  EXPECT_THAT(BitsOf("abc", ShapeFor(BloomParams{})),
              ElementsAre(2'353'209, 3'851'388, 324'235, 1'822'414, 3'417'973, 4'916'152, 1'388'999));
}

TEST(T_LSI_BLOOM_03, TheHashIsXxHash64) {
  std::string hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(static_cast<char>(i));
  EXPECT_EQ(XxHash64("", 0), 0xEF46DB3751D8E999);
  EXPECT_EQ(XxHash64("abc", 0), 0x44BC2CF5AD770999);
  EXPECT_EQ(XxHash64("abc", kBloomSeed), 0x2ED0F59D6B43AC8B);
  EXPECT_EQ(XxHash64("é€😀", 0), 0x8353A2BB7B2BFB71);
  EXPECT_EQ(XxHash64(hundred, kBloomSeed), 0x3B97D91EBA03E785);
}

TEST(T_LSI_BLOOM_04, BitsAreWhereTheyAreCalculated) {
  const BloomShape shape = ShapeFor(BloomParams{});
  BloomFilter filter(shape);
  filter.Add("abc");
  ASSERT_EQ(filter.bytes().size(), 628'167U);
  std::string expected(628'167, '\0');
  for (const std::uint64_t bit : BitsOf("abc", shape)) {
    expected[bit / 8] = static_cast<char>(static_cast<unsigned char>(expected[bit / 8]) | 1U << bit % 8);
  }
  EXPECT_EQ(filter.bytes(), expected);
  EXPECT_EQ(filter.bytes()[2'353'209 / 8], '\x02');  // bit 1 of its byte: the lowest is bit 0
}

TEST(T_LSI_BLOOM_04, BitsBeyondTheLastStayZero) {
  const BloomShape shape = ShapeFor(8, 0.01);
  ASSERT_EQ(shape.bits % 8, 5U);
  BloomFilter filter(shape);
  for (char a = 'a'; a <= 'z'; ++a) filter.Add(std::string(3, a));
  EXPECT_EQ(static_cast<unsigned char>(filter.bytes().back()) & 0xE0, 0);
}

}  // namespace
}  // namespace forge::index
