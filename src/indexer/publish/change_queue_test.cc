#include "indexer/publish/change_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::indexer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// FR-LSI-TRK-10
TEST(ChangeQueue, TheOldestAreDueFirstAndThenByPath) {
  ChangeQueue queue;
  queue.Add("c", 20, 0);
  queue.Add("b", 10, 0);
  queue.Add("a", 20, 0);
  queue.Add("later", 5, 100);
  EXPECT_THAT(queue.Due(99, 10), ElementsAre("b", "a", "c"));
  EXPECT_THAT(queue.Due(99, 2), ElementsAre("b", "a"));
  EXPECT_THAT(queue.Due(100, 10), ElementsAre("later", "b", "a", "c"));
  EXPECT_EQ(queue.FirstDue(), 0);
}

TEST(ChangeQueue, AFileThatChangesAgainKeepsItsAgeAndGetsANewNumber) {
  ChangeQueue queue;
  queue.Add("a", 10, 0);
  const std::uint64_t number = queue.Find("a")->number;
  queue.Add("b", 15, 0);
  queue.Add("a", 20, 0);
  EXPECT_NE(queue.Find("a")->number, number);
  EXPECT_THAT(queue.Due(99, 10), ElementsAre("a", "b"));
  queue.Remove("a");
  queue.Add("a", 30, 0);
  EXPECT_THAT(queue.Due(99, 10), ElementsAre("b", "a"));
}

TEST(ChangeQueue, TellsHowLongWhatSettlesSoonHasToWait) {
  ChangeQueue queue;
  EXPECT_EQ(queue.FirstDue(), std::nullopt);
  EXPECT_EQ(queue.LongestWait(100, 50), 0);
  queue.Add("now", 0, 90);
  EXPECT_EQ(queue.LongestWait(100, 50), 0);
  queue.Add("soon", 0, 120);
  queue.Add("sooner", 0, 110);
  EXPECT_EQ(queue.LongestWait(100, 50), 20);
  queue.Add("tomorrow", 0, 1000);
  EXPECT_EQ(queue.LongestWait(100, 50), 20) << "waiting for that would be too long";
  EXPECT_EQ(queue.FirstDue(), 90);
  queue.Clear();
  EXPECT_THAT(queue.Due(2000, 10), IsEmpty());
}

}  // namespace
}  // namespace forge::indexer
