// What would have matched, in a tree whose catalog replaces a walk: nothing is walked
// for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/file.h"
#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Change = Hint::Change;

class WarmHints : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.config.default_timeout = std::chrono::minutes(1);
    FillTree(world_.tree, 50);
    world_.tree.Write(".ignore", "out\n");
    world_.Open();
    ASSERT_TRUE(world_.Heal());
  }

  // A busy machine may leave no time for a hint. Never for all of many tries.
  std::vector<Hint> Ask(const std::string& pattern, const std::vector<Hint>& expected) {
    std::vector<Hint> hints;
    for (int i = 0; i < 200; ++i) {
      hints = world_.IndexedHints({.pattern = pattern});
      if (hints == expected) break;
    }
    EXPECT_EQ(world_.State(), "COMPLETE") << "a hint with little time leaves no doubts behind";
    return hints;
  }

  FaultWorld world_;
};

TEST_F(WarmHints, AreThoseOfAWalk) {
  world_.tree.Write(".ci/x.yml", "deploy_key\n");
  world_.tree.Write("out/y.o", "deploy_key\n");
  for (const char* pattern : {"alpha_12", "ALPHA12", "neeedle", "deploy_key", "nowhere"}) {
    const std::vector<Hint> expected = world_.PlainHints({.pattern = pattern});
    EXPECT_EQ(Ask(pattern, expected), expected) << pattern;
  }
}

// FR-LSI-BG-06: a search counts once, however many changes its hints try.
TEST_F(WarmHints, AreNotCountedAsCalls) {
  const auto check_is_due = [&] { return world_.root().need(os::FileClockNow()) == indexer::Need::kCheck; };
  world_.config.index.integrity_check = IntegrityCheck::kPeriodic;
  world_.config.index.integrity_period_calls = 3;
  world_.Open();
  ASSERT_TRUE(world_.Heal());
  for (int calls = 0; calls < 3; ++calls) {
    ASSERT_FALSE(check_is_due()) << "after " << calls << " calls";
    world_.SearchForHints({.pattern = "nowhere_to_be_found"});
  }
  EXPECT_TRUE(check_is_due());
}

TEST_F(WarmHints, FollowTheTree) {
  EXPECT_THAT(Ask("deploy_key", {}), IsEmpty());
  world_.tree.Write("d1/.new", "deploy_key\n");
  const Hint hidden{Change::kHidden, "d1/.new", 1, "deploy_key", 0};
  EXPECT_THAT(Ask("deploy_key", {hidden}), ElementsAre(hidden));
  world_.tree.Write("d1/.new", "deploy_kex\n");
  EXPECT_THAT(Ask("deploy_key", {}), IsEmpty()) << "what is said was read just now";
  world_.tree.Write("d2/sub/.deep/f", "deploy_key\n");
  const Hint deep{Change::kHidden, "d2/sub/.deep/f", 1, "deploy_key", 0};
  EXPECT_THAT(Ask("deploy_key", {deep}), ElementsAre(deep)) << "in a new folder";
  world_.tree.Remove("d2/sub");
  EXPECT_THAT(Ask("deploy_key", {}), IsEmpty());
}

}  // namespace
}  // namespace forge::testing
