// Whether a search may believe the index: six states, one table, one pure
// function.
//
// `Safety` holds a set of open causes of doubt. The reason shown is the first of them,
// and the state is COMPLETE only when the set is empty (F4): so a second cause is not
// forgotten when the first is resolved. What may happen is a Trigger. Next() applies
// the transition table of LSI 4.2.2, with the rows that were missing (F1 to F7, F14)
// and the precedence P1 to P4.
//
//   COMPLETE   + kIgnoreChanged                         UNCERTAIN/ELIGIBILITY_CHANGED
//   UNCERTAIN  + kReconcileStarted, kReconcileCompleted COMPLETE
//   BUILDING   + kIgnoreChanged, kBuildCompleted        UNCERTAIN/ELIGIBILITY_CHANGED
//
// What resolves a cause:
// - A scan (build, reconcile) resolves only what was open when it began: it may have
//   passed a folder before a later cause arose. So a reconcile that was not announced
//   resolves nothing, and neither does one beside a build.
// - WATCHER_DOWN: a watcher that runs again, then a scan. A scan alone brings no
//   watcher back, and a watcher alone does not know what it missed.
//
// Rows of LSI 4.2.2 that are not here, because nothing in this program can cause them,
// or because they say nothing:
// - the mode is switched: an engine has one configuration for life, and with the mode
//   off it has no index
// - persistence is not permitted: the index is kept in memory
// - another key or schema: the key names the files, so they are other files; a file
//   with the wrong key inside is damaged
// - a backlog of changed files, and its end: a changed file is a candidate until it is
//   indexed again, so a backlog casts no doubt
// - a rename that was applied: it is a removal and an addition, as kDirtyApplied
// - waiting for a lock took too long: the row changes no state
//
// A cause during a build makes the state UNCERTAIN at once, as the table says.
// The build continues, and its end does not remove the cause (F3).
//
// A value; its owner guards it. Only the owner knows whether a trigger belongs
// to the build that runs now. It must not pass on triggers of an abandoned
// build.
#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "index/snapshot/state.h"

namespace forge::index {

enum class Trigger {
  kCooldownExpired,
  kFileMissing,
  kBelowThreshold,
  kAboveThreshold,  // re-evaluated while DISABLED/BELOW_THRESHOLD
  kIntegrityFailed,
  kBuildStarted,
  kBuildCompleted,
  kBuildBudgetExceeded,
  kBuildFailedClean,
  kBuildFailedPartial,
  kOpened,
  kWatcherStarted,
  kWatcherOverflow,
  kWatcherDown,
  kIgnoreChanged,
  kPolicyChanged,
  kEnumerationError,
  kEvicted,
  kMemoryExceeded,
  kDirtyApplied,  // dirty at the start of a call, brought up to date in budget
  kMaintBudgetExceeded,
  kReconcileStarted,
  kReconcileCompleted,
  kReconcileFailed,
  kRenameAmbiguous,
};

struct Safety {
  State state = State::kAbsent;
  std::set<Reason> causes;          // for UNCERTAIN, or collected while BUILDING (F3)
  std::set<Reason> covered;         // those of `causes` that the running reconcile will resolve
  Reason disabled = Reason::kNone;  // why it is DISABLED
  bool build_runs = false;          // BUILDING, or UNCERTAIN with a build that goes on
  bool watcher_down = false;        // and not started again since
  std::uint64_t coverage_epoch = 0;

  // The one shown: of UNCERTAIN or DISABLED, else kNone.
  Reason reason() const;
  friend bool operator==(const Safety&, const Safety&) = default;
};

// One thing happened.
Safety Next(const Safety& safety, Trigger trigger);

// Several at once: P1 to P4, whatever their order. Triggers that end DISABLED
// come first (F14). Where the order would matter, we assume the worse one: a
// cause came after the scan that might have resolved it.
Safety Next(const Safety& safety, std::span<const Trigger> triggers);

// The exclusion gate, the only one (FR-LSI-SAFE-02, P3).
bool MayExclude(const Safety& safety);

}  // namespace forge::index
