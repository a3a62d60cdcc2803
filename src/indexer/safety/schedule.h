// What the index of a root needs next, and when: a value without clock, lock or
// file, so that tests drive it step by step.
//
// The safety state (safety.h) says whether a search may believe the index. The
// schedule remembers the rest: when a failed build may be tried again, how many
// searches went by since the last check, whether the store is lost. Its owner
// tells it what happened, with the time, and asks what to do:
//
//   schedule.Failed({.partial = true, .damaged = false}, now);   // a build failed
//   schedule.Next(situation, now);                               // kNothing
//   schedule.Next(situation, now + a minute);                    // kBuild
//
// What Next() answers, by state:
//
//   any but DISABLED   kStoreAgain  the store is lost, and its cooldown is over
//   ABSENT, CORRUPT    kBuild       unless a failed build still cools down
//   BUILDING           kBuild       a build was cut short
//   UNCERTAIN          kMeasure     a build stopped at its budget: does the tree fit by now?
//                      kReconcile   a bounded scan; kBuild after one that did not fit
//   COMPLETE           kMaintain    a changed file has rested long enough
//                      kSweep       the next rows are to be compared with their files
//   both               kCheck       enough searches since the last look at what is stored
//   DISABLED           kReevaluate  enough searches, or the cooldown is over
//
// Sweeps, and repeated scans that only a person can make unnecessary (more
// watches, other permissions), happen only while searches come. Two minutes after
// the last search nothing is due: a server that nobody asks does nothing.
//
// Cooldowns begin at the configured time and double up to an hour. Two count
// apart: one for building, one for storing. Scans of a tree that cannot be watched
// come after 30 seconds, then after twice as long each time. Times are nanoseconds of the file
// clock; 0 is "at once" and kNever is never.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "indexer/safety/safety.h"

namespace forge::indexer {

enum class Need { kNothing, kBuild, kReconcile, kMaintain, kReevaluate, kStoreAgain, kCheck, kMeasure, kSweep };
std::string_view ToString(Need need);

struct ScheduleSettings {
  std::int64_t cooldown_base_ms = 60'000;
  std::int64_t debounce_ms = 0;                        // how long a changed file rests
  std::int64_t reevaluate_after_calls = 0;             // searches until we look again at a tree that was too small
  std::optional<std::int64_t> check_after_calls = {};  // empty: never
  std::int64_t stamp_granularity_ns = 0;
  bool retry_on_failure = false;
};

// Facts that the schedule does not remember itself.
struct Situation {
  const index::Safety& safety;
  bool has_snapshot = false;
  std::optional<std::int64_t> first_due_ns = {};  // of the changed files that wait; empty: none waits
  bool root_there = true;                         // matters only while root_gone()
  bool removed_waits = false;                     // files are gone that are still stored
};

class Schedule {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  // The size of a tree that a build can manage.
  struct Budget {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  struct Failure {
    bool partial = false;  // some of it was built; else the root could not be opened
    bool damaged = false;  // what is stored is damaged: building anew cures it
  };
  struct Loss {
    bool building = false;  // else: an update could not be stored
    bool locked = false;    // another process held the lock
  };

  explicit Schedule(const ScheduleSettings& settings) : settings_(settings) {}

  Need Next(const Situation& situation, std::int64_t now_ns) const;
  // How long the owner may wait before it asks again, at most `most`.
  std::int64_t WaitMs(const Situation& situation, std::int64_t now_ns, std::int64_t most) const;

  // --- searches ---
  // True if this search makes a step due. Only `counted` ones bring the next check
  // and the next look at a small tree nearer.
  bool Searched(const Situation& situation, bool counted, std::int64_t now_ns);

  // --- sweeps ---
  // How many of so many rows the sweep that is due looks at: each row once a
  // minute.
  std::uint64_t RowsToSweep(std::uint64_t rows, std::int64_t now_ns) const;
  void Swept(std::int64_t now_ns);

  // --- scans ---
  void LeftDisabled();
  void ScanStarted() { root_gone_ = scan_if_asked_ = false; }
  // Before the end of a scan: whether it could not watch the tree. Each further scan
  // that cannot comes after twice the time.
  void Unwatched(bool failed) { watch_failed_ = failed; }
  void BuildStarted() { measure_at_ns_ = 0; }
  // `safety` is the state after it.
  void BuildCompleted(const index::Safety& safety, std::int64_t now_ns);
  void ReconcileEnded(bool done, const index::Safety& safety, std::int64_t now_ns);
  // Nothing more is indexed until the tree fits (FR-LSI-BUD-05).
  void BudgetReached(Budget fits, std::int64_t now_ns);
  void Measured(bool fits, std::int64_t now_ns);
  void Failed(Failure failure, std::int64_t now_ns);
  // The index is over a limit, and DISABLED for a while.
  void GaveUp(std::int64_t now_ns);

  // --- changes ---
  // True if it is the first since the queue was empty.
  bool Changed(std::int64_t now_ns);
  void QueueEmptied() { last_change_ns_ = 0; }
  void RootGone() { root_gone_ = true; }

  // --- the store ---
  void Checked() { calls_since_check_ = 0; }
  void StoreLost(Loss loss, std::int64_t now_ns);
  void StoreFound() { store_again_ns_.reset(); }
  void Stored() { store_cooldown_ms_ = 0; }

  bool root_gone() const { return root_gone_; }
  Budget budget() const { return budget_; }

 private:
  bool IsAsked(std::int64_t now_ns) const;
  bool IsCheckDue(const Situation& situation) const;
  bool IsReevaluationDue(const index::Safety& safety, std::int64_t now_ns) const;
  Need NextOfUncertain(const Situation& situation, std::int64_t now_ns) const;
  std::int64_t MaintainAt(const Situation& situation) const;  // kNever: nothing waits
  std::int64_t ScanAgainAt(const index::Safety& safety, std::int64_t now_ns);
  // Lengthens the cooldown and returns when it is over.
  std::int64_t CooledDownAt(std::int64_t& cooldown_ms, std::int64_t now_ns) const;

  ScheduleSettings settings_;
  // Scans.
  std::int64_t scan_after_ns_ = 0;
  bool as_build_ = false;  // a reconcile did not fit its budget (F8)
  std::int64_t cooldown_ms_ = 0;
  bool root_gone_ = false;
  bool scan_if_asked_ = false;  // the next scan waits for a search
  bool watch_failed_ = false;
  std::int64_t patience_ms_ = 0;  // before the last scan of those that could not watch; 0: there was none
  // Searches and sweeps.
  std::int64_t last_search_ns_ = 0;  // 0: there was none
  std::int64_t last_sweep_ns_ = 0;
  // A build that stopped at its budget.
  std::int64_t measure_at_ns_ = 0;  // 0: there is nothing to measure
  Budget budget_;
  // DISABLED.
  std::int64_t disabled_until_ns_ = 0;  // 0: not by a cooldown
  std::int64_t calls_below_threshold_ = 0;
  // The store.
  std::int64_t calls_since_check_ = 0;
  std::optional<std::int64_t> store_again_ns_;  // empty: it is not lost
  std::int64_t store_cooldown_ms_ = 0;
  // Changed files.
  std::int64_t last_change_ns_ = 0;  // 0: the queue was empty since
};

}  // namespace forge::indexer
