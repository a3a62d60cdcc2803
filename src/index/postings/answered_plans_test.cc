#include "index/postings/answered_plans.h"

#include <gtest/gtest.h>

#include <string>

namespace forge::index {
namespace {

NgramPlan PlanOf(int number) { return PlanForLiteral("word" + std::to_string(number)); }

DocSet AnswerOf(int number) {
  DocSet docs(100);
  docs.Add(static_cast<std::uint32_t>(number));
  return docs;
}

// The number of the answer, or of one that is not there.
std::uint32_t Found(const AnsweredPlans& plans, const NgramPlan& plan) {
  const auto answer = plans.Find(plan);
  return answer ? answer->Next(0) : 1000;
}

TEST(AnsweredPlans, AnAnswerIsOfItsPlanAndOfNoOther) {
  AnsweredPlans plans;
  EXPECT_FALSE(plans.Find(PlanOf(1)));
  plans.Keep(PlanOf(1), AnswerOf(1));
  plans.Keep(PlanOf(2), AnswerOf(2));
  EXPECT_EQ(Found(plans, PlanOf(1)), 1U);
  EXPECT_EQ(Found(plans, PlanOf(2)), 2U);
  EXPECT_FALSE(plans.Find(PlanOf(3)));
  EXPECT_FALSE(plans.Find({}));
  NgramPlan either = PlanOf(1);
  either.kind = NgramPlan::Kind::kOr;
  EXPECT_FALSE(plans.Find(either)) << "the same grams, but one is enough";
  NgramPlan fewer = PlanOf(1);
  fewer.parts.pop_back();
  EXPECT_FALSE(plans.Find(fewer));
}

TEST(AnsweredPlans, SetsOfCharactersAreAPartOfThePlan) {
  const auto sets = [](char member) {
    ByteSet set;
    set.Add(static_cast<unsigned char>(member));
    return NgramPlan{NgramPlan::Kind::kSets, "", {}, {set, set, set}};
  };
  AnsweredPlans plans;
  plans.Keep(sets('a'), AnswerOf(1));
  EXPECT_EQ(Found(plans, sets('a')), 1U);
  EXPECT_FALSE(plans.Find(sets('b')));
}

TEST(AnsweredPlans, TheOldestGivesWay) {
  constexpr int kMost = AnsweredPlans::kMost;
  AnsweredPlans plans;
  for (int number = 0; number < 3 * kMost; ++number) {
    plans.Keep(PlanOf(number), AnswerOf(number));
    for (int kept = 0; kept <= number; ++kept) {
      const bool lately = kept > number - kMost;
      EXPECT_EQ(Found(plans, PlanOf(kept)), lately ? static_cast<std::uint32_t>(kept) : 1000U) << number;
    }
  }
}

}  // namespace
}  // namespace forge::index
