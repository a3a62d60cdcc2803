#include "indexer/runner.h"

#include <atomic>
#include <system_error>

#include "base/names.h"
#include "os/priority.h"

namespace forge::indexer {
namespace {

constexpr std::int64_t kIdleMs = 24 * 3600 * 1000;  // the longest wait when nothing is due
constexpr std::int64_t kProgressMs = 100;           // between words of progress

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
  const IndexStorage storage = root.storage();
  std::atomic<bool> done = false;
  std::thread work([&] {
    root.Build(root.automatic());
    done = true;
    root.wake().Ring();
  });
  while (!done) {
    root.wake().Wait(-1, kProgressMs);
    if (progress && !done) progress(root.status());
    if (cancel.cancelled()) root.Stop();
  }
  work.join();
  if (!cancel.cancelled()) root.SettleNow();
  root.Close();
  if (progress) progress(root.status());
  if (cancel.cancelled()) return Cancelled();
  const index::Safety safety = root.safety();
  const bool none = safety.state == index::State::kAbsent || safety.state == index::State::kCorrupt;
  const bool too_large = safety.disabled == index::Reason::kMemoryBudgetExceeded;
  if (none || too_large || safety.causes.contains(index::Reason::kBuildBudgetExceeded)) {
    return ExecutionFailed("the index of " + root.root() + " could not be built: " + root.status().problem);
  }
  if (root.storage() != storage) {
    return ExecutionFailed("the index of " + root.root() + " could not be stored: " + root.status().problem);
  }
  return {};
}

}  // namespace forge::indexer
