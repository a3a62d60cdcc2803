#include "backend/ordered_work.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace forge {
namespace {

constexpr std::size_t kLargestBatch = 32;
constexpr std::size_t kWindow = 64;         // batches
constexpr std::uint64_t kStartThreads = 4;  // after so many batches

}  // namespace

OrderedWork::OrderedWork(unsigned threads, FileSource& source, OutcomeSink& sink, Work work)
    : threads_(threads), source_(source), sink_(sink), work_(std::move(work)) {}

OrderedWork::~OrderedWork() { Stop(); }

void OrderedWork::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

// Small batches first: whoever wants few results gets them from few files.
OrderedWork::Batch* OrderedWork::TakeBatch() {
  if (exhausted_ || stopping_ || window_.size() >= kWindow) return nullptr;
  const std::size_t size = std::min<std::size_t>(1 + batches_, kLargestBatch);
  Batch batch;
  FileItem item;
  while (batch.items.size() < size) {
    if (!source_.Next(item)) {
      exhausted_ = true;
      break;
    }
    batch.items.push_back(std::move(item));
  }
  if (batch.items.empty()) return nullptr;
  ++batches_;
  window_.push_back(std::move(batch));
  return &window_.back();  // a deque's elements stay where they are
}

void OrderedWork::WorkOn(Batch& batch, unsigned worker, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const bool complete = work_(worker, batch.items, batch.outcomes);
  lock.lock();
  batch.interrupted = !complete;
  batch.done = true;
  changed_.notify_all();
}

void OrderedWork::WorkerLoop(unsigned worker) {
  std::unique_lock lock(mutex_);
  while (!stopping_ && !exhausted_) {
    if (Batch* batch = TakeBatch()) {
      WorkOn(*batch, worker, lock);
    } else if (!exhausted_) {
      changed_.wait(lock);
    }
  }
}

void OrderedWork::StartThreads() {
  try {
    for (unsigned i = 1; i < threads_; ++i) workers_.emplace_back([this, i] { WorkerLoop(i); });
  } catch (const std::system_error&) {
    threads_ = 1;  // a limit on processes: those that started are enough
  }
}

OrderedWork::End OrderedWork::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (!window_.empty() && window_.front().done) {
      Batch batch = std::move(window_.front());
      window_.pop_front();
      if (batch.interrupted) return End::kInterrupted;
      lock.unlock();
      changed_.notify_all();  // there is room in the window
      for (FileOutcome& outcome : batch.outcomes) {
        if (!sink_.Take(std::move(outcome))) return End::kEnough;
      }
      lock.lock();
      continue;
    }
    if (Batch* batch = TakeBatch()) {
      WorkOn(*batch, 0, lock);
      if (batches_ >= kStartThreads && workers_.empty() && !exhausted_) StartThreads();
    } else if (window_.empty() && exhausted_) {
      return End::kComplete;
    } else {
      changed_.wait(lock);
    }
  }
}

}  // namespace forge
