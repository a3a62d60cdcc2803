#include "indexer/publish/follower.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace forge::indexer {

using index::Reason;
using index::State;
using index::Trigger;

namespace {

constexpr std::int64_t kStepMs = 20;

// Doubts that a request can resolve itself, by looking at every file.
bool IsSettledByWalking(Reason reason) {
  return reason == Reason::kOpenRequiresValidation || reason == Reason::kWatcherDown;
}

std::vector<Trigger> TriggersOf(const TreeChanges& changes) {
  std::vector<Trigger> triggers;
  if (changes.overflow) triggers.push_back(Trigger::kWatcherOverflow);
  if (changes.broken || changes.root_gone) triggers.push_back(Trigger::kWatcherDown);
  if (changes.rules_changed) triggers.push_back(Trigger::kIgnoreChanged);
  if (changes.hidden_by_error) triggers.push_back(Trigger::kEnumerationError);
  if (changes.linked) triggers.push_back(Trigger::kRenameAmbiguous);
  return triggers;
}

}  // namespace

Trust Follower::trust(const Contents& now) const {
  if (!now.snapshot || !setup_.trustworthy_stamps) return Trust::kNone;
  // MayExclude is the exclusion gate. A request that walks sees every file
  // itself.
  if (index::MayExclude(now.safety)) return tracker_.watching() ? Trust::kFull : Trust::kValidate;
  const bool walkable = now.safety.state == State::kUncertain && !now.safety.build_runs &&
                        std::all_of(now.safety.causes.begin(), now.safety.causes.end(), IsSettledByWalking);
  return walkable ? Trust::kValidate : Trust::kNone;
}

TurnEnd Follower::Follow(Contents& now, const Turn& turn) {
  if (Apply(now, turn) == TurnEnd::kTooShort) return TurnEnd::kTooShort;
  Take(now, turn);
  const TurnEnd applied = Apply(now, turn);
  if (index::MayExclude(now.safety) && !setup_.key.traversal.no_ignore && tracker_.RulesChanged()) {
    now.Happen(Trigger::kIgnoreChanged);
  }
  if (!index::MayExclude(now.safety)) return TurnEnd::kDone;
  return tracker_.has_backlog() ? TurnEnd::kTooShort : applied;
}

TurnEnd Follower::FollowUntilAsked(Contents& now, const std::atomic<int>& waiting) {
  if (!now.snapshot) {
    tracker_.Discard();
    return TurnEnd::kDone;
  }
  // Events that come too late for a search still say what to index again.
  if (trust(now) != Trust::kNone && index::MayExclude(now.safety) && tracker_.hears()) {
    const TurnEnd end = Follow(now, {Deadline(), &waiting});
    if (!index::MayExclude(now.safety)) wake_.Ring();
    return end;
  }
  // No search trusts the catalog now, and the next scan sees these changes.
  const Turn turn{Deadline::After(kStepMs), &waiting};
  now.pending = {};
  Take(now, turn);
  Apply(now, turn);
  now.pending = {};
  tracker_.ForgetBacklog();
  return TurnEnd::kDone;
}

// Finds out what changed. Requires that nothing is pending.
void Follower::Take(Contents& now, const Turn& turn) {
  now.pending = {.changes = tracker_.Drain(now.snapshot->catalog, turn)};
  const TreeChanges& changes = now.pending.changes;
  if (!now.pending.empty() && now.schedule.Changed(setup_.clocks->FileNs())) wake_.Ring();
  if (const std::vector<Trigger> triggers = TriggersOf(changes); !triggers.empty()) now.Happen(triggers);
  if (!changes.root_gone) return;
  now.schedule.RootGone();
  now.problem = "the root is gone";
}

TurnEnd Follower::Apply(Contents& now, const Turn& turn) {
  if (!now.pending.empty()) ApplyNext(now, turn);
  return now.pending.empty() ? TurnEnd::kDone : TurnEnd::kTooShort;
}

// Pages of the catalog are copied one by one, so that the turn can end between
// two of them. The first is always done: many short turns get there, too.
void Follower::ApplyNext(Contents& now, const Turn& turn) {
  auto rows = now.pending.rows();
  auto removed = now.pending.removed();
  const auto all_rows = rows;
  const auto all_removed = removed;
  index::Catalog catalog = now.snapshot->catalog.WithSome(rows, removed, [&] { return turn.over(); });
  now.Swap(setup_.key, std::move(catalog), now.snapshot->segments);
  now.pending.rows_done += all_rows.size() - rows.size();
  now.pending.removed_done += all_removed.size() - removed.size();
  for (const index::CatalogRow& row : all_rows.first(all_rows.size() - rows.size())) {
    if (row.kind == index::CatalogRow::Kind::kFile) {
      now.queue.Add(row.path, setup_.clocks->FileNs(), 0);
      texts_.Forget(row.info);
    }
    now.removed.erase(row.path);
  }
  for (const std::string& path : all_removed.first(all_removed.size() - removed.size())) {
    now.queue.Remove(path);
    if (store_.writes()) now.removed.insert(path);
  }
}

}  // namespace forge::indexer
