#include "indexer/publish/views.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "base/mutex.h"
#include "base/path.h"

namespace forge::indexer {

using index::Reason;
using index::State;
using index::Trigger;

namespace {

// Counts a search for as long as it lives.
class Waiting {
 public:
  explicit Waiting(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Waiting() { --count_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  std::atomic<int>& count_;
};

}  // namespace

// The part of the time that a search may spend on the index. A search without a
// deadline counts as one with the configured timeout.
Deadline Views::ShareOf(const Deadline& deadline) const {
  using std::chrono::milliseconds;
  // A timeout may be the longest that there is, which no finer unit can hold.
  const milliseconds left =
      deadline.limited() ? std::chrono::ceil<milliseconds>(deadline.left()) : setup_.default_timeout;
  const double share_ms = static_cast<double>(left.count()) * setup_.config.maint_budget_fraction;
  constexpr double kLongest = 1e15;
  return Deadline::After(static_cast<std::int64_t>(std::min(share_ms, kLongest)), deadline.cancel());
}

View Views::Begin(const ViewRequest& request, const Deadline& deadline) {
  const Deadline share = request.peek ? deadline : ShareOf(deadline);
  const Waiting waiting(published_.waiting);
  if (!LockWithin(published_.mutex, share)) return BusyView();
  const Lock lock(published_.mutex, std::adopt_lock);
  return BeginWith(published_.now, request, share);
}

View Views::Look(const Deadline& deadline) {
  const Waiting waiting(published_.waiting);
  if (!LockWithin(published_.mutex, ShareOf(deadline))) return BusyView();
  const Lock lock(published_.mutex, std::adopt_lock);
  View view = Blank();
  view.state = published_.now.safety.state;
  view.reason = published_.now.safety.reason();
  return view;
}

void Views::ReportDamage(const Error& error) {
  const Lock lock(published_.mutex);
  Damage(published_.now, error);
}

View Views::Blank() const {
  View view;
  view.storage = store_.storage();
  view.storage_fallback = store_.fallback();
  return view;
}

// FR-LSI-BUD-02: a request that could not get at the index in its share goes
// without it.
View Views::BusyView() const {
  View view = Blank();
  view.state = State::kUncertain;
  view.reason = Reason::kMaintBudgetExceeded;
  view.bypass = Reason::kMaintBudgetExceeded;
  view.doubts_arose = true;
  return view;
}

View Views::BeginWith(Contents& now, const ViewRequest& request, const Deadline& share) {
  View view = Blank();
  view.prefix = std::string(RelativeTo(request.folder, setup_.root));
  if (now.schedule.Searched(now.situation(), request.counted, setup_.clocks->FileNs())) wake_.Ring();
  if (!request.peek && published_.follower.trust(now) == Trust::kFull) CatchUp(now, share, view);
  view.state = now.safety.state;
  view.reason = now.safety.reason();
  view.bypass = BypassOf(now, request);
  if (view.bypass) return view;
  view.snapshot = now.snapshot;
  view.trusted = IsTrusted(now, request, view.prefix);
  return view;
}

void Views::CatchUp(Contents& now, const Deadline& share, View& view) {
  const TurnEnd end = published_.follower.Follow(now, {share, nullptr});
  if (end == TurnEnd::kTooShort) now.Happen(Trigger::kMaintBudgetExceeded);
  view.doubts_arose = published_.follower.trust(now) != Trust::kFull;
  if (view.doubts_arose) wake_.Ring();
}

std::optional<BypassReason> Views::BypassOf(const Contents& now, const ViewRequest& request) const {
  // A request may see no more than the index does (FR-LSI-IDX-SCHED-04).
  if (!setup_.key.traversal.Covers(request.traversal)) return Bypass::kKeyDiffers;
  if (!setup_.trustworthy_stamps) return Bypass::kRemoteFileSystem;
  if (published_.follower.trust(now) != Trust::kNone) return std::nullopt;
  const Reason reason = now.safety.reason();
  return reason == Reason::kNone ? BypassReason(now.safety.state) : BypassReason(reason);
}

bool Views::IsTrusted(const Contents& now, const ViewRequest& request, const std::string& prefix) const {
  return published_.follower.trust(now) == Trust::kFull &&
         request.traversal.no_ignore == setup_.key.traversal.no_ignore &&
         request.traversal.follow == setup_.key.traversal.follow && tracker_.CoversFolder(prefix);
}

void Views::Damage(Contents& now, const Error& error) {
  now.Happen(Trigger::kIntegrityFailed);
  now.Drop(error.message);
  wake_.Ring();
}

}  // namespace forge::indexer
