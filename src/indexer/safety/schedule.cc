#include "indexer/safety/schedule.h"

#include <algorithm>
#include <array>

namespace forge::indexer {

using index::Reason;
using index::Safety;
using index::State;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kLongestCooldownMs = 3'600'000;
constexpr std::int64_t kPatienceMs = 30'000;
constexpr std::int64_t kAskedNs = 120'000 * kMs;       // how long a search counts as recent
constexpr std::int64_t kSweepPeriodNs = 60'000 * kMs;  // for all rows
constexpr std::int64_t kSweepStepNs = 500 * kMs;
constexpr std::int64_t kRootPollNs = 1'000 * kMs;

}  // namespace

std::string_view ToString(Need need) {
  constexpr std::array<std::string_view, 9> kNames = {"nothing",     "build", "reconcile", "maintain", "reevaluate",
                                                      "store again", "check", "measure",   "sweep"};
  return kNames.at(static_cast<std::size_t>(need));
}

Need Schedule::Next(const Situation& situation, std::int64_t now_ns) const {
  const Safety& safety = situation.safety;
  if (store_again_ns_ && safety.state != State::kDisabled && now_ns >= *store_again_ns_) return Need::kStoreAgain;
  switch (safety.state) {
    case State::kAbsent:
    case State::kCorrupt: return now_ns >= scan_after_ns_ ? Need::kBuild : Need::kNothing;
    case State::kBuilding: return Need::kBuild;
    case State::kDisabled: return IsReevaluationDue(safety, now_ns) ? Need::kReevaluate : Need::kNothing;
    case State::kUncertain: return NextOfUncertain(situation, now_ns);
    case State::kComplete: break;
  }
  if (MaintainAt(situation) <= now_ns) return Need::kMaintain;
  if (IsCheckDue(situation)) return Need::kCheck;
  const bool sweep = now_ns < last_sweep_ns_ || now_ns >= last_sweep_ns_ + kSweepStepNs;
  return IsAsked(now_ns) && sweep ? Need::kSweep : Need::kNothing;
}

Need Schedule::NextOfUncertain(const Situation& situation, std::int64_t now_ns) const {
  if (measure_at_ns_ != 0 && now_ns >= measure_at_ns_) return Need::kMeasure;
  if (now_ns < scan_after_ns_ || scan_if_asked_) return IsCheckDue(situation) ? Need::kCheck : Need::kNothing;
  if (root_gone_ && !situation.root_there) return Need::kNothing;
  return as_build_ ? Need::kBuild : Need::kReconcile;
}

std::int64_t Schedule::WaitMs(const Situation& situation, std::int64_t now_ns, std::int64_t most) const {
  std::int64_t at = now_ns + most * kMs;
  const auto consider = [&](std::int64_t time) {
    if (time != 0) at = std::min(at, std::max(time, now_ns));
  };
  const State state = situation.safety.state;
  const bool scans = state != State::kComplete && state != State::kDisabled;
  if (scans && !scan_if_asked_ && !root_gone_) consider(scan_after_ns_);
  if (scans && root_gone_ && IsAsked(now_ns)) consider(now_ns + kRootPollNs);
  if (state == State::kUncertain) consider(measure_at_ns_);
  if (state == State::kDisabled) consider(disabled_until_ns_);
  if (store_again_ns_ && state != State::kDisabled) consider(*store_again_ns_);
  if (state == State::kComplete) consider(MaintainAt(situation));
  if (state == State::kComplete && IsAsked(now_ns)) consider(last_sweep_ns_ + kSweepStepNs);
  return (at - now_ns) / kMs + 1;
}

std::int64_t Schedule::MaintainAt(const Situation& situation) const {
  if (!situation.first_due_ns && !situation.removed_waits) return kNever;
  const std::int64_t due = situation.removed_waits ? 0 : *situation.first_due_ns;
  return std::max(due, last_change_ns_ + settings_.debounce_ms * kMs);
}

bool Schedule::IsAsked(std::int64_t now_ns) const {
  return last_search_ns_ != 0 && now_ns >= last_search_ns_ && now_ns - last_search_ns_ < kAskedNs;
}

std::uint64_t Schedule::RowsToSweep(std::uint64_t rows, std::int64_t now_ns) const {
  // A sweep that comes late does not make up for it all at once.
  const auto passed_ms = static_cast<std::uint64_t>(
      std::clamp((now_ns - last_sweep_ns_) / kMs, kSweepStepNs / kMs, 2 * kSweepStepNs / kMs));
  return rows * passed_ms / (kSweepPeriodNs / kMs) + 1;
}

void Schedule::Swept(std::int64_t now_ns) { last_sweep_ns_ = now_ns; }

bool Schedule::IsCheckDue(const Situation& situation) const {
  return situation.has_snapshot && settings_.check_after_calls && calls_since_check_ >= *settings_.check_after_calls;
}

bool Schedule::IsReevaluationDue(const Safety& safety, std::int64_t now_ns) const {
  const bool asked_often =
      safety.disabled == Reason::kBelowThreshold && calls_below_threshold_ >= settings_.reevaluate_after_calls;
  return asked_often || (disabled_until_ns_ != 0 && now_ns >= disabled_until_ns_);
}

bool Schedule::Searched(const Situation& situation, bool counted, std::int64_t now_ns) {
  const Safety& safety = situation.safety;
  bool due = !IsAsked(now_ns) || scan_if_asked_ || root_gone_;
  if (!IsAsked(now_ns)) last_sweep_ns_ = now_ns;  // the first step comes after its pause
  last_search_ns_ = now_ns;
  scan_if_asked_ = false;
  if (!counted) return due;
  if (safety.state == State::kDisabled && safety.disabled == Reason::kBelowThreshold) {
    due |= ++calls_below_threshold_ >= settings_.reevaluate_after_calls;
  }
  ++calls_since_check_;
  return due || IsCheckDue(situation);
}

void Schedule::LeftDisabled() {
  calls_below_threshold_ = 0;
  disabled_until_ns_ = 0;
}

void Schedule::BuildCompleted(const Safety& safety, std::int64_t now_ns) {
  cooldown_ms_ = 0;
  as_build_ = false;
  scan_after_ns_ = ScanAgainAt(safety, now_ns);
}

void Schedule::ReconcileEnded(bool done, const Safety& safety, std::int64_t now_ns) {
  as_build_ = !done;  // F8: a build does what did not fit, and reuses what holds
  scan_after_ns_ = done ? ScanAgainAt(safety, now_ns) : 0;
}

// When to scan again after a scan that left doubts: soon if time resolves them.
// Later, and only if a search comes, if a person has to raise a limit or repair
// permissions, or if nothing watches and scans are all there is.
std::int64_t Schedule::ScanAgainAt(const Safety& safety, std::int64_t now_ns) {
  scan_if_asked_ = false;
  const bool again = watch_failed_ && patience_ms_ != 0;
  const std::int64_t patience = again ? std::min(patience_ms_ * 2, kLongestCooldownMs) : kPatienceMs;
  patience_ms_ = watch_failed_ ? patience : 0;
  if (safety.state == State::kComplete) return 0;
  scan_if_asked_ = safety.causes.contains(Reason::kWatcherDown) || safety.causes.contains(Reason::kEnumerationError);
  return now_ns + (scan_if_asked_ ? patience * kMs : settings_.stamp_granularity_ns);
}

void Schedule::BudgetReached(Budget fits, std::int64_t now_ns) {
  scan_after_ns_ = kNever;
  budget_ = fits;
  measure_at_ns_ = CooledDownAt(cooldown_ms_, now_ns);
}

void Schedule::Measured(bool fits, std::int64_t now_ns) {
  measure_at_ns_ = CooledDownAt(cooldown_ms_, now_ns);
  if (!fits) return;
  measure_at_ns_ = 0;
  scan_after_ns_ = 0;
  as_build_ = true;  // with the budget of a build
}

void Schedule::Failed(Failure failure, std::int64_t now_ns) {
  scan_after_ns_ = CooledDownAt(cooldown_ms_, now_ns);
  // A failed build is repeated only if the configuration asks for it
  // (FR-LSI-BG-22). But a damaged index is built anew, and a missing root may
  // come back.
  if (failure.partial && !failure.damaged && !settings_.retry_on_failure) scan_after_ns_ = kNever;
}

void Schedule::GaveUp(std::int64_t now_ns) {
  scan_after_ns_ = CooledDownAt(cooldown_ms_, now_ns);
  disabled_until_ns_ = scan_after_ns_;
}

bool Schedule::Changed(std::int64_t now_ns) {
  const bool first = last_change_ns_ == 0;
  last_change_ns_ = now_ns;
  return first;
}

// To store everything again, we must build it again, after a while. If a build
// could not be stored, that happens only if the configuration asks for it
// (FR-LSI-BG-22), or if another process held the lock.
void Schedule::StoreLost(Loss loss, std::int64_t now_ns) {
  const std::int64_t cooled_down = CooledDownAt(store_cooldown_ms_, now_ns);
  store_again_ns_ = !loss.building || settings_.retry_on_failure || loss.locked ? cooled_down : kNever;
}

std::int64_t Schedule::CooledDownAt(std::int64_t& cooldown_ms, std::int64_t now_ns) const {
  cooldown_ms = cooldown_ms == 0 ? settings_.cooldown_base_ms : std::min(cooldown_ms * 2, kLongestCooldownMs);
  return now_ns + cooldown_ms * kMs;
}

}  // namespace forge::indexer
