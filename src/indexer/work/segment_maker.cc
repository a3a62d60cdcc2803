#include "indexer/work/segment_maker.h"

#include <utility>

namespace forge::indexer {
namespace {

std::uint64_t MemoryOf(const index::Segments& segments) {
  std::uint64_t bytes = 0;
  for (const auto& [id, segment] : segments) bytes += segment->memory();
  return bytes;
}

}  // namespace

SegmentMaker::SegmentMaker(const RootSetup& setup, Throttle& throttle, StoreLink& store)
    : setup_(setup),
      throttle_(throttle),
      store_(store),
      files_(SearchRoot::Open(*setup.sandbox, setup.root, setup.key.traversal.follow)) {}

void SegmentMaker::Reopen() { files_ = SearchRoot::Open(*setup_.sandbox, setup_.root, setup_.key.traversal.follow); }

Status SegmentMaker::EnsureOpen() {
  if (!files_.ok()) Reopen();
  if (files_.ok()) return {};
  return ExecutionFailed("cannot open " + setup_.root + ": " + files_.error().message());
}

TokenizeOptions SegmentMaker::OptionsOf(const Job& job) const {
  TokenizeOptions options;
  options.make_builder = setup_.make_builder;
  options.threads = job.one_thread ? 1 : setup_.threads;
  options.low_priority = setup_.low_priority;
  options.size_limit = setup_.size_limit;
  options.stamp_granularity_ns = setup_.stamp_granularity_ns;
  options.clocks = setup_.clocks;
  options.deadline = job.deadline;
  options.max_bytes = job.most_bytes;
  return options;
}

SegmentMaker::Outcome SegmentMaker::Make(const Job& job, TokenizeProgress& progress, index::Segments& segments) {
  Outcome out;
  const auto most_memory = static_cast<std::uint64_t>(setup_.config.max_memory_bytes);
  const SegmentSink sink = [&](std::string image) -> Result<index::SegmentId> {
    out.over_limit = !store_.MakeRoom(image.size());
    if (out.over_limit) return ExecutionFailed(kOverDisk);
    auto id = store_.Keep(std::move(image), segments);
    if (!id) return id;
    out.made.push_back(*id);
    out.over_limit = job.held + MemoryOf(segments) > most_memory;
    if (out.over_limit) return ExecutionFailed(kOverMemory);
    return id;
  };
  out.end = TokenizeRows(*files_, job.rows, OptionsOf(job), throttle_, sink, progress, out.error);
  return out;
}

}  // namespace forge::indexer
