#include "indexer/safety/schedule.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace forge::indexer {
namespace {

using index::Reason;
using index::Safety;
using index::State;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'000 * kSecond;

// A schedule with a clock that the test moves: what is due now, and after how
// many seconds the next step is due.
class World {
 public:
  explicit World(ScheduleSettings settings = {.cooldown_base_ms = 10'000,
                                              .debounce_ms = 2'000,
                                              .reevaluate_after_calls = 3,
                                              .check_after_calls = std::nullopt,
                                              .stamp_granularity_ns = kSecond / 100,
                                              .retry_on_failure = false})
      : schedule(settings) {}

  Schedule schedule;
  Safety safety;
  std::int64_t now = kStart;
  bool has_snapshot = true;
  bool root_there = true;
  bool removed_waits = false;
  std::optional<std::int64_t> first_due;

  void Pass(std::int64_t seconds) { now += seconds * kSecond; }
  void Be(State state, std::set<Reason> causes = {}) {
    safety = {};
    safety.state = state;
    if (state == State::kDisabled) safety.disabled = *causes.begin();
    if (state == State::kUncertain) safety.causes = std::move(causes);
  }
  Situation situation() const { return {safety, has_snapshot, first_due, root_there, removed_waits}; }
  std::string Next() const { return std::string(ToString(schedule.Next(situation(), now))); }
  // "build", "nothing, then build after 10 s", "nothing"
  std::string Plan() {
    const std::string due = Next();
    if (due != "nothing") return due;
    const std::int64_t start = now;
    for (int seconds = 1; seconds <= 4 * 3600; ++seconds) {
      now = start + seconds * kSecond;
      const std::string later = Next();
      if (later == "nothing") continue;
      now = start;
      return "nothing, then " + later + " after " + std::to_string(seconds) + " s";
    }
    now = start;
    return "nothing";
  }
  bool Search(bool counted = true) { return schedule.Searched(situation(), counted, now); }
  std::int64_t WaitMs(std::int64_t most = 100'000) const { return schedule.WaitMs(situation(), now, most); }
};

TEST(Schedule, WhatEachStateNeedsWhenNothingHappened) {
  struct Case {
    State state;
    std::set<Reason> causes;
    std::string plan;
  };
  const Case cases[] = {
      {State::kAbsent, {}, "build"},     {State::kCorrupt, {}, "build"},
      {State::kBuilding, {}, "build"},   {State::kUncertain, {Reason::kWatcherOverflow}, "reconcile"},
      {State::kComplete, {}, "nothing"}, {State::kDisabled, {Reason::kBelowThreshold}, "nothing"},
  };
  for (const Case& c : cases) {
    World world;
    world.Be(c.state, c.causes);
    EXPECT_EQ(world.Plan(), c.plan) << Name(c.state);
  }
}

struct Step {
  std::string what;
  std::function<void(World&)> happens;
  std::string plan;
};
void Walk(World& world, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    step.happens(world);
    EXPECT_EQ(world.Plan(), step.plan) << step.what;
  }
}

TEST(Schedule, ABuildThatFailsIsRepeatedLaterEachTime) {
  World world({.cooldown_base_ms = 10'000, .retry_on_failure = true});
  const auto fail = [](World& w) { w.schedule.Failed({.partial = true}, w.now); };
  Walk(world, {{"first", fail, "nothing, then build after 10 s"},
               {"second", fail, "nothing, then build after 20 s"},
               {"third", fail, "nothing, then build after 40 s"},
               {"time passes", [](World& w) { w.Pass(40); }, "build"},
               {"it succeeds",
                [](World& w) {
                  w.Be(State::kComplete);
                  w.schedule.BuildCompleted(w.safety, w.now);
                },
                "nothing"},
               {"much later it fails again",
                [&](World& w) {
                  w.Be(State::kAbsent);
                  fail(w);
                },
                "nothing, then build after 10 s"}});
}

TEST(Schedule, NoCooldownIsLongerThanAnHour) {
  World world({.cooldown_base_ms = 10'000, .retry_on_failure = true});
  for (int i = 0; i < 30; ++i) world.schedule.Failed({.partial = true}, world.now);
  EXPECT_EQ(world.Plan(), "nothing, then build after 3600 s");
}

TEST(Schedule, WithoutRetryOnlySomeFailuresAreRepeated) {
  struct Case {
    Schedule::Failure failure;
    std::string plan;
  };
  const Case cases[] = {
      {{.partial = true, .damaged = false}, "nothing"},
      {{.partial = true, .damaged = true}, "nothing, then build after 10 s"},
      {{.partial = false, .damaged = false}, "nothing, then build after 10 s"},
  };
  for (const Case& c : cases) {
    World world;
    world.schedule.Failed(c.failure, world.now);
    EXPECT_EQ(world.Plan(), c.plan) << c.failure.partial << c.failure.damaged;
  }
}

TEST(Schedule, AnIndexOverALimitIsLookedAtAgainAfterItsCooldown) {
  World world;
  world.Be(State::kDisabled, {Reason::kMemoryBudgetExceeded});
  world.schedule.GaveUp(world.now);
  EXPECT_EQ(world.Plan(), "nothing, then reevaluate after 10 s");
  EXPECT_EQ(world.WaitMs(), 10'001);
  world.schedule.LeftDisabled();
  EXPECT_EQ(world.Plan(), "nothing");
}

TEST(Schedule, ASmallTreeIsLookedAtAgainAfterSomeSearches) {
  World world;
  world.Be(State::kDisabled, {Reason::kBelowThreshold});
  EXPECT_TRUE(world.Search()) << "after a pause the background thread looks at its clock";
  EXPECT_FALSE(world.Search());
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(world.Search(/*counted=*/false)) << "FR-LSI-BG-06: hints are no calls";
  EXPECT_EQ(world.Plan(), "nothing");
  EXPECT_TRUE(world.Search());
  EXPECT_EQ(world.Plan(), "reevaluate");
  world.schedule.LeftDisabled();
  EXPECT_EQ(world.Plan(), "nothing");
}

TEST(Schedule, AScanThatLeftDoubtsIsRepeatedSoonIfTimeHealsThem) {
  struct Case {
    Reason cause;
    std::string plan;
  };
  const Case cases[] = {
      {Reason::kEligibilityChanged, "nothing, then reconcile after 1 s"},
      {Reason::kWatcherDown, "nothing"},
      {Reason::kEnumerationError, "nothing"},
  };
  for (const Case& c : cases) {
    World world;
    world.Be(State::kUncertain, {c.cause});
    world.schedule.ReconcileEnded(true, world.safety, world.now);
    EXPECT_EQ(world.Plan(), c.plan);
    World built;
    built.Be(State::kUncertain, {c.cause});
    built.schedule.BuildCompleted(built.safety, built.now);
    EXPECT_EQ(built.Plan(), c.plan);
  }
}

TEST(Schedule, WhatDidNotFitAReconcileIsBuiltAtOnce) {
  World world;
  world.Be(State::kUncertain, {Reason::kWatcherOverflow});
  world.schedule.ReconcileEnded(false, world.safety, world.now);
  EXPECT_EQ(world.Plan(), "build");
  world.schedule.BuildCompleted(world.safety, world.now);
  world.Pass(1);
  EXPECT_EQ(world.Plan(), "reconcile");
}

TEST(Schedule, ATreeOverTheBudgetIsMeasuredUntilItFits) {
  World world;
  world.Be(State::kUncertain, {Reason::kBuildBudgetExceeded});
  const auto pass = [](std::int64_t seconds) { return [=](World& w) { w.Pass(seconds); }; };
  Walk(world, {{"stopped",
                [](World& w) {
                  w.schedule.BudgetReached({5, 50}, w.now);
                },
                "nothing, then measure after 10 s"},
               {"time passes", pass(10), "measure"},
               {"too large", [](World& w) { w.schedule.Measured(false, w.now); }, "nothing, then measure after 20 s"},
               {"time passes", pass(20), "measure"},
               {"fits", [](World& w) { w.schedule.Measured(true, w.now); }, "build"},
               {"build", [](World& w) { w.schedule.BuildStarted(); }, "build"}});
  EXPECT_EQ(world.schedule.budget().files, 5U);
  EXPECT_EQ(world.schedule.budget().bytes, 50U);
}

TEST(Schedule, WithoutItsRootTheIndexWaits) {
  World world;
  world.Be(State::kUncertain, {Reason::kWatcherDown});
  world.root_there = false;
  EXPECT_EQ(world.Plan(), "reconcile") << "not known to be gone";
  world.schedule.RootGone();
  EXPECT_EQ(world.Plan(), "nothing");
  world.root_there = true;
  EXPECT_EQ(world.Plan(), "reconcile") << "it is back";
  world.schedule.ScanStarted();
  EXPECT_FALSE(world.schedule.root_gone());
}

TEST(Schedule, ChangedFilesRestBeforeTheyAreIndexed) {
  World world;
  world.Be(State::kComplete);
  EXPECT_TRUE(world.schedule.Changed(world.now)) << "the first";
  world.first_due = 0;
  EXPECT_EQ(world.Plan(), "nothing, then maintain after 2 s");
  EXPECT_EQ(world.WaitMs(), 2'001);
  world.Pass(1);
  EXPECT_FALSE(world.schedule.Changed(world.now)) << "another";
  EXPECT_EQ(world.Plan(), "nothing, then maintain after 2 s") << "it begins anew";
  world.first_due = world.now + 5 * kSecond;
  EXPECT_EQ(world.Plan(), "nothing, then maintain after 5 s") << "its stamps cannot be believed before";
  world.first_due.reset();
  world.schedule.QueueEmptied();
  EXPECT_EQ(world.Plan(), "nothing");
  EXPECT_TRUE(world.schedule.Changed(world.now)) << "the first again";
}

TEST(Schedule, WhatIsStoredIsCheckedAfterSomeSearches) {
  for (const State state : {State::kComplete, State::kUncertain}) {
    World world({.cooldown_base_ms = 10'000, .check_after_calls = 2});
    world.Be(state, {Reason::kWatcherDown});
    world.schedule.ReconcileEnded(true, world.safety, world.now);
    world.Search();
    EXPECT_FALSE(world.Search(/*counted=*/false));
    EXPECT_TRUE(world.Search());
    EXPECT_EQ(world.Plan(), "check");
    world.has_snapshot = false;
    EXPECT_NE(world.Plan(), "check") << "there is nothing to check";
    world.has_snapshot = true;
    world.schedule.Checked();
    EXPECT_NE(world.Plan(), "check");
  }
}

TEST(Schedule, AStoreThatIsLostIsTriedAgain) {
  struct Case {
    Schedule::Loss loss;
    bool retry;
    std::string plan;
  };
  const Case cases[] = {
      {{.building = false, .locked = false}, false, "nothing, then store again after 10 s"},
      {{.building = true, .locked = false}, false, "nothing"},
      {{.building = true, .locked = true}, false, "nothing, then store again after 10 s"},
      {{.building = true, .locked = false}, true, "nothing, then store again after 10 s"},
  };
  for (const Case& c : cases) {
    World world({.cooldown_base_ms = 10'000, .retry_on_failure = c.retry});
    world.Be(State::kComplete);
    world.schedule.StoreLost(c.loss, world.now);
    EXPECT_EQ(world.Plan(), c.plan) << c.loss.building << c.loss.locked << c.retry;
    world.schedule.StoreFound();
    EXPECT_EQ(world.Plan(), "nothing");
    world.schedule.StoreLost({}, world.now);
    EXPECT_EQ(world.Plan(), "nothing, then store again after 20 s") << "longer each time";
    world.schedule.Stored();
    world.schedule.StoreLost({}, world.now);
    EXPECT_EQ(world.Plan(), "nothing, then store again after 10 s") << "unless it worked in between";
    world.Be(State::kDisabled, {Reason::kMemoryBudgetExceeded});
    EXPECT_EQ(world.Plan(), "nothing") << "DISABLED comes first";
  }
}

// CFG-SFI-05. Nobody asks, so nothing is done; a search makes the next scan due.
TEST(Schedule, AScanThatOnlyAPersonCanMakeUnnecessaryIsRepeatedWhileSearchesCome) {
  for (const Reason cause : {Reason::kWatcherDown, Reason::kEnumerationError}) {
    World world;
    world.Be(State::kUncertain, {cause});
    world.schedule.ReconcileEnded(true, world.safety, world.now);
    EXPECT_EQ(world.Plan(), "nothing");
    EXPECT_EQ(world.WaitMs(), 100'001);
    EXPECT_TRUE(world.Search());
    EXPECT_EQ(world.Plan(), "nothing, then reconcile after 30 s");
    EXPECT_EQ(world.WaitMs(), 30'001);
    world.Pass(30);
    world.schedule.ScanStarted();
    world.schedule.ReconcileEnded(true, world.safety, world.now);
    EXPECT_EQ(world.Plan(), "nothing") << "there was no search since";
  }
}

// A tree with more folders than may be watched: to scan it again every 30 seconds for
// ever helps nobody.
TEST(Schedule, ScansOfATreeThatCannotBeWatchedComeMoreAndMoreSeldom) {
  World world;
  const auto scan = [&](bool failed) {
    world.schedule.ScanStarted();
    world.schedule.Unwatched(failed);
    world.schedule.ReconcileEnded(true, world.safety, world.now);
    world.Search();
    return world.WaitMs() / 1000;
  };
  world.Be(State::kUncertain, {Reason::kWatcherDown});
  std::vector<std::int64_t> seconds;
  for (int i = 0; i < 3; ++i) seconds.push_back(scan(true));
  EXPECT_EQ(seconds, (std::vector<std::int64_t>{30, 60, 100})) << "100 is the most that this test waits";
  for (int i = 0; i < 10; ++i) scan(true);
  world.Pass(3599);
  EXPECT_EQ(world.Plan(), "nothing, then reconcile after 1 s") << "an hour at most";
  EXPECT_EQ(scan(false), 30) << "a person has raised the limit, or it is not tried";
  EXPECT_EQ(scan(true), 30) << "it begins anew";
}

// Each row once a minute, in steps of half a second, while searches come.
TEST(Schedule, RowsAreSweptOnceAMinuteWhileSearchesCome) {
  World world;
  world.Be(State::kComplete);
  EXPECT_EQ(world.Plan(), "nothing") << "nobody asks";
  EXPECT_EQ(world.WaitMs(1'000'000), 1'000'001);
  EXPECT_TRUE(world.Search()) << "the first search wakes the background thread";
  EXPECT_FALSE(world.Search());
  EXPECT_EQ(world.WaitMs(), 501);
  std::uint64_t swept = 0;
  int steps = 0;
  for (const std::int64_t begin = world.now; world.now < begin + 60 * kSecond; world.now += kSecond / 10) {
    if (world.Next() != "sweep") continue;
    swept += world.schedule.RowsToSweep(80'000, world.now);
    world.schedule.Swept(world.now);
    ++steps;
  }
  EXPECT_GE(swept, 79'000U);
  EXPECT_LE(swept, 81'000U);
  EXPECT_NEAR(steps, 119, 2);
  world.Pass(60);
  EXPECT_EQ(world.Plan(), "nothing") << "two minutes after the last search";
  EXPECT_EQ(world.WaitMs(1'000'000), 1'000'001);
}

TEST(Schedule, ASweepThatComesLateDoesNotHurry) {
  World world;
  world.Be(State::kComplete);
  world.Search();
  world.Pass(50);
  EXPECT_EQ(world.schedule.RowsToSweep(60'000, world.now), 1'001U) << "one second's worth";
  EXPECT_EQ(world.schedule.RowsToSweep(0, world.now), 1U);
}

TEST(Schedule, AClockThatIsSetBackStopsNoSweep) {
  World world;
  world.Be(State::kComplete);
  world.Search();
  world.schedule.Swept(world.now);
  world.Pass(-3600);
  EXPECT_EQ(world.Next(), "nothing") << "the last search is in the future";
  world.Search();
  world.Pass(1);
  EXPECT_EQ(world.Next(), "sweep");
}

// So the next process does not find them again.
TEST(Schedule, FilesThatAreGoneAreTakenOutOfTheStoreLikeChangedOnes) {
  World world;
  world.Be(State::kComplete);
  world.schedule.Changed(world.now);
  world.removed_waits = true;
  EXPECT_EQ(world.Plan(), "nothing, then maintain after 2 s");
  EXPECT_EQ(world.WaitMs(), 2'001);
}

// A server that nobody asks must not wake up: no step is due, so none may be
// waited for.
TEST(Schedule, WhatCannotBeDoneNowIsNotWaitedFor) {
  World world;
  world.first_due = 1;
  for (const State state : {State::kUncertain, State::kDisabled}) {
    world.Be(state, {Reason::kBuildBudgetExceeded});
    world.schedule.BudgetReached({5, 50}, world.now);
    EXPECT_GT(world.WaitMs(5'000), 5'000) << Name(state);
  }
}

TEST(Schedule, TheWaitEndsWithWhatIsDueFirst) {
  World world;
  world.Be(State::kUncertain, {Reason::kWatcherDown});
  EXPECT_EQ(world.WaitMs(500), 501) << "nothing is known to come";
  world.schedule.ReconcileEnded(true, world.safety, world.now);
  world.Search();
  EXPECT_EQ(world.WaitMs(), 30'001);
  world.schedule.StoreLost({}, world.now);
  EXPECT_EQ(world.WaitMs(), 10'001);
  EXPECT_EQ(world.WaitMs(5'000), 5'001);
  world.Pass(60);
  EXPECT_EQ(world.WaitMs(), 1) << "overdue";
}

}  // namespace
}  // namespace forge::indexer
