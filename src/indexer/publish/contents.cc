#include "indexer/publish/contents.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace forge::indexer {
namespace {

ScheduleSettings SettingsOf(const RootSetup& setup) {
  const IndexConfig& config = setup.config;
  ScheduleSettings settings;
  settings.cooldown_base_ms = config.cooldown_base.count();
  settings.debounce_ms = config.watch_debounce.count();
  settings.reevaluate_after_calls = config.auto_reeval_calls;
  if (config.integrity_check == IntegrityCheck::kPeriodic) settings.check_after_calls = config.integrity_period_calls;
  settings.stamp_granularity_ns = setup.stamp_granularity_ns;
  settings.retry_on_failure = config.retry_on_failure;
  return settings;
}

}  // namespace

Contents::Contents(const RootSetup& setup) : schedule(SettingsOf(setup)) {}

void Contents::Swap(const index::IndexKey& key, index::Catalog catalog, index::Segments segments) {
  auto next = std::make_shared<index::Snapshot>();
  next->key = key;
  next->catalog = std::move(catalog);
  next->segments = std::move(segments);
  snapshot = std::move(next);
}

void Contents::Drop() {
  snapshot = nullptr;
  pending = {};
  queue.Clear();
  removed.clear();
}

Situation Contents::situation() const {
  return {.safety = safety,
          .has_snapshot = snapshot != nullptr,
          .first_due_ns = queue.FirstDue(),
          .removed_waits = !removed.empty()};
}

std::int64_t SettlesAt(const RootSetup& setup, std::int64_t ctime_ns) {
  const std::int64_t granularity_ns = setup.stamp_granularity_ns;
  return std::min(std::max(setup.clocks->FileNs(), ctime_ns), INT64_MAX - granularity_ns) + granularity_ns;
}

}  // namespace forge::indexer
