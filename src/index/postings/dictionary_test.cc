#include "index/postings/dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "index/grams/trigram.h"
#include "tests/testing/seed.h"

namespace forge::index {
namespace {

using forge::testing::FirstSeed;
using forge::testing::Random;

constexpr std::uint32_t kDocs = 10;

// Each trigram in one document.
Dictionary Make(const std::set<std::uint32_t>& keys) {
  DictionaryWriter writer(kDocs);
  std::string postings;
  for (const std::uint32_t key : keys) writer.Add(key, std::string(1, static_cast<char>(key % kDocs)), postings);
  auto read = Dictionary::Read(writer.bytes(), writer.keys(), kDocs, postings.size());
  EXPECT_TRUE(read.ok());
  return *std::move(read);
}

// Few first bytes, so that some have a table of second bytes and some have none.
std::set<std::uint32_t> MakeKeys(Random& random) {
  std::set<std::uint32_t> keys;
  for (const std::uint32_t first : {0U, 1U, 97U, 254U, 255U}) {
    const std::size_t seconds = 1 + random.Below(256);
    for (std::size_t n = random.Below(random.OneIn(3) ? 20 : 2000); n > 0; --n) {
      const auto second = static_cast<std::uint32_t>(random.OneIn(20) ? 255 : random.Below(seconds));
      keys.insert(first << 16U | second << 8U | static_cast<std::uint32_t>(random.Below(256)));
    }
  }
  return keys;
}

std::string GramOf(std::uint32_t key) {
  return {static_cast<char>(key >> 16U), static_cast<char>(key >> 8U), static_cast<char>(key)};
}

// What a search through all keys finds.
Dictionary::Range Expected(const std::set<std::uint32_t>& keys, const std::string& gram) {
  if (gram.find('\n') != std::string::npos) return {};
  std::string folded = gram;
  std::transform(folded.begin(), folded.end(), folded.begin(), FoldByte);
  Dictionary::Range range;
  std::uint32_t at = 0;
  for (const std::uint32_t key : keys) {
    if (GramOf(key).starts_with(folded)) {
      if (range.empty()) range.first = at;
      range.end = at + 1;
    }
    ++at;
  }
  return range;
}

TEST(Dictionary, FindsWhatASearchThroughAllKeysFinds) {
  const std::uint64_t seed = FirstSeed();
  for (std::uint64_t number = seed; number < seed + 5; ++number) {
    SCOPED_TRACE("seed " + std::to_string(number));
    Random random(number);
    const std::set<std::uint32_t> keys = MakeKeys(random);
    const Dictionary dictionary = Make(keys);
    const std::vector<std::uint32_t> all(keys.begin(), keys.end());
    for (int i = 0; i < 300; ++i) {
      std::string gram = GramOf(static_cast<std::uint32_t>(random.Below(kTrigrams)));
      if (!all.empty() && random.OneIn(2)) gram = GramOf(random.Pick(all));
      if (random.OneIn(3)) gram.back() = static_cast<char>(gram.back() + 1);
      if (random.OneIn(3)) gram.pop_back();
      const Dictionary::Range found = dictionary.Find(gram);
      const Dictionary::Range expected = Expected(keys, gram);
      ASSERT_EQ(found.empty(), expected.empty()) << ::testing::PrintToString(gram);
      if (expected.empty()) continue;
      ASSERT_EQ(found.first, expected.first) << ::testing::PrintToString(gram);
      ASSERT_EQ(found.end, expected.end) << ::testing::PrintToString(gram);
    }
  }
}

TEST(Dictionary, FindsSeveralGramsAsItFindsEach) {
  Random random(FirstSeed());
  for (int round = 0; round < 20; ++round) {
    const std::set<std::uint32_t> keys = round == 0 ? std::set<std::uint32_t>() : MakeKeys(random);
    const Dictionary dictionary = Make(keys);
    const std::vector<std::uint32_t> all(keys.begin(), keys.end());
    std::vector<std::string> grams;
    for (std::size_t n = random.Below(40); n > 0; --n) {
      const bool absent = all.empty() || random.OneIn(3);
      grams.push_back(GramOf(absent ? static_cast<std::uint32_t>(random.Below(kTrigrams)) : random.Pick(all)));
      if (random.OneIn(3)) grams.back().pop_back();
    }
    const std::vector<Dictionary::Range> found = dictionary.FindAll({grams.begin(), grams.end()});
    ASSERT_EQ(found.size(), grams.size());
    for (std::size_t i = 0; i < grams.size(); ++i) {
      const Dictionary::Range alone = dictionary.Find(grams[i]);
      EXPECT_EQ(found[i].first, alone.first) << ::testing::PrintToString(grams[i]);
      EXPECT_EQ(found[i].end, alone.end) << ::testing::PrintToString(grams[i]);
    }
  }
}

TEST(Dictionary, GoesOverTheKeysOfSets) {
  const std::uint64_t seed = FirstSeed();
  for (std::uint64_t number = seed; number < seed + 20; ++number) {
    SCOPED_TRACE("seed " + std::to_string(number));
    Random random(number);
    const std::set<std::uint32_t> keys = MakeKeys(random);
    const Dictionary dictionary = Make(keys);
    std::vector<ByteSet> sets(3);
    for (ByteSet& set : sets) {
      const auto first = static_cast<unsigned char>(random.Below(256));
      set.AddRange(first, static_cast<unsigned char>(first + random.Below(256U - first)));
      for (std::size_t n = random.Below(6); n > 0; --n) set.Add(static_cast<unsigned char>(random.Below(256)));
    }
    if (random.OneIn(2)) sets[0].AddRange(0, 97);
    std::vector<std::uint32_t> expected;
    std::uint32_t at = 0;
    for (const std::uint32_t key : keys) {
      const auto has = [&](std::size_t i, std::uint32_t shift) {
        return sets[i].Has(static_cast<std::uint8_t>(key >> shift));
      };
      if (has(0, 16) && has(1, 8) && has(2, 0)) expected.push_back(at);
      ++at;
    }
    std::vector<std::uint32_t> found;
    dictionary.ForEach(sets, [&](std::uint32_t i) { return found.push_back(i), true; });
    EXPECT_EQ(found, expected);
    found.clear();
    dictionary.ForEach(sets, [&](std::uint32_t i) { return found.push_back(i), found.size() < 3; });
    expected.resize(std::min<std::size_t>(expected.size(), 3));
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace forge::index
