#include "indexer/runner.h"

#include <atomic>
#include <system_error>

#include "base/names.h"
#include "os/priority.h"

namespace forge::indexer {
namespace {

constexpr std::int64_t kIdleMs = 24 * 3600 * 1000;  // the longest wait when nothing is due
constexpr std::int64_t kProgressMs = 100;           // between words of progress

// Builds in a thread of its own, while this one reports.
BuildEnd BuildAndReport(RootIndex& root, const std::function<void(const IndexStatus&)>& progress,
                        const CancelToken& cancel) {
  BuildEnd end = BuildEnd::kFailed;
  std::atomic<bool> done = false;
  std::thread work([&] {
    end = root.Build(root.automatic());
    done = true;
    root.wake().Ring();
  });
  while (!done) {
    root.wake().Wait(-1, kProgressMs);
    if (progress && !done) progress(root.status());
    if (cancel.cancelled()) root.Stop();
  }
  work.join();
  return end;
}

// Reads files again that were read too soon. That may still lose the index.
BuildEnd Settle(RootIndex& root, BuildEnd end) {
  switch (root.SettleNow()) {
    case UpdateEnd::kKept: return end;
    case UpdateEnd::kOverLimit: return BuildEnd::kOverLimit;
    case UpdateEnd::kFailed: break;
  }
  return BuildEnd::kFailed;
}

// Saves what is left to save. That may still lose the store.
BuildEnd Save(RootIndex& root, BuildEnd end) {
  root.Close();
  const bool lost = end == BuildEnd::kStored && root.storage() != IndexStorage::kSqlite;
  return lost ? BuildEnd::kNotStored : end;
}

Status StatusOf(BuildEnd end, const RootIndex& root) {
  const auto failed = [&](const std::string& what) {
    return ExecutionFailed("the index of " + root.root() + " could not be " + what + ": " + root.status().problem);
  };
  switch (end) {
    case BuildEnd::kStored:
    case BuildEnd::kInMemory:
    case BuildEnd::kTooSmall: return {};
    case BuildEnd::kNotStored: return failed("stored");
    case BuildEnd::kOverBudget:
    case BuildEnd::kOverLimit:
    case BuildEnd::kFailed: return failed("built");
    case BuildEnd::kStopped: break;
  }
  return Cancelled();
}

}  // namespace

std::unique_ptr<Runner> Runner::Start(RootIndex& root, bool automatic, bool low_priority) {
  try {
    return std::unique_ptr<Runner>(new Runner(root, automatic, low_priority));
  } catch (const std::system_error&) {
    return nullptr;
  }
}

Runner::Runner(RootIndex& root, bool automatic, bool low_priority)
    : root_(root), thread_([this, automatic, low_priority] { Run(automatic, low_priority); }) {}

Runner::~Runner() {
  Stop();
  thread_.join();
}

void Runner::Run(bool automatic, bool low_priority) {
  if (low_priority) os::LowerThisThread();
  root_.Open();
  while (!root_.stopped()) {
    const std::int64_t now = root_.clocks().FileNs();
    const bool worked = root_.Work(now, automatic);
    root_.LogProblem();
    if (worked) continue;
    if (root_.wake().Wait(root_.watch_fd(), root_.NextLookMs(now, kIdleMs))) root_.CatchUp();
  }
  root_.Close();
  const Lock lock(mutex_);
  ended_ = true;
  change_.NotifyAll();
}

void Runner::Stop() {
  root_.Stop();
  root_.wake().Ring();
}

void Runner::AwaitOrAbandon(const Deadline& deadline) {
  Lock lock(mutex_);
  while (!ended_ && change_.WaitUntil(mutex_, deadline.at())) continue;
  if (!ended_) root_.Abandon();
}

Status BuildNow(RootIndex& root, const std::function<void(const IndexStatus&)>& progress, const CancelToken& cancel) {
  if (Status free = root.HasNoOtherWriter(); !free) return free;
  if (const auto reason = root.status().storage_fallback_reason) {
    return ExecutionFailed("the index of " + root.root() + " cannot be stored: " + std::string(Name(*reason)));
  }
  BuildEnd end = BuildAndReport(root, progress, cancel);
  if (!cancel.cancelled()) end = Settle(root, end);
  end = Save(root, end);
  if (progress) progress(root.status());
  return StatusOf(cancel.cancelled() ? BuildEnd::kStopped : end, root);
}

}  // namespace forge::indexer
