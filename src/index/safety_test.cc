#include "index/safety.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace forge::index {
namespace {

Safety After(Safety safety, std::initializer_list<Event> events) {
  for (const Event event : events) safety = Next(safety, event);
  return safety;
}

// One of each state, as it comes about.
Safety In(State state) {
  const Safety absent;
  switch (state) {
    case State::kAbsent: return absent;
    case State::kBuilding: return After(absent, {Event::kBuildStarted});
    case State::kComplete: return After(absent, {Event::kBuildStarted, Event::kBuildCompleted});
    case State::kUncertain: return After(absent, {Event::kOpened, Event::kReconcileStarted});
    case State::kCorrupt: return After(absent, {Event::kIntegrityFailed});
    case State::kDisabled: return After(absent, {Event::kMemoryExceeded});
  }
  return absent;
}

constexpr State kStates[] = {State::kAbsent,    State::kBuilding, State::kComplete,
                             State::kUncertain, State::kCorrupt,  State::kDisabled};

// What the specification's table (4.2.2) says an event leads to from each
// state: "-" if it says nothing or "no change", else the state and the reason.
struct Expected {
  Event event;
  const char* from[6];  // ABSENT, BUILDING, COMPLETE, UNCERTAIN/OPEN_REQUIRES_VALIDATION, CORRUPT, DISABLED
};

constexpr const char* kAbsent = "ABSENT";
constexpr const char* kBuilding = "BUILDING";
constexpr const char* kComplete = "COMPLETE";
constexpr const char* kCorrupt = "CORRUPT";
constexpr const char* kOff = "DISABLED/INDEX_OFF";
constexpr const char* kDenied = "DISABLED/PERSISTENCE_NOT_PERMITTED";
constexpr const char* kMemory = "DISABLED/MEMORY_BUDGET_EXCEEDED";
constexpr const char* kOpen = "UNCERTAIN/OPEN_REQUIRES_VALIDATION";
constexpr const char* kOverflow = "UNCERTAIN/WATCHER_OVERFLOW";
constexpr const char* kDown = "UNCERTAIN/WATCHER_DOWN";
constexpr const char* kEligibility = "UNCERTAIN/ELIGIBILITY_CHANGED";
constexpr const char* kPolicy = "UNCERTAIN/POLICY_CHANGED";
constexpr const char* kEnumeration = "UNCERTAIN/ENUMERATION_ERROR";
constexpr const char* kRename = "UNCERTAIN/RENAME_UNCERTAIN";
constexpr const char* kBacklog = "UNCERTAIN/DIRTY_BACKLOG";
constexpr const char* kMaint = "UNCERTAIN/MAINT_BUDGET_EXCEEDED";

const std::vector<Expected>& Specification() {
  static const std::vector<Expected> table = {
      {Event::kModeOff, {kOff, kOff, kOff, kOff, kOff, kOff}},
      {Event::kModeOn, {"-", "-", "-", "-", "-", "-"}},  // here DISABLED is for memory
      {Event::kPersistenceNotPermitted, {kDenied, kDenied, kDenied, kDenied, kDenied, "-"}},
      {Event::kCooldownExpired, {"-", "-", "-", "-", "-", kAbsent}},
      {Event::kFileMissing, {kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, "-"}},
      {Event::kBelowThreshold, {"DISABLED/BELOW_THRESHOLD", "-", "-", "-", "-", "-"}},
      {Event::kAboveThreshold, {"-", "-", "-", "-", "-", "-"}},
      {Event::kLockTimeout, {"-", "-", "-", "-", "-", "-"}},
      {Event::kKeyMismatch, {kBuilding, kBuilding, kBuilding, kBuilding, kBuilding, "-"}},
      {Event::kIntegrityFailed, {kCorrupt, kCorrupt, kCorrupt, kCorrupt, kCorrupt, "-"}},
      {Event::kBuildStarted, {kBuilding, "-", kBuilding, kBuilding, kBuilding, "-"}},
      {Event::kBuildCompleted, {"-", kComplete, "-", "-", "-", "-"}},
      {Event::kBuildBudgetExceeded, {"-", "UNCERTAIN/BUILD_BUDGET_EXCEEDED", "-", "-", "-", "-"}},
      {Event::kBuildFailedClean, {"-", kAbsent, "-", "-", "-", "-"}},
      {Event::kBuildFailedPartial, {"-", kCorrupt, "-", "-", "-", "-"}},
      {Event::kOpened, {kOpen, "-", kOpen, kOpen, kOpen, "-"}},
      {Event::kWatcherStarted, {"-", "-", "-", "-", "-", "-"}},
      {Event::kWatcherOverflow, {"-", "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD", kOverflow, kOverflow, "-", "-"}},
      {Event::kWatcherDown, {"-", kDown, kDown, kDown, "-", "-"}},                         // BUILDING: F3
      {Event::kIgnoreChanged, {"-", kEligibility, kEligibility, kEligibility, "-", "-"}},  // BUILDING: F3
      {Event::kPolicyChanged, {"-", kPolicy, kPolicy, kPolicy, "-", "-"}},                 // BUILDING: F3
      {Event::kEnumerationError, {"-", kEnumeration, kEnumeration, kEnumeration, "-", "-"}},
      {Event::kEvicted, {kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, "-"}},
      {Event::kMemoryExceeded, {kMemory, kMemory, kMemory, kMemory, kMemory, "-"}},
      {Event::kDirtyApplied, {"-", "-", kComplete, "-", "-", "-"}},
      {Event::kDirtyBacklog, {"-", kBacklog, kBacklog, kOpen, "-", "-"}},  // UNCERTAIN: P4.2 keeps the reason
      {Event::kMaintBudgetExceeded, {"-", kMaint, kMaint, kOpen, "-", "-"}},
      {Event::kQueueDrained, {"-", "-", "-", kOpen, "-", "-"}},  // F5: not the sole cause
      {Event::kReconcileStarted, {"-", "-", "-", kOpen, "-", "-"}},
      {Event::kReconcileCompleted, {"-", "-", "-", kComplete, "-", "-"}},
      {Event::kReconcileFailed, {"-", "-", "-", kOpen, "-", "-"}},
      {Event::kRenameApplied, {"-", "-", kComplete, "-", "-", "-"}},
      {Event::kRenameAmbiguous, {"-", kRename, kRename, kRename, "-", "-"}},  // BUILDING: F3
  };
  return table;
}

const char* SpecifiedFrom(State state, Event event) {
  for (const Expected& row : Specification()) {
    if (row.event == event) return row.from[static_cast<std::size_t>(state)];
  }
  return "missing";
}

std::string Show(const Safety& safety) {
  std::string out(ToString(safety.state));
  if (safety.reason() != Reason::kNone) out.append("/").append(ToString(safety.reason()));
  return out;
}

std::string Show(std::span<const Event> events) {
  std::string out;
  for (const Event event : events) out.append(ToString(event)).append(" ");
  return out;
}

TEST(Safety, EveryStateWithEveryEvent) {
  for (const State state : kStates) {
    const Safety before = In(state);
    ASSERT_EQ(before.state, state);
    for (const Event event : AllEvents()) {
      const std::string expected = SpecifiedFrom(state, event);
      const Safety after = Next(before, event);
      EXPECT_EQ(Show(after), expected == "-" ? Show(before) : expected) << Show(before) << " + " << ToString(event);
    }
  }
}

TEST(Safety, OnlyWhatEndsItEndsDisabled) {
  const struct {
    Event cause;
    Event end;
  } cases[] = {
      {Event::kModeOff, Event::kModeOn},
      {Event::kPersistenceNotPermitted, Event::kCooldownExpired},
      {Event::kMemoryExceeded, Event::kCooldownExpired},
      {Event::kBelowThreshold, Event::kAboveThreshold},
  };
  for (const auto& c : cases) {
    const Safety disabled = After({}, {c.cause});
    ASSERT_EQ(disabled.state, State::kDisabled) << ToString(c.cause);
    for (const Event event : AllEvents()) {
      const State expected = event == c.end ? State::kAbsent : State::kDisabled;
      EXPECT_EQ(Next(disabled, event).state, expected) << ToString(c.cause) << ", " << ToString(event);
    }
  }
}

// What the specification asks to be kept, forgotten and counted.
TEST(Safety, WhatHappensInTurn) {
  const struct {
    const char* why;
    State from;
    std::vector<Event> events;
    const char* expected;
  } cases[] = {
      {"F4: the second cause is not forgotten with the first",
       State::kUncertain,
       {Event::kIgnoreChanged, Event::kReconcileCompleted},
       kEligibility},
      {"a cause that arises again during the scan stays",
       State::kUncertain,
       {Event::kOpened, Event::kReconcileCompleted},
       kOpen},
      {"a scan that began after both resolves both",
       State::kUncertain,
       {Event::kIgnoreChanged, Event::kReconcileStarted, Event::kReconcileCompleted},
       kComplete},
      {"a scan that was not announced resolves nothing",
       State::kComplete,
       {Event::kIgnoreChanged, Event::kReconcileCompleted},
       kEligibility},
      {"a failed scan resolves nothing, not even later",
       State::kUncertain,
       {Event::kReconcileFailed, Event::kReconcileCompleted},
       kOpen},
      {"F5: a drained queue resolves a backlog",
       State::kComplete,
       {Event::kDirtyBacklog, Event::kQueueDrained},
       kComplete},
      {"F7: and a budget that was exceeded",
       State::kComplete,
       {Event::kMaintBudgetExceeded, Event::kDirtyBacklog, Event::kQueueDrained},
       kComplete},
      {"F5: not with another cause open",
       State::kComplete,
       {Event::kDirtyBacklog, Event::kWatcherOverflow, Event::kQueueDrained},
       kOverflow},
      {"F7: a reconcile resolves it too",
       State::kComplete,
       {Event::kMaintBudgetExceeded, Event::kReconcileStarted, Event::kReconcileCompleted},
       kComplete},
      {"F3: a build ends with the cause it met",
       State::kBuilding,
       {Event::kIgnoreChanged, Event::kBuildCompleted},
       kEligibility},
      {"BG-62: and with an overflow",
       State::kBuilding,
       {Event::kWatcherOverflow, Event::kBuildCompleted},
       "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD"},
      {"which a reconcile resolves",
       State::kBuilding,
       {Event::kWatcherOverflow, Event::kBuildCompleted, Event::kReconcileStarted, Event::kReconcileCompleted},
       kComplete},
      {"not beside the build",
       State::kBuilding,
       {Event::kWatcherOverflow, Event::kReconcileStarted, Event::kBuildCompleted, Event::kReconcileCompleted},
       "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD"},
      {"a second overflow in the build is of the build",
       State::kBuilding,
       {Event::kIgnoreChanged, Event::kWatcherOverflow},
       "UNCERTAIN/WATCHER_OVERFLOW_DURING_BUILD"},
      {"a backlog drained during a build: it goes on",
       State::kBuilding,
       {Event::kDirtyBacklog, Event::kQueueDrained},
       kBuilding},
      {"a build that goes on may fail",
       State::kBuilding,
       {Event::kIgnoreChanged, Event::kBuildFailedPartial},
       kCorrupt},
      {"or leave nothing", State::kBuilding, {Event::kIgnoreChanged, Event::kBuildFailedClean}, kAbsent},
      {"a build resolves what was open before it",
       State::kUncertain,
       {Event::kEnumerationError, Event::kBuildStarted, Event::kBuildCompleted},
       kComplete},
      {"but not an error of its own enumeration",
       State::kBuilding,
       {Event::kEnumerationError, Event::kBuildCompleted},
       kEnumeration},
      {"a scan brings no watcher back",
       State::kComplete,
       {Event::kWatcherDown, Event::kReconcileStarted, Event::kReconcileCompleted},
       kDown},
      {"nor does a build",
       State::kComplete,
       {Event::kWatcherDown, Event::kBuildStarted, Event::kBuildCompleted},
       kDown},
      {"a watcher does not know what it missed",
       State::kComplete,
       {Event::kWatcherDown, Event::kWatcherStarted},
       kDown},
      {"nor does a scan that began before it",
       State::kComplete,
       {Event::kWatcherDown, Event::kReconcileStarted, Event::kWatcherStarted, Event::kReconcileCompleted},
       kDown},
      {"a watcher, then a scan",
       State::kComplete,
       {Event::kWatcherDown, Event::kWatcherStarted, Event::kReconcileStarted, Event::kReconcileCompleted},
       kComplete},
      {"a watcher lost before the build",
       State::kAbsent,
       {Event::kWatcherDown, Event::kBuildStarted, Event::kBuildCompleted},
       kDown},
      {"a watcher that was stopped is not lost",
       State::kComplete,
       {Event::kWatcherDown, Event::kModeOff, Event::kModeOn, Event::kBuildStarted, Event::kBuildCompleted},
       kComplete},
      {"the end of a build that was evicted says nothing",
       State::kBuilding,
       {Event::kEvicted, Event::kBuildCompleted},
       kAbsent},
      {"P4.2: a higher reason is shown",
       State::kUncertain,
       {Event::kPolicyChanged, Event::kIgnoreChanged},
       kEligibility},
      {"P4.2: a lower one is not", State::kUncertain, {Event::kIgnoreChanged, Event::kPolicyChanged}, kEligibility},
  };
  for (const auto& c : cases) {
    Safety safety = In(c.from);
    for (const Event event : c.events) safety = Next(safety, event);
    EXPECT_EQ(Show(safety), c.expected) << c.why;
  }
}

TEST(Safety, AnEpochIsACoverageThatWasConfirmed) {
  const Safety built = In(State::kComplete);
  EXPECT_EQ(built.coverage_epoch, 1U);
  EXPECT_EQ(After(built, {Event::kDirtyBacklog, Event::kQueueDrained}).coverage_epoch, 1U);
  EXPECT_EQ(After(built, {Event::kIgnoreChanged, Event::kReconcileStarted, Event::kReconcileCompleted}).coverage_epoch,
            2U);
  EXPECT_EQ(After(built, {Event::kBuildStarted, Event::kIgnoreChanged, Event::kBuildCompleted}).coverage_epoch, 1U);
}

// P1, from the most severe.
int Rank(const std::string& shown) {
  const char* const order[] = {"DISABLED", "CORRUPT", "UNCERTAIN", "BUILDING", "ABSENT", "COMPLETE"};
  const std::string state = shown.substr(0, shown.find('/'));
  return static_cast<int>(std::find(std::begin(order), std::end(order), state) - std::begin(order));
}

// P2 and Appendix D, from the first.
int ReasonRank(const std::string& shown) {
  const char* const order[] = {"INDEX_OFF",
                               "PERSISTENCE_NOT_PERMITTED",
                               "MEMORY_BUDGET_EXCEEDED",
                               "BELOW_THRESHOLD",
                               "WATCHER_OVERFLOW",
                               "WATCHER_OVERFLOW_DURING_BUILD",
                               "WATCHER_DOWN",
                               "ELIGIBILITY_CHANGED",
                               "POLICY_CHANGED",
                               "ENUMERATION_ERROR",
                               "RENAME_UNCERTAIN",
                               "OPEN_REQUIRES_VALIDATION",
                               "BUILD_BUDGET_EXCEEDED",
                               "DIRTY_BACKLOG",
                               "MAINT_BUDGET_EXCEEDED"};
  const std::string reason = shown.substr(shown.find('/') + 1);
  return static_cast<int>(std::find(std::begin(order), std::end(order), reason) - std::begin(order));
}

// What P1, P2 and P4 make of the cells of the specification's table.
std::string Resolved(const Safety& before, std::span<const Event> events) {
  std::string best;
  for (const Event event : events) {
    const std::string cell = SpecifiedFrom(before.state, event);
    if (cell == "-") continue;
    const auto key = [](const std::string& s) { return std::pair(Rank(s), ReasonRank(s)); };
    if (best.empty() || key(cell) < key(best)) best = cell;
  }
  // A lost watcher is remembered where the table has no row for it.
  const bool down = std::find(events.begin(), events.end(), Event::kWatcherDown) != events.end();
  if (best == kOpen && down) return kDown;
  return best.empty() ? Show(before) : best;
}

void ExpectResolved(const Safety& before, std::vector<Event> events) {
  const Safety expected = Next(before, events);
  // F14: what ends DISABLED comes first, and the table says no more then.
  if (before.state != State::kDisabled) {
    ASSERT_EQ(Show(expected), Resolved(before, events)) << Show(before) << " + " << Show(events);
  }
  ASSERT_EQ(MayExclude(expected), expected.state == State::kComplete) << Show(events);
  std::sort(events.begin(), events.end());
  do {
    ASSERT_EQ(Next(before, events), expected) << Show(before) << " + " << Show(events);
  } while (std::next_permutation(events.begin(), events.end()));
}

TEST(T_LSI_SAFE_04, PairsAndTriplesAtOnceResolveWhateverTheirOrder) {
  const auto all = AllEvents();
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
    std::vector<Event> at_once;
    std::vector<Event> then;
    const char* expected;
  } cases[] = {
      {"a cause beside the start of a build",
       State::kAbsent,
       {Event::kBuildStarted, Event::kIgnoreChanged},
       {Event::kBuildCompleted},
       kEligibility},
      {"a cause beside the start of a reconcile",
       State::kUncertain,
       {Event::kReconcileStarted, Event::kIgnoreChanged},
       {Event::kReconcileCompleted},
       kEligibility},
      {"a cause beside its end",
       State::kUncertain,
       {Event::kReconcileCompleted, Event::kIgnoreChanged},
       {},
       kEligibility},
      {"a watcher that is lost and starts",
       State::kComplete,
       {Event::kWatcherDown, Event::kWatcherStarted},
       {Event::kReconcileStarted, Event::kReconcileCompleted},
       kDown},
      {"F14: expiry first, then P1", State::kDisabled, {Event::kMemoryExceeded, Event::kCooldownExpired}, {}, kMemory},
      {"F14: and what else happened", State::kDisabled, {Event::kBuildStarted, Event::kCooldownExpired}, {}, kBuilding},
  };
  for (const auto& c : cases) {
    Safety safety = Next(In(c.from), c.at_once);
    for (const Event event : c.then) safety = Next(safety, event);
    EXPECT_EQ(Show(safety), c.expected) << c.why;
  }
}

TEST(SafetyProperty, CompleteMeansNoOpenCauseWhateverHappened) {
  EXPECT_TRUE(rc::check([] {
    Safety safety;
    for (int i = 0; i < 60; ++i) {
      const auto all = AllEvents();
      const auto index = rc::gen::inRange<std::size_t>(0, all.size());
      std::vector<Event> events = {all[*index]};
      if (*rc::gen::inRange(0, 4) == 0) events.push_back(all[*index]);
      const Safety before = safety;
      safety = Next(safety, events);
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
  const Safety overflown = After(In(State::kComplete), {Event::kWatcherOverflow});
  EXPECT_EQ(Show(overflown), kOverflow);
  EXPECT_FALSE(MayExclude(After(overflown, {Event::kQueueDrained, Event::kReconcileStarted})));
  EXPECT_TRUE(MayExclude(After(overflown, {Event::kReconcileStarted, Event::kReconcileCompleted})));
}

TEST(T_LSI_SAFE_02, AChangedIgnoreFileForbidsExclusionUntilReconciled) {
  const Safety changed = After(In(State::kComplete), {Event::kIgnoreChanged});
  EXPECT_EQ(Show(changed), kEligibility);
  EXPECT_FALSE(MayExclude(changed));
  EXPECT_TRUE(MayExclude(After(changed, {Event::kReconcileStarted, Event::kReconcileCompleted})));
}

TEST(T_LSI_SAFE_03, AReconcileOverBudgetLeavesTheDoubt) {
  const Safety failed = After(In(State::kUncertain), {Event::kReconcileFailed});
  EXPECT_EQ(Show(failed), kOpen);
  EXPECT_FALSE(MayExclude(failed));
}

TEST(T_LSI_SAFE_05, APartialIndexExcludesNothing) {
  const Safety partial = After(In(State::kBuilding), {Event::kBuildBudgetExceeded});
  EXPECT_EQ(Show(partial), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  EXPECT_FALSE(MayExclude(partial));
}

TEST(T_LSI_SAFE_06, ATreeThatGrewIsBuilt) {
  const Safety small = After({}, {Event::kBelowThreshold});
  EXPECT_EQ(Show(small), "DISABLED/BELOW_THRESHOLD");
  EXPECT_EQ(Show(After(small, {Event::kAboveThreshold, Event::kBuildStarted})), kBuilding);
}

TEST(T_LSI_SAFE_07, WithoutPermissionToPersistItIsDisabled) {
  for (const State state : kStates) {
    if (state == State::kDisabled) continue;
    EXPECT_EQ(Show(After(In(state), {Event::kPersistenceNotPermitted})), kDenied);
  }
}

}  // namespace
}  // namespace forge::index
