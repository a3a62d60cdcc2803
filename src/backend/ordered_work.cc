#include "backend/ordered_work.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace forge {
namespace {

constexpr std::size_t kLargestBatch = 64;
constexpr std::size_t kWindow = 32;  // batches

std::size_t BytesOf(const FileOutcome& outcome) {
  std::size_t bytes = outcome.error.size();
  for (const Event& event : outcome.events) bytes += sizeof(Event) + event.line.size() + event.match_text.size();
  return bytes;
}

}  // namespace

OrderedWork::OrderedWork(HelperThreads& helpers, FileSource& source, OutcomeSink& sink, Work work)
    : helpers_(helpers), source_(source), sink_(sink), work_(std::move(work)) {}

OrderedWork::~OrderedWork() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

OrderedWork::Place OrderedWork::TakeBatch() {
  if (stopping_ || out_of_memory_) return window_.end();
  if (waiting_ > 0) return Waiting();
  return held_ < kWindowBytes ? FromSource() : window_.end();
}

// The rest of a batch that grew too large comes before anything new.
OrderedWork::Place OrderedWork::Waiting() {
  const auto batch =
      std::find_if(window_.begin(), window_.end(), [](const Batch& b) { return b.state == State::kWaiting; });
  if (batch != window_.begin() && held_ >= kWindowBytes) return window_.end();
  --waiting_;
  return batch;
}

// Small batches first: whoever wants few results gets them from few files, and
// where there are few files, nobody has the last of them all to himself.
OrderedWork::Place OrderedWork::FromSource() {
  if (exhausted_ || window_.size() >= kWindow) return window_.end();
  const std::size_t size = std::min<std::size_t>(1 + batches_ / 4, kLargestBatch);
  Batch batch;
  batch.items.reserve(size);
  FileItem item;
  while (batch.items.size() < size) {
    if (!source_.Next(item)) {
      exhausted_ = true;
      break;
    }
    batch.items.push_back(std::move(item));
  }
  if (batch.items.empty()) return window_.end();
  ++batches_;
  window_.push_back(std::move(batch));
  return std::prev(window_.end());
}

OrderedWork::State OrderedWork::WorkThrough(Batch& batch, unsigned worker) {
  try {
    batch.outcomes.reserve(batch.items.size());
    for (const FileItem& item : batch.items) {
      FileOutcome& outcome = batch.outcomes.emplace_back();
      if (!work_(worker, item, outcome)) return State::kInterrupted;
      batch.bytes += BytesOf(outcome);
      if (batch.bytes >= kBatchBytes) break;
    }
    return State::kDone;
  } catch (const std::bad_alloc&) {
    return State::kOutOfMemory;
  }
}

void OrderedWork::PutBackRest(Place batch) {
  if (batch->state != State::kDone || batch->outcomes.size() == batch->items.size()) return;
  const auto first = batch->items.begin() + static_cast<std::ptrdiff_t>(batch->outcomes.size());
  Batch rest;
  rest.items.assign(std::make_move_iterator(first), std::make_move_iterator(batch->items.end()));
  batch->items.erase(first, batch->items.end());
  window_.insert(std::next(batch), std::move(rest));
  ++waiting_;
}

void OrderedWork::WorkOn(Place batch, unsigned worker, std::unique_lock<std::mutex>& lock) {
  batch->state = State::kInWork;
  lock.unlock();
  const State state = WorkThrough(*batch, worker);
  lock.lock();
  batch->state = state;
  held_ += batch->bytes;
  PutBackRest(batch);
  changed_.notify_all();
}

void OrderedWork::WorkerLoop(unsigned worker) {
  std::unique_lock lock(mutex_);
  try {
    while (!stopping_ && !out_of_memory_ && !(exhausted_ && waiting_ == 0)) {
      const Place batch = TakeBatch();
      if (batch != window_.end()) {
        WorkOn(batch, worker, lock);
      } else if (!exhausted_ || waiting_ > 0) {
        changed_.wait(lock);
      }
    }
  } catch (const std::bad_alloc&) {
    // From the source or the window; only here could it end the process.
    if (!lock.owns_lock()) lock.lock();
    out_of_memory_ = true;
    changed_.notify_all();
  }
}

bool OrderedWork::Deliver(Batch batch) {
  return std::all_of(batch.outcomes.begin(), batch.outcomes.end(),
                     [&](FileOutcome& outcome) { return sink_.Take(std::move(outcome)); });
}

OrderedWork::End OrderedWork::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    const State front = window_.empty() ? State::kInWork : window_.front().state;
    if (front == State::kInterrupted) return End::kInterrupted;
    if (front == State::kOutOfMemory || out_of_memory_) return End::kOutOfMemory;
    if (front == State::kDone) {
      Batch batch = std::move(window_.front());
      window_.pop_front();
      held_ -= batch.bytes;
      lock.unlock();
      changed_.notify_all();  // there is room in the window
      if (!Deliver(std::move(batch))) return End::kEnough;
      lock.lock();
      continue;
    }
    const Place batch = TakeBatch();
    if (batch != window_.end()) {
      if (!help_ && !exhausted_) help_.emplace(helpers_, [this](unsigned worker) { WorkerLoop(worker); });
      WorkOn(batch, 0, lock);
    } else if (window_.empty() && exhausted_) {
      return End::kComplete;
    } else {
      changed_.wait(lock);
    }
  }
}

}  // namespace forge
