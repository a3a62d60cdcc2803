#include "indexer/safety/safety.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace forge::index {
namespace {

// Sets of states.
constexpr unsigned In(State state) { return 1U << static_cast<unsigned>(state); }
constexpr unsigned kA = In(State::kAbsent);
constexpr unsigned kB = In(State::kBuilding);
constexpr unsigned kC = In(State::kComplete);
constexpr unsigned kU = In(State::kUncertain);
constexpr unsigned kX = In(State::kCorrupt);
constexpr unsigned kD = In(State::kDisabled);
constexpr unsigned kEnabled = kA | kB | kC | kU | kX;

enum class When { kAlways, kBuildRuns, kNoBuild, kDisabledForReason };

enum class Proposes {
  kNothing,
  kAbsent,
  kBuilding,
  kUncertain,
  kCorrupt,
  kDisabled,
  kSettled,  // UNCERTAIN if a cause is open, else COMPLETE (BUILDING while a build runs)
};

// What happens to the open causes.
enum class Causes { kKeep, kAddReason, kForget, kResolveCovered };

enum class Build { kSame, kBegins, kEnds };

struct Row {
  Trigger trigger;
  unsigned from;
  When when;
  Proposes proposes;
  Causes causes = Causes::kKeep;
  Reason reason = Reason::kNone;  // added, or of DISABLED
  Build build = Build::kSame;
  bool new_epoch = false;  // when the outcome is COMPLETE
};

using enum IndexReason;

// The rows of LSI 4.2.2, in its order. The first row that fits a trigger
// counts; if none fits, nothing happens.
constexpr auto kTable = std::to_array<Row>({
    // These triggers end DISABLED. In DISABLED all others do nothing: that is
    // the row "cooldown active".
    {Trigger::kCooldownExpired, kD, When::kDisabledForReason, Proposes::kAbsent, Causes::kForget,
     kMemoryBudgetExceeded},
    {Trigger::kAboveThreshold, kD, When::kDisabledForReason, Proposes::kAbsent, Causes::kForget,  // F6
     Reason::kBelowThreshold},

    {Trigger::kFileMissing, kEnabled, When::kAlways, Proposes::kAbsent, Causes::kForget, kNone, Build::kEnds},
    {Trigger::kBelowThreshold, kA, When::kAlways, Proposes::kDisabled, Causes::kForget, Reason::kBelowThreshold},
    {Trigger::kIntegrityFailed, kEnabled, When::kAlways, Proposes::kCorrupt, Causes::kForget, kNone, Build::kEnds},

    // A build that met a cause is UNCERTAIN already and continues, so its end
    // counts in that state too.
    {Trigger::kBuildStarted, kA | kX | kU | kC, When::kAlways, Proposes::kBuilding, Causes::kForget, kNone,
     Build::kBegins},
    {Trigger::kBuildCompleted, kB | kU, When::kBuildRuns, Proposes::kSettled, Causes::kKeep, kNone, Build::kEnds, true},
    {Trigger::kBuildBudgetExceeded, kB | kU, When::kBuildRuns, Proposes::kUncertain, Causes::kAddReason,
     Reason::kBuildBudgetExceeded, Build::kEnds},
    {Trigger::kBuildFailedClean, kB | kU, When::kBuildRuns, Proposes::kAbsent, Causes::kForget, kNone, Build::kEnds},
    {Trigger::kBuildFailedPartial, kB | kU, When::kBuildRuns, Proposes::kCorrupt, Causes::kForget, kNone, Build::kEnds},
    {Trigger::kOpened, kA | kX | kU | kC, When::kAlways, Proposes::kUncertain, Causes::kAddReason,
     kOpenRequiresValidation},

    {Trigger::kWatcherStarted, kEnabled, When::kAlways, Proposes::kNothing},
    {Trigger::kWatcherOverflow, kC | kU, When::kNoBuild, Proposes::kUncertain, Causes::kAddReason,
     Reason::kWatcherOverflow},
    {Trigger::kWatcherOverflow, kB | kU, When::kBuildRuns, Proposes::kUncertain, Causes::kAddReason,
     kWatcherOverflowDuringBuild},
    {Trigger::kWatcherDown, kB | kC | kU, When::kAlways, Proposes::kUncertain, Causes::kAddReason,  // F3
     Reason::kWatcherDown},
    {Trigger::kWatcherDown, kA | kX, When::kAlways, Proposes::kNothing},  // remembered for the build to come
    {Trigger::kIgnoreChanged, kB | kC | kU, When::kAlways, Proposes::kUncertain, Causes::kAddReason,  // F3
     kEligibilityChanged},
    {Trigger::kPolicyChanged, kB | kC | kU, When::kAlways, Proposes::kUncertain, Causes::kAddReason,  // F3
     Reason::kPolicyChanged},
    {Trigger::kEnumerationError, kB | kC | kU, When::kAlways, Proposes::kUncertain, Causes::kAddReason,
     Reason::kEnumerationError},

    {Trigger::kEvicted, kEnabled, When::kAlways, Proposes::kAbsent, Causes::kForget, kNone, Build::kEnds},
    {Trigger::kMemoryExceeded, kEnabled, When::kAlways, Proposes::kDisabled, Causes::kForget, kMemoryBudgetExceeded,
     Build::kEnds},

    {Trigger::kDirtyApplied, kC, When::kAlways, Proposes::kSettled},
    {Trigger::kMaintBudgetExceeded, kB | kC | kU, When::kAlways, Proposes::kUncertain, Causes::kAddReason,
     Reason::kMaintBudgetExceeded},

    {Trigger::kReconcileStarted, kU, When::kAlways, Proposes::kUncertain},
    {Trigger::kReconcileCompleted, kU, When::kAlways, Proposes::kSettled, Causes::kResolveCovered, kNone, Build::kSame,
     true},
    {Trigger::kReconcileFailed, kU, When::kAlways, Proposes::kUncertain},
    {Trigger::kRenameAmbiguous, kB | kC | kU, When::kAlways, Proposes::kUncertain, Causes::kAddReason,  // F3
     kRenameUncertain},
});

bool Fits(const Row& row, const Safety& safety) {
  if ((row.from & In(safety.state)) == 0) return false;
  switch (row.when) {
    case When::kAlways: return true;
    case When::kBuildRuns: return safety.build_runs;
    case When::kNoBuild: return !safety.build_runs;
    case When::kDisabledForReason: return safety.disabled == row.reason;
  }
  return false;
}

const Row* Find(const Safety& safety, Trigger trigger) {
  const auto row =
      std::find_if(kTable.begin(), kTable.end(), [&](const Row& r) { return r.trigger == trigger && Fits(r, safety); });
  return row == kTable.end() ? nullptr : &*row;
}

// P1: the more severe one wins.
int Severity(State state) {
  switch (state) {
    case State::kComplete: return 0;
    case State::kAbsent: return 1;
    case State::kBuilding: return 2;
    case State::kUncertain: return 3;
    case State::kCorrupt: return 4;
    case State::kDisabled: return 5;
  }
  return 5;
}

std::set<Reason> Without(std::set<Reason> causes, const std::set<Reason>& removed) {
  for (const Reason reason : removed) causes.erase(reason);
  return causes;
}

// The causes that would be open after this trigger alone.
std::set<Reason> LeftOpen(const Safety& safety, const Row& row) {
  std::set<Reason> causes = safety.causes;
  switch (row.causes) {
    case Causes::kKeep: return causes;
    case Causes::kAddReason: causes.insert(row.reason); return causes;
    case Causes::kForget: return {};
    case Causes::kResolveCovered: return Without(std::move(causes), safety.covered);
  }
  return causes;
}

struct Proposal {
  const Row* row;
  std::optional<State> state;
  std::set<Reason> open;
};

// `building`: a build runs, and no trigger of this step ends it.
std::optional<State> ProposedState(const Row& row, bool open, bool building) {
  switch (row.proposes) {
    case Proposes::kNothing: return std::nullopt;
    case Proposes::kAbsent: return State::kAbsent;
    case Proposes::kBuilding: return State::kBuilding;
    case Proposes::kUncertain: return State::kUncertain;
    case Proposes::kCorrupt: return State::kCorrupt;
    case Proposes::kDisabled: return State::kDisabled;
    case Proposes::kSettled:
      if (open) return State::kUncertain;
      return building ? State::kBuilding : State::kComplete;
  }
  return std::nullopt;
}

std::vector<Proposal> ProposalsOf(const Safety& safety, std::span<const Trigger> triggers) {
  std::vector<Proposal> proposals;
  for (const Trigger trigger : triggers) {
    const Row* row = Find(safety, trigger);
    if (row == nullptr) continue;
    proposals.push_back({row, std::nullopt, LeftOpen(safety, *row)});
  }
  const bool building = safety.build_runs && std::none_of(proposals.begin(), proposals.end(), [](const Proposal& p) {
                          return p.row->build == Build::kEnds;
                        });
  for (Proposal& p : proposals) p.state = ProposedState(*p.row, !p.open.empty(), building);
  return proposals;
}

bool Has(std::span<const Trigger> triggers, Trigger trigger) {
  return std::find(triggers.begin(), triggers.end(), trigger) != triggers.end();
}

// The causes that the triggers would add in a state.
std::set<Reason> CausesAmong(std::span<const Trigger> triggers, State state) {
  std::set<Reason> causes;
  for (const Row& row : kTable) {
    const bool adds = row.causes == Causes::kAddReason && (row.from & In(state)) != 0;
    if (adds && Has(triggers, row.trigger)) causes.insert(row.reason);
  }
  return causes;
}

State MostSevere(const std::vector<Proposal>& proposals, State otherwise) {
  std::optional<State> worst;
  for (const Proposal& p : proposals) {
    if (p.state && (!worst || Severity(*p.state) > Severity(*worst))) worst = p.state;
  }
  return worst.value_or(otherwise);
}

bool BuildRunsAfter(const Safety& safety, const std::vector<Proposal>& proposals) {
  const auto any = [&](Build build) {
    return std::any_of(proposals.begin(), proposals.end(), [&](const Proposal& p) { return p.row->build == build; });
  };
  if (any(Build::kBegins)) return true;
  return safety.build_runs && !any(Build::kEnds);
}

std::set<Reason> OpenAfter(const Safety& before, const Safety& after, const std::vector<Proposal>& proposals,
                           std::span<const Trigger> triggers) {
  if (after.state != State::kUncertain && after.state != State::kBuilding) return {};
  std::set<Reason> open;
  bool decided = false;
  for (const Proposal& p : proposals) {
    if (p.state != after.state) continue;
    decided = true;
    open.insert(p.open.begin(), p.open.end());
  }
  if (!decided) open = before.causes;
  // A cause beside the trigger that begins a build may have come after it.
  const bool began = before.state != State::kBuilding && after.state == State::kBuilding;
  if (began) open.merge(CausesAmong(triggers, State::kBuilding));
  if (after.watcher_down) open.insert(kWatcherDown);
  return open;
}

std::set<Reason> CoveredAfter(const Safety& before, const Safety& after, std::span<const Trigger> triggers) {
  const bool over = Has(triggers, Trigger::kReconcileCompleted) || Has(triggers, Trigger::kReconcileFailed);
  if (after.state != State::kUncertain || before.build_runs || after.build_runs || over) return {};
  const bool starts = Has(triggers, Trigger::kReconcileStarted) && before.state == State::kUncertain;
  std::set<Reason> covered = Without(starts ? before.causes : before.covered, CausesAmong(triggers, State::kUncertain));
  if (before.watcher_down) covered.erase(kWatcherDown);
  return covered;
}

Reason DisabledAfter(const Safety& before, const Safety& after, const std::vector<Proposal>& proposals) {
  if (after.state != State::kDisabled) return kNone;
  Reason first = kNone;
  for (const Proposal& p : proposals) {
    if (p.state == State::kDisabled && (first == kNone || p.row->reason < first)) first = p.row->reason;
  }
  return first == kNone ? before.disabled : first;
}

bool WatcherDownAfter(const Safety& before, const Safety& after, std::span<const Trigger> triggers) {
  if (before.state == State::kDisabled || after.state == State::kDisabled) return false;  // stopped, not lost
  if (Has(triggers, Trigger::kWatcherDown)) return true;
  return before.watcher_down && !Has(triggers, Trigger::kWatcherStarted);
}

Safety Resolve(const Safety& before, std::span<const Trigger> triggers) {
  const std::vector<Proposal> proposals = ProposalsOf(before, triggers);
  Safety after = before;
  after.state = MostSevere(proposals, before.state);
  after.disabled = DisabledAfter(before, after, proposals);
  after.build_runs =
      (after.state == State::kBuilding || after.state == State::kUncertain) && BuildRunsAfter(before, proposals);
  after.watcher_down = WatcherDownAfter(before, after, triggers);
  after.causes = OpenAfter(before, after, proposals, triggers);
  after.covered = CoveredAfter(before, after, triggers);
  const bool new_epoch = std::any_of(proposals.begin(), proposals.end(),
                                     [](const Proposal& p) { return p.row->new_epoch && p.state == State::kComplete; });
  if (after.state == State::kComplete && new_epoch) ++after.coverage_epoch;
  return after;
}

bool EndsDisabled(Trigger trigger) {
  return trigger == Trigger::kCooldownExpired || trigger == Trigger::kAboveThreshold;
}

}  // namespace

Reason Safety::reason() const {
  if (state == State::kDisabled) return disabled;
  return state == State::kUncertain && !causes.empty() ? *causes.begin() : kNone;
}

Safety Next(const Safety& safety, Trigger trigger) { return Resolve(safety, {&trigger, 1}); }

Safety Next(const Safety& safety, std::span<const Trigger> triggers) {
  std::vector<Trigger> first;
  std::vector<Trigger> rest;
  for (const Trigger trigger : triggers) (EndsDisabled(trigger) ? first : rest).push_back(trigger);
  return Resolve(Resolve(safety, first), rest);
}

bool MayExclude(const Safety& safety) { return safety.state == State::kComplete && safety.causes.empty(); }

}  // namespace forge::index
