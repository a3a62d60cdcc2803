#include "index/grams/trigram_extractor.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <string>

#include "index/grams/inverter.h"

namespace forge::index {
namespace {

// What the header says, in the simplest code.
std::set<std::uint32_t> Naive(std::string text) {
  for (char& c : text) c = FoldByte(c);
  text += '\n';
  std::set<std::uint32_t> keys;
  for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
    if (text[i] == '\n' || text[i + 1] == '\n') continue;
    keys.insert(TrigramKey(static_cast<std::uint8_t>(text[i]), static_cast<std::uint8_t>(text[i + 1]),
                           static_cast<std::uint8_t>(text[i + 2])));
  }
  return keys;
}

// Keys with their documents as gaps, made by the inverter.
using Lists = std::vector<std::pair<std::uint32_t, std::string>>;
Lists Drain(Inverter& inverter) {
  Lists out;
  inverter.Drain([&out](std::uint32_t key, std::string_view gaps) { out.emplace_back(key, gaps); });
  return out;
}

std::string GenText() {
  const auto common = rc::gen::element('a', 'A', 'b', 'Z', '_', '\n', ' ', '0');
  const auto any = rc::gen::arbitrary<char>();
  return *rc::gen::scale(3, rc::gen::container<std::string>(rc::gen::weightedOneOf<char>({{6, common}, {1, any}})));
}

TEST(TrigramExtractorProperty, FindsWhatANaiveLoopFinds) {
  TrigramExtractor extractor;  // one for all texts: what it remembers must not change the result
  EXPECT_TRUE(rc::check([&extractor] {
    const std::string text = GenText();
    Inverter inverter;
    const auto spots = extractor.Extract(text);
    RC_ASSERT(std::set<std::uint32_t>(spots.begin(), spots.end()).size() == spots.size());
    inverter.Add(0, spots);
    std::set<std::uint32_t> keys;
    for (const auto& [key, gaps] : Drain(inverter)) keys.insert(key);
    RC_ASSERT(keys == Naive(text));
  }));
}

TEST(TrigramExtractor, AtTheEdgesOfItsSteps) {
  TrigramExtractor extractor;
  for (std::size_t size = 0; size < 200; ++size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * 7 + size);
    Inverter inverter;
    inverter.Add(0, extractor.Extract(text));
    std::set<std::uint32_t> keys;
    for (const auto& [key, gaps] : Drain(inverter)) keys.insert(key);
    EXPECT_EQ(keys, Naive(text)) << size;
  }
}

TEST(Inverter, KeepsListsOfEveryLengthAndGap) {
  Inverter inverter;
  std::vector<std::string> expected(9);
  std::vector<std::uint32_t> next(9);
  for (std::uint32_t doc = 0; doc < 65'536; ++doc) {
    std::vector<std::uint32_t> spots;
    for (std::uint32_t i = 0; i < 9; ++i) {
      const std::uint32_t every = i == 8 ? 65'535 : 1U << (2 * i);  // 1, 4, ... 16384, 65535
      if (doc % every != 0) continue;
      spots.push_back(kHotSpots + (0x8080U + i));
      std::uint32_t gap = doc - next[i];
      for (; gap >= 0x80; gap >>= 7U) expected[i] += static_cast<char>(gap | 0x80U);
      expected[i] += static_cast<char>(gap);
      next[i] = doc + 1;
    }
    inverter.Add(doc, spots);
  }
  const Lists lists = Drain(inverter);
  ASSERT_EQ(lists.size(), 9U);
  for (std::uint32_t i = 0; i < 9; ++i) {
    EXPECT_EQ(lists[i].first, 0x8080U + i);
    EXPECT_EQ(lists[i].second, expected[i]) << i;
  }
  EXPECT_TRUE(Drain(inverter).empty());
}

}  // namespace
}  // namespace forge::index
