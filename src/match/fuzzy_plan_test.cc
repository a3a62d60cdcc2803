// What the index may leave out of a fuzzy search: no line that would match.
#include <gtest/gtest.h>

#include "match/fuzzy.h"
#include "pattern/ngram_plan.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using testing::FirstSeed;
using testing::Random;

std::string MakeText(Random& random, std::size_t most) {
  static const std::vector<std::string> kParts = {"a", "b",      "ab",      "K",      "k",    "s", "_",
                                                  " ", "\u00E9", "e\u0301", "\u4E2D", "\xFF", "X"};
  std::string text;
  for (std::size_t n = 1 + random.Below(most); n > 0; --n) text += random.Pick(kParts);
  return text;
}

// A few edits of whole characters and of bytes.
std::string Mistype(Random& random, std::string text) {
  for (std::size_t n = random.Below(5); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.Below(text.size());
    switch (random.Below(3)) {
      case 0: text.erase(at, 1); break;
      case 1: text.insert(at, MakeText(random, 1)); break;
      default: text.replace(at, 1, MakeText(random, 1));
    }
  }
  return text;
}

TEST(FuzzyPlan, HoldsForEveryLineThatMatches) {
  const std::uint64_t seed = FirstSeed();
  std::uint64_t matched = 0;
  std::uint64_t constrained = 0;
  for (std::uint64_t number = seed; number < seed + 4000; ++number) {
    Random random(number);
    const std::string text = MakeText(random, 14);
    const int level = static_cast<int>(1 + random.Below(4));
    const bool fold = random.OneIn(2);
    const FuzzyPattern pattern(text, level, fold, random.OneIn(4));
    const NgramPlan plan = PlanForFuzzy(text, level);
    FuzzyMatcher matcher(pattern);
    constrained += plan.kind != NgramPlan::Kind::kAll ? 1U : 0U;
    for (int i = 0; i < 5; ++i) {
      const std::string line =
          (random.OneIn(2) ? MakeText(random, 5) : "") + Mistype(random, text) + (random.OneIn(2) ? " x" : "");
      if (matcher.Match(line).status != MatchStatus::kMatch) continue;
      ++matched;
      ASSERT_TRUE(Holds(plan, line)) << "seed " << number << ": " << ::testing::PrintToString(text) << " level "
                                     << level << " on " << ::testing::PrintToString(line) << " plan " << ToString(plan);
    }
  }
  EXPECT_GT(matched, 2000U);
  EXPECT_GT(constrained, 1000U);
}

}  // namespace
}  // namespace forge
