#include "indexer/safety/safety.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "indexer/safety/testing/names.h"

namespace forge::index {
namespace {

Safety After(Safety safety, std::initializer_list<Trigger> triggers) {
  for (const Trigger trigger : triggers) safety = Next(safety, trigger);
  return safety;
}

// One value of each state, reached as it is in practice.
Safety In(State state) {
  const Safety absent;
  switch (state) {
    case State::kAbsent: return absent;
    case State::kBuilding: return After(absent, {Trigger::kBuildStarted});
    case State::kComplete: return After(absent, {Trigger::kBuildStarted, Trigger::kBuildCompleted});
    case State::kUncertain: return After(absent, {Trigger::kOpened, Trigger::kReconcileStarted});
    case State::kCorrupt: return After(absent, {Trigger::kIntegrityFailed});
    case State::kDisabled: return After(absent, {Trigger::kMemoryExceeded});
  }
  return absent;
}

constexpr State kStates[] = {State::kAbsent,    State::kBuilding, State::kComplete,
                             State::kUncertain, State::kCorrupt,  State::kDisabled};

// Where the specification's table (LSI 4.2.2) leads from each state: "-" if it says
// nothing or "no change", else the state and the reason.
struct Expected {
  Trigger trigger;
  const char* from[6];  // ABSENT, BUILDING, COMPLETE, UNCERTAIN/OPEN_REQUIRES_VALIDATION, CORRUPT, DISABLED
};

constexpr const char* kAbsent = "ABSENT";
constexpr const char* kBuilding = "BUILDING";
constexpr const char* kComplete = "COMPLETE";
constexpr const char* kCorrupt = "CORRUPT";
constexpr const char* kMemory = "DISABLED/MEMORY_BUDGET_EXCEEDED";
constexpr const char* kOpen = "UNCERTAIN/OPEN_REQUIRES_VALIDATION";
constexpr const char* kOverflow = "UNCERTAIN/WATCHER_OVERFLOW";
constexpr const char* kDown = "UNCERTAIN/WATCHER_DOWN";
constexpr const char* kEligibility = "UNCERTAIN/ELIGIBILITY_CHANGED";
constexpr const char* kPolicy = "UNCERTAIN/POLICY_CHANGED";
constexpr const char* kEnumeration = "UNCERTAIN/ENUMERATION_ERROR";
constexpr const char* kRename = "UNCERTAIN/RENAME_UNCERTAIN";
constexpr const char* kMaint = "UNCERTAIN/MAINT_BUDGET_EXCEEDED";

const std::vector<Expected>& Specification() {
  static const std::vector<Expected> table = {
      {Trigger::kCooldownExpired, {"-", "-", "-", "-", "-", kAbsent}},
      {Trigger::kFileMissing, {kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, "-"}},
      {Trigger::kBelowThreshold, {"DISABLED/BELOW_THRESHOLD", "-", "-", "-", "-", "-"}},
      {Trigger::kAboveThreshold, {"-", "-", "-", "-", "-", "-"}},
      {Trigger::kIntegrityFailed, {kCorrupt, kCorrupt, kCorrupt, kCorrupt, kCorrupt, "-"}},
      {Trigger::kBuildStarted, {kBuilding, "-", kBuilding, kBuilding, kBuilding, "-"}},
      {Trigger::kBuildCompleted, {"-", kComplete, "-", "-", "-", "-"}},
      {Trigger::kBuildBudgetExceeded, {"-", "UNCERTAIN/BUILD_BUDGET_EXCEEDED", "-", "-", "-", "-"}},
      {Trigger::kBuildFailedClean, {"-", kAbsent, "-", "-", "-", "-"}},
      {Trigger::kBuildFailedPartial, {"-", kCorrupt, "-", "-", "-", "-"}},
      {Trigger::kOpened, {kOpen, "-", kOpen, kOpen, kOpen, "-"}},
      {Trigger::kWatcherStarted, {"-", "-", "-", "-", "-", "-"}},
      {Trigger::kWatcherOverflow, {"-", "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD", kOverflow, kOverflow, "-", "-"}},
      {Trigger::kWatcherDown, {"-", kDown, kDown, kDown, "-", "-"}},                         // BUILDING: F3
      {Trigger::kIgnoreChanged, {"-", kEligibility, kEligibility, kEligibility, "-", "-"}},  // BUILDING: F3
      {Trigger::kPolicyChanged, {"-", kPolicy, kPolicy, kPolicy, "-", "-"}},                 // BUILDING: F3
      {Trigger::kEnumerationError, {"-", kEnumeration, kEnumeration, kEnumeration, "-", "-"}},
      {Trigger::kEvicted, {kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, "-"}},
      {Trigger::kMemoryExceeded, {kMemory, kMemory, kMemory, kMemory, kMemory, "-"}},
      {Trigger::kDirtyApplied, {"-", "-", kComplete, "-", "-", "-"}},
      {Trigger::kMaintBudgetExceeded, {"-", kMaint, kMaint, kOpen, "-", "-"}},
      {Trigger::kReconcileStarted, {"-", "-", "-", kOpen, "-", "-"}},
      {Trigger::kReconcileCompleted, {"-", "-", "-", kComplete, "-", "-"}},
      {Trigger::kReconcileFailed, {"-", "-", "-", kOpen, "-", "-"}},
      {Trigger::kRenameAmbiguous, {"-", kRename, kRename, kRename, "-", "-"}},  // BUILDING: F3
  };
  return table;
}

const char* SpecifiedFrom(State state, Trigger trigger) {
  for (const Expected& row : Specification()) {
    if (row.trigger == trigger) return row.from[static_cast<std::size_t>(state)];
  }
  return "missing";
}

std::string Show(const Safety& safety) {
  std::string out(Name(safety.state));
  if (safety.reason() != Reason::kNone) out.append("/").append(Name(safety.reason()));
  return out;
}

std::string Show(std::span<const Trigger> triggers) {
  std::string out;
  for (const Trigger trigger : triggers) out.append(ToString(trigger)).append(" ");
  return out;
}

TEST(Safety, EveryStateWithEveryTrigger) {
  for (const State state : kStates) {
    const Safety before = In(state);
    ASSERT_EQ(before.state, state);
    for (const Trigger trigger : AllTriggers()) {
      const std::string expected = SpecifiedFrom(state, trigger);
      const Safety after = Next(before, trigger);
      EXPECT_EQ(Show(after), expected == "-" ? Show(before) : expected) << Show(before) << " + " << ToString(trigger);
    }
  }
}

TEST(Safety, OnlyWhatEndsItEndsDisabled) {
  const struct {
    Trigger cause;
    Trigger end;
  } cases[] = {
      {Trigger::kMemoryExceeded, Trigger::kCooldownExpired},
      {Trigger::kBelowThreshold, Trigger::kAboveThreshold},
  };
  for (const auto& c : cases) {
    const Safety disabled = After({}, {c.cause});
    ASSERT_EQ(disabled.state, State::kDisabled) << ToString(c.cause);
    for (const Trigger trigger : AllTriggers()) {
      const State expected = trigger == c.end ? State::kAbsent : State::kDisabled;
      EXPECT_EQ(Next(disabled, trigger).state, expected) << ToString(c.cause) << ", " << ToString(trigger);
    }
  }
}

// What the specification says is kept, forgotten and counted.
TEST(Safety, WhatHappensInTurn) {
  const struct {
    const char* why;
    State from;
    std::vector<Trigger> triggers;
    const char* expected;
  } cases[] = {
      {"F4: the second cause is not forgotten with the first",
       State::kUncertain,
       {Trigger::kIgnoreChanged, Trigger::kReconcileCompleted},
       kEligibility},
      {"a cause that arises again during the scan stays",
       State::kUncertain,
       {Trigger::kOpened, Trigger::kReconcileCompleted},
       kOpen},
      {"a scan that began after both resolves both",
       State::kUncertain,
       {Trigger::kIgnoreChanged, Trigger::kReconcileStarted, Trigger::kReconcileCompleted},
       kComplete},
      {"a scan that was not announced resolves nothing",
       State::kComplete,
       {Trigger::kIgnoreChanged, Trigger::kReconcileCompleted},
       kEligibility},
      {"a failed scan resolves nothing, not even later",
       State::kUncertain,
       {Trigger::kReconcileFailed, Trigger::kReconcileCompleted},
       kOpen},
      {"F7: files that were indexed again do not end a doubt",
       State::kComplete,
       {Trigger::kMaintBudgetExceeded, Trigger::kDirtyApplied},
       kMaint},
      {"F7: a reconcile does",
       State::kComplete,
       {Trigger::kMaintBudgetExceeded, Trigger::kReconcileStarted, Trigger::kReconcileCompleted},
       kComplete},
      {"F3: a build ends with the cause it met",
       State::kBuilding,
       {Trigger::kIgnoreChanged, Trigger::kBuildCompleted},
       kEligibility},
      {"BG-62: and with an overflow",
       State::kBuilding,
       {Trigger::kWatcherOverflow, Trigger::kBuildCompleted},
       "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD"},
      {"which a reconcile resolves",
       State::kBuilding,
       {Trigger::kWatcherOverflow, Trigger::kBuildCompleted, Trigger::kReconcileStarted, Trigger::kReconcileCompleted},
       kComplete},
      {"not beside the build",
       State::kBuilding,
       {Trigger::kWatcherOverflow, Trigger::kReconcileStarted, Trigger::kBuildCompleted, Trigger::kReconcileCompleted},
       "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD"},
      {"a second overflow in the build is of the build",
       State::kBuilding,
       {Trigger::kIgnoreChanged, Trigger::kWatcherOverflow},
       "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD"},
      {"a build that goes on may fail",
       State::kBuilding,
       {Trigger::kIgnoreChanged, Trigger::kBuildFailedPartial},
       kCorrupt},
      {"or leave nothing", State::kBuilding, {Trigger::kIgnoreChanged, Trigger::kBuildFailedClean}, kAbsent},
      {"a build resolves what was open before it",
       State::kUncertain,
       {Trigger::kEnumerationError, Trigger::kBuildStarted, Trigger::kBuildCompleted},
       kComplete},
      {"but not an error of its own enumeration",
       State::kBuilding,
       {Trigger::kEnumerationError, Trigger::kBuildCompleted},
       kEnumeration},
      {"a scan brings no watcher back",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kReconcileStarted, Trigger::kReconcileCompleted},
       kDown},
      {"nor does a build",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kBuildStarted, Trigger::kBuildCompleted},
       kDown},
      {"a watcher does not know what it missed",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kWatcherStarted},
       kDown},
      {"nor does a scan that began before it",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kReconcileStarted, Trigger::kWatcherStarted, Trigger::kReconcileCompleted},
       kDown},
      {"a watcher, then a scan",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kWatcherStarted, Trigger::kReconcileStarted, Trigger::kReconcileCompleted},
       kComplete},
      {"a watcher lost before the build",
       State::kAbsent,
       {Trigger::kWatcherDown, Trigger::kBuildStarted, Trigger::kBuildCompleted},
       kDown},
      {"a watcher that was stopped is not lost",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kMemoryExceeded, Trigger::kCooldownExpired, Trigger::kBuildStarted,
        Trigger::kBuildCompleted},
       kComplete},
      {"the end of a build that was evicted says nothing",
       State::kBuilding,
       {Trigger::kEvicted, Trigger::kBuildCompleted},
       kAbsent},
      {"P4.2: a higher reason is shown",
       State::kUncertain,
       {Trigger::kPolicyChanged, Trigger::kIgnoreChanged},
       kEligibility},
      {"P4.2: a lower one is not", State::kUncertain, {Trigger::kIgnoreChanged, Trigger::kPolicyChanged}, kEligibility},
  };
  for (const auto& c : cases) {
    Safety safety = In(c.from);
    for (const Trigger trigger : c.triggers) safety = Next(safety, trigger);
    EXPECT_EQ(Show(safety), c.expected) << c.why;
  }
}

TEST(Safety, AnEpochIsACoverageThatWasConfirmed) {
  const Safety built = In(State::kComplete);
  EXPECT_EQ(built.coverage_epoch, 1U);
  EXPECT_EQ(After(built, {Trigger::kDirtyApplied}).coverage_epoch, 1U);
  EXPECT_EQ(
      After(built, {Trigger::kIgnoreChanged, Trigger::kReconcileStarted, Trigger::kReconcileCompleted}).coverage_epoch,
      2U);
  EXPECT_EQ(After(built, {Trigger::kBuildStarted, Trigger::kIgnoreChanged, Trigger::kBuildCompleted}).coverage_epoch,
            1U);
}

// P1, the most severe first.
int Rank(const std::string& shown) {
  const char* const order[] = {"DISABLED", "CORRUPT", "UNCERTAIN", "BUILDING", "ABSENT", "COMPLETE"};
  const std::string state = shown.substr(0, shown.find('/'));
  return static_cast<int>(std::find(std::begin(order), std::end(order), state) - std::begin(order));
}

// P2 and Appendix D, the first one first.
int ReasonRank(const std::string& shown) {
  const char* const order[] = {
      "MEMORY_BUDGET_EXCEEDED", "BELOW_THRESHOLD",          "WATCHER_OVERFLOW",      "WATCHER_OVERFLOW_DURING_BUILD",
      "WATCHER_DOWN",           "ELIGIBILITY_CHANGED",      "POLICY_CHANGED",        "ENUMERATION_ERROR",
      "RENAME_UNCERTAIN",       "OPEN_REQUIRES_VALIDATION", "BUILD_BUDGET_EXCEEDED", "MAINT_BUDGET_EXCEEDED"};
  const std::string reason = shown.substr(shown.find('/') + 1);
  return static_cast<int>(std::find(std::begin(order), std::end(order), reason) - std::begin(order));
}

// What P1, P2 and P4 make from the cells of the specification's table.
std::string Resolved(const Safety& before, std::span<const Trigger> triggers) {
  std::string best;
  for (const Trigger trigger : triggers) {
    const std::string cell = SpecifiedFrom(before.state, trigger);
    if (cell == "-") continue;
    const auto key = [](const std::string& s) { return std::pair(Rank(s), ReasonRank(s)); };
    if (best.empty() || key(cell) < key(best)) best = cell;
  }
  // A lost watcher is remembered where the table has no row for it.
  const bool down = std::find(triggers.begin(), triggers.end(), Trigger::kWatcherDown) != triggers.end();
  if (best == kOpen && down) return kDown;
  return best.empty() ? Show(before) : best;
}

void ExpectResolved(const Safety& before, std::vector<Trigger> triggers) {
  const Safety expected = Next(before, triggers);
  // F14: what ends DISABLED comes first, and then the table has nothing to add.
  if (before.state != State::kDisabled) {
    ASSERT_EQ(Show(expected), Resolved(before, triggers)) << Show(before) << " + " << Show(triggers);
  }
  ASSERT_EQ(MayExclude(expected), expected.state == State::kComplete) << Show(triggers);
  std::sort(triggers.begin(), triggers.end());
  do {
    ASSERT_EQ(Next(before, triggers), expected) << Show(before) << " + " << Show(triggers);
  } while (std::next_permutation(triggers.begin(), triggers.end()));
}

TEST(T_LSI_SAFE_04, PairsAndTriplesAtOnceResolveWhateverTheirOrder) {
  const auto all = AllTriggers();
  for (const State state : kStates) {
    const Safety before = In(state);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i; j < all.size(); ++j) {
        ExpectResolved(before, {all[i], all[j]});
        for (std::size_t k = j + 1; k < all.size(); ++k) ExpectResolved(before, {all[i], all[j], all[k]});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(T_LSI_SAFE_04, WhereOrderWouldMatterTheWorseOneIsAssumed) {
  const struct {
    const char* why;
    State from;
    std::vector<Trigger> at_once;
    std::vector<Trigger> then;
    const char* expected;
  } cases[] = {
      {"a cause beside the start of a build",
       State::kAbsent,
       {Trigger::kBuildStarted, Trigger::kIgnoreChanged},
       {Trigger::kBuildCompleted},
       kEligibility},
      {"a cause beside the start of a reconcile",
       State::kUncertain,
       {Trigger::kReconcileStarted, Trigger::kIgnoreChanged},
       {Trigger::kReconcileCompleted},
       kEligibility},
      {"a cause beside its end",
       State::kUncertain,
       {Trigger::kReconcileCompleted, Trigger::kIgnoreChanged},
       {},
       kEligibility},
      {"a watcher that is lost and starts",
       State::kComplete,
       {Trigger::kWatcherDown, Trigger::kWatcherStarted},
       {Trigger::kReconcileStarted, Trigger::kReconcileCompleted},
       kDown},
      {"F14: expiry first, then P1",
       State::kDisabled,
       {Trigger::kMemoryExceeded, Trigger::kCooldownExpired},
       {},
       kMemory},
      {"F14: and what else happened",
       State::kDisabled,
       {Trigger::kBuildStarted, Trigger::kCooldownExpired},
       {},
       kBuilding},
  };
  for (const auto& c : cases) {
    Safety safety = Next(In(c.from), c.at_once);
    for (const Trigger trigger : c.then) safety = Next(safety, trigger);
    EXPECT_EQ(Show(safety), c.expected) << c.why;
  }
}

TEST(SafetyProperty, CompleteMeansNoOpenCauseWhateverHappened) {
  EXPECT_TRUE(rc::check([] {
    Safety safety;
    for (int i = 0; i < 60; ++i) {
      const auto all = AllTriggers();
      const auto index = rc::gen::inRange<std::size_t>(0, all.size());
      std::vector<Trigger> triggers = {all[*index]};
      if (*rc::gen::inRange(0, 4) == 0) triggers.push_back(all[*index]);
      const Safety before = safety;
      safety = Next(safety, triggers);
      RC_ASSERT(safety.coverage_epoch >= before.coverage_epoch);
      RC_ASSERT(MayExclude(safety) == (safety.state == State::kComplete));
      const bool doubted = safety.state == State::kUncertain || safety.state == State::kBuilding;
      RC_ASSERT(doubted || safety.causes.empty());
      RC_ASSERT((safety.state == State::kUncertain) <= !safety.causes.empty());
      RC_ASSERT((safety.state == State::kBuilding) <= safety.build_runs);
      RC_ASSERT((safety.state == State::kDisabled) == (safety.disabled != Reason::kNone));
      RC_ASSERT(
          std::includes(safety.causes.begin(), safety.causes.end(), safety.covered.begin(), safety.covered.end()));
      const bool became = safety.state == State::kComplete && before.state != State::kComplete;
      RC_ASSERT(!became || before.state == State::kBuilding || before.state == State::kUncertain);
    }
  }));
}

TEST(T_LSI_SAFE_01, AnOverflowForbidsExclusionUntilReconciled) {
  const Safety overflown = After(In(State::kComplete), {Trigger::kWatcherOverflow});
  EXPECT_EQ(Show(overflown), kOverflow);
  EXPECT_FALSE(MayExclude(After(overflown, {Trigger::kDirtyApplied, Trigger::kReconcileStarted})));
  EXPECT_TRUE(MayExclude(After(overflown, {Trigger::kReconcileStarted, Trigger::kReconcileCompleted})));
}

TEST(T_LSI_SAFE_02, AChangedIgnoreFileForbidsExclusionUntilReconciled) {
  const Safety changed = After(In(State::kComplete), {Trigger::kIgnoreChanged});
  EXPECT_EQ(Show(changed), kEligibility);
  EXPECT_FALSE(MayExclude(changed));
  EXPECT_TRUE(MayExclude(After(changed, {Trigger::kReconcileStarted, Trigger::kReconcileCompleted})));
}

TEST(T_LSI_SAFE_03, AReconcileOverBudgetLeavesTheDoubt) {
  const Safety failed = After(In(State::kUncertain), {Trigger::kReconcileFailed});
  EXPECT_EQ(Show(failed), kOpen);
  EXPECT_FALSE(MayExclude(failed));
}

TEST(T_LSI_SAFE_05, APartialIndexExcludesNothing) {
  const Safety partial = After(In(State::kBuilding), {Trigger::kBuildBudgetExceeded});
  EXPECT_EQ(Show(partial), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  EXPECT_FALSE(MayExclude(partial));
}

TEST(T_LSI_SAFE_06, ATreeThatGrewIsBuilt) {
  const Safety small = After({}, {Trigger::kBelowThreshold});
  EXPECT_EQ(Show(small), "DISABLED/BELOW_THRESHOLD");
  EXPECT_EQ(Show(After(small, {Trigger::kAboveThreshold, Trigger::kBuildStarted})), kBuilding);
}

}  // namespace
}  // namespace forge::index
