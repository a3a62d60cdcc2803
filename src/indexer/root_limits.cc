// What a RootIndex does when it fails or reaches a limit: it gives back, waits,
// and tries again, longer each time.
#include <algorithm>
#include <utility>

#include "indexer/root_index.h"

namespace forge::indexer {

using index::Event;

namespace {

// Twice as long each time, up to an hour.
std::int64_t NextCooldown(std::int64_t last_ms, std::int64_t base_ms) {
  constexpr std::int64_t kLongestMs = 3'600'000;
  return last_ms == 0 ? base_ms : std::min(last_ms * 2, kLongestMs);
}

}  // namespace

// What was built so far is given up, with what is stored if it may be `partial`.
void RootIndex::Fail(const Error& error, bool partial) {
  {
    const std::lock_guard lock(mutex_);
    const bool damaged = index::IsDamage(error);
    // A reconcile that fails is no build that fails; what it leaves is no index.
    const Event failed = partial && setup_.store ? Event::kBuildFailedPartial : Event::kBuildFailedClean;
    EventLocked(damaged ? Event::kIntegrityFailed : safety_.build_runs ? failed : Event::kEvicted);
    GiveBackLocked(error.message);
    // Not at all unless asked to (FR-LSI-BG-22). What was damaged is built anew,
    // and a root that is away may come back.
    if (partial && !damaged && !setup_.config.retry_on_failure) reconcile_after_ns_ = INT64_MAX;
  }
  if (partial && Stores()) (void)setup_.store->Clear();
}

// Nothing more can be written: the disk is full, the folder is gone. From now on
// the index is in memory (A16); what is stored stays as it was, and the next
// process compares it with the tree. To store it all again it must be built again.
// That is done after a while; but not if a build failed, unless asked to
// (FR-LSI-BG-22), or if another process was in its way.
void RootIndex::LoseStore(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (store_lost_.exchange(true)) return;
  setup_.storage_fallback = index::IsDiskFull(error) ? "DISK_FULL" : "NOT_CREATABLE";
  store_problem_ = error.message;
  store_cooldown_ms_ = NextCooldown(store_cooldown_ms_, setup_.config.cooldown_base.count());
  const bool again = phase_.empty() || setup_.config.retry_on_failure || index::IsLocked(error);
  store_again_ns_ = again ? os::FileClockNow() + store_cooldown_ms_ * 1'000'000 : INT64_MAX;
}

void RootIndex::StoreAgain(bool thresholds) {
  {
    const std::lock_guard lock(mutex_);
    store_lost_ = false;
    store_problem_.clear();
    setup_.storage_fallback.clear();
    snapshot_ = nullptr;  // its segments are not all stored
    pending_.clear();
    EventLocked(Event::kEvicted);
  }
  Build(thresholds);
}

// The budget bounds all work (FR-LSI-BUD-05), so nothing more is indexed until the
// tree fits it: until it is no larger than the limits, or than what was read in
// the time.
void RootIndex::StopAtBudgetLocked(bool walked, const std::string& why) {
  EventLocked(Event::kBuildBudgetExceeded);
  problem_ = why;
  reconcile_after_ns_ = INT64_MAX;
  const auto limit = [](std::int64_t most) { return most == 0 ? UINT64_MAX : static_cast<std::uint64_t>(most); };
  const std::uint64_t most_files = limit(setup_.config.build_max_files);
  const std::uint64_t most_bytes = limit(setup_.config.build_max_bytes);
  const bool by_time = walked && progress_.files_done < most_files && progress_.bytes_done <= most_bytes;
  fitting_files_ = by_time ? progress_.files_done.load() : most_files;
  fitting_bytes_ = by_time ? progress_.bytes_done.load() : most_bytes;
  cooldown_ms_ = NextCooldown(cooldown_ms_, setup_.config.cooldown_base.count());
  measure_at_ns_ = os::FileClockNow() + cooldown_ms_ * 1'000'000;
}

// Whether the tree fits the budget by now; walking it is all that is done.
void RootIndex::Measure() {
  TreeTracker probe(setup_.sandbox, setup_.root, {setup_.key.hidden, setup_.key.follow, setup_.key.no_ignore},
                    setup_.git, nullptr);
  const Enumeration found = probe.Enumerate(BuildDeadline(), fitting_files_, fitting_bytes_);
  const bool fits = found.finished && found.files <= fitting_files_ && found.bytes <= fitting_bytes_;
  const std::lock_guard lock(mutex_);
  cooldown_ms_ = NextCooldown(cooldown_ms_, setup_.config.cooldown_base.count());
  measure_at_ns_ = fits ? 0 : os::FileClockNow() + cooldown_ms_ * 1'000'000;
  if (!fits) return;
  reconcile_after_ns_ = 0;
  reconcile_failed_ = true;  // as a build, with the budget of one
}

void RootIndex::LeaveDisabledLocked() {
  calls_below_threshold_ = 0;
  disabled_until_ns_ = 0;
  if (safety_.state != index::State::kDisabled) return;
  EventLocked(safety_.disabled == index::Reason::kBelowThreshold ? Event::kAboveThreshold : Event::kCooldownExpired);
}

// What is stored must fit the limits, by evicting others; an index that does not
// fit alone is given up for a while, for building it again would not help (E12).
void RootIndex::EnforceLimits() {
  if (!Stores()) return;
  const auto most = static_cast<std::uint64_t>(setup_.config.max_db_bytes);
  index::Evict(setup_.store_options, most, static_cast<std::uint64_t>(setup_.config.max_indexes),
               index::HashOf(setup_.key));
  if (setup_.store->bytes_on_disk() <= most) return;
  (void)setup_.store->Clear();
  const std::lock_guard lock(mutex_);
  GiveUpLocked("the index is larger than index_max_db_bytes");
}

void RootIndex::GiveUpLocked(const std::string& why) {
  EventLocked(Event::kMemoryExceeded);
  GiveBackLocked(why);
  disabled_until_ns_ = reconcile_after_ns_;
}

// Drops everything, and waits longer each time before the next attempt.
void RootIndex::GiveBackLocked(const std::string& why) {
  problem_ = why;
  snapshot_ = nullptr;
  pending_.clear();
  cooldown_ms_ = NextCooldown(cooldown_ms_, setup_.config.cooldown_base.count());
  reconcile_after_ns_ = os::FileClockNow() + cooldown_ms_ * 1'000'000;
}

}  // namespace forge::indexer
