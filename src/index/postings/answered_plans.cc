#include "index/postings/answered_plans.h"

#include <algorithm>
#include <new>
#include <utility>

namespace forge::index {

std::optional<DocSet> AnsweredPlans::Find(const NgramPlan& plan) const {
  const Lock lock(mutex_);
  const auto found =
      std::find_if(answers_.begin(), answers_.end(), [&](const Answered& answered) { return answered.plan == plan; });
  if (found == answers_.end()) return std::nullopt;
  return found->answer;
}

void AnsweredPlans::Keep(const NgramPlan& plan, const DocSet& answer) {
  try {
    Answered newest{plan, answer};
    const Lock lock(mutex_);
    if (answers_.size() < kMost) {
      answers_.push_back(std::move(newest));
      return;
    }
    std::swap(answers_[oldest_], newest);
    oldest_ = (oldest_ + 1) % kMost;
  } catch (const std::bad_alloc&) {
    return;  // then it is found again
  }
}

}  // namespace forge::index
