#include "search/pass.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

using std::chrono::microseconds;

TEST(Stats, AreDroppedUnlessAskedFor) {
  SearchResponse response;
  response.stats.emplace();
  FinishStats(false, microseconds(1), response);
  EXPECT_FALSE(response.stats.has_value());
}

TEST(Stats, HaveTheTimeOfTheWholeSearch) {
  SearchResponse response;
  FinishStats(true, microseconds(2999), response);
  EXPECT_EQ(response.stats->elapsed, std::chrono::milliseconds(2));
}

TEST(Stats, WithoutAnIndexSayThatItIsDisabled) {
  SearchResponse response;
  FinishStats(true, microseconds(0), response);
  ASSERT_TRUE(response.stats);
  EXPECT_EQ(response.stats->stats_version, 1);
  EXPECT_EQ(response.stats->index_safety_state, IndexState::kDisabled);
  EXPECT_EQ(response.stats->index_uncertain_reason, IndexReason::kNone);
  EXPECT_EQ(response.stats->storage_mode, std::nullopt);
}

}  // namespace
}  // namespace forge
