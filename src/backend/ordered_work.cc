#include "backend/ordered_work.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace forge {
namespace {

constexpr std::size_t kLargestBatch = 64;
constexpr std::size_t kWindow = 32;  // batches
constexpr std::size_t kAhead = 64;   // files, at first

std::size_t BytesOf(const FileOutcome& outcome) {
  std::size_t bytes = outcome.error.size();
  for (const Event& event : outcome.events) bytes += sizeof(Event) + event.line.size() + event.match_text.size();
  return bytes;
}

}  // namespace

OrderedWork::OrderedWork(HelperThreads& helpers, FileSource& source, OutcomeSink& sink, Work work)
    : helpers_(helpers), sink_(sink), work_(std::move(work)), source_(source) {}

OrderedWork::~OrderedWork() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
}

OrderedWork::InWindow OrderedWork::TakeBatch() {
  if (stopping_ || out_of_memory_) return window_.end();
  if (waiting_ > 0) return Waiting();
  return held_ < kWindowBytes ? FromSource() : window_.end();
}

// The rest of a batch that grew too large comes before anything new.
OrderedWork::InWindow OrderedWork::Waiting() {
  const auto batch =
      std::find_if(window_.begin(), window_.end(), [](const Batch& b) { return b.state == State::kWaiting; });
  if (batch != window_.begin() && held_ >= kWindowBytes) return window_.end();
  --waiting_;
  return batch;
}

// Small batches first: then a request for few results reads few files, and if
// there are few files, the threads share the last of them.
OrderedWork::InWindow OrderedWork::FromSource() {
  if (exhausted_ || window_.size() >= kWindow || files_ - delivered_ > kAhead + files_ / 8) return window_.end();
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
  files_ += batch.items.size();
  window_.push_back(std::move(batch));
  return std::prev(window_.end());
}

OrderedWork::State OrderedWork::WorkThrough(Batch& batch, unsigned worker) noexcept {
  try {
    batch.outcomes.reserve(batch.items.size());
    for (FileItem& item : batch.items) {
      FileOutcome& outcome = batch.outcomes.emplace_back();
      if (!work_(worker, item, outcome)) return State::kInterrupted;
      outcome.asides = std::move(item.asides);
      batch.bytes += BytesOf(outcome);
      if (batch.bytes >= kBatchBytes) break;
    }
    return State::kDone;
  } catch (const std::bad_alloc&) {
    return State::kOutOfMemory;
  }
}

void OrderedWork::PutBackRest(InWindow batch) {
  if (batch->state != State::kDone || batch->outcomes.size() == batch->items.size()) return;
  const auto first = batch->items.begin() + static_cast<std::ptrdiff_t>(batch->outcomes.size());
  Batch rest;
  rest.items.assign(std::make_move_iterator(first), std::make_move_iterator(batch->items.end()));
  batch->items.erase(first, batch->items.end());
  window_.insert(std::next(batch), std::move(rest));
  ++waiting_;
}

void OrderedWork::WorkOn(InWindow batch, unsigned worker) {
  batch->state = State::kInWork;
  State state;
  {
    const Unlocked unlocked(mutex_);
    state = WorkThrough(*batch, worker);
  }
  batch->state = state;
  held_ += batch->bytes;
  PutBackRest(batch);
  changed_.NotifyAll();
}

void OrderedWork::WorkerLoop(unsigned worker) {
  const Lock lock(mutex_);
  try {
    while (!stopping_ && !out_of_memory_ && !(exhausted_ && waiting_ == 0)) {
      const auto batch = TakeBatch();
      if (batch != window_.end()) {
        WorkOn(batch, worker);
      } else if (!exhausted_ || waiting_ > 0) {
        changed_.Wait(mutex_);
      }
    }
  } catch (const std::bad_alloc&) {
    // An exception of the source or the window. Not caught here, it would end
    // the process.
    out_of_memory_ = true;
    changed_.NotifyAll();
  }
}

bool OrderedWork::Deliver(Batch batch) {
  return std::all_of(batch.outcomes.begin(), batch.outcomes.end(),
                     [&](FileOutcome& outcome) { return sink_.Take(std::move(outcome)); });
}

OrderedWork::End OrderedWork::Run() {
  Lock lock(mutex_);
  while (true) {
    const State front = window_.empty() ? State::kInWork : window_.front().state;
    if (front == State::kInterrupted) return End::kInterrupted;
    if (front == State::kOutOfMemory || out_of_memory_) return End::kOutOfMemory;
    if (front == State::kDone) {
      Batch batch = std::move(window_.front());
      window_.pop_front();
      held_ -= batch.bytes;
      delivered_ += batch.items.size();
      lock.Unlock();
      changed_.NotifyAll();  // there is room in the window
      if (!Deliver(std::move(batch))) return End::kEnough;
      lock.Relock();
      continue;
    }
    const auto batch = TakeBatch();
    if (batch != window_.end()) {
      if (!help_ && !exhausted_) help_.emplace(helpers_, [this](unsigned worker) { WorkerLoop(worker); });
      WorkOn(batch, 0);
    } else if (window_.empty() && exhausted_) {
      return End::kComplete;
    } else {
      changed_.Wait(mutex_);
    }
  }
}

}  // namespace forge
