#include "indexer/publish/published.h"

#include <thread>

namespace forge::indexer {

void Published::CatchUp() {
  while (true) {
    {
      const Lock lock(mutex);
      if (follower.FollowUntilAsked(now, waiting) == TurnEnd::kDone) return;
    }
    std::this_thread::yield();  // a search waits; it goes on with what is left
  }
}

Need Published::NextNeed(std::int64_t now_ns) const {
  const Lock lock(mutex);
  Situation situation = now.situation();
  if (now.schedule.root_gone()) situation.root_there = os::OpenExactFolder(setup_.root).ok();
  return now.schedule.Next(situation, now_ns);
}

std::int64_t Published::WaitMs(std::int64_t now_ns, std::int64_t most) const {
  const Lock lock(mutex);
  return now.schedule.WaitMs(now.situation(), now_ns, most);
}

index::SnapshotPtr Published::snapshot() const {
  const Lock lock(mutex);
  return now.snapshot;
}

index::Safety Published::safety() const {
  const Lock lock(mutex);
  return now.safety;
}

std::string Published::problem() const {
  const Lock lock(mutex);
  return now.problem;
}

void Published::Describe(IndexStatus& out) const {
  const Lock lock(mutex);
  out.state = now.safety.state;
  out.reason = now.safety.reason();
  out.causes.assign(now.safety.causes.begin(), now.safety.causes.end());
  out.coverage_epoch = now.safety.coverage_epoch;
  out.problem = now.problem;
  out.pending_files = now.queue.size();
  out.unreported_changes = now.unreported;
  if (!now.snapshot) return;
  out.files = now.snapshot->catalog.files();
  out.indexed_files = now.snapshot->catalog.indexed();
  out.segments = now.snapshot->segments.size();
  for (const auto& [id, segment] : now.snapshot->segments) out.documents += segment->doc_count();
  out.bytes_in_memory = now.snapshot->memory();
}

}  // namespace forge::indexer
