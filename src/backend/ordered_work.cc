#include "backend/ordered_work.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <utility>

#include "os/processors.h"

namespace forge {
namespace {

constexpr std::size_t kLargestBatch = 64;
constexpr std::size_t kWindow = 32;  // batches
constexpr std::size_t kAhead = 64;   // files, at first
constexpr std::chrono::microseconds kAlone{150};
constexpr std::size_t kPrepared = 16;      // items at once: what was fetched for more is gone when its turn comes
constexpr std::size_t kEventsToKeep = 32;  // room for more is freed: there may be 2,000 outcomes

std::size_t BytesOf(const FileOutcome& outcome) {
  std::size_t bytes = outcome.error.size();
  for (const Event& event : outcome.events) bytes += BytesOf(event);
  return bytes;
}

void Clear(FileOutcome& outcome) {
  std::vector<Event> events = std::move(outcome.events);
  events.clear();
  outcome = {};
  if (events.capacity() <= kEventsToKeep) outcome.events = std::move(events);
}

}  // namespace

void OrderedWork::Batch::Clear() {
  for (FileOutcome& outcome : outcomes) forge::Clear(outcome);
  taken = worked = bytes = 0;
  state = State::kWaiting;
}

OrderedWork::OrderedWork(HelperThreads& helpers, FileSource& source, OutcomeSink& sink, Work work, Stream stream,
                         Prepare prepare)
    : helpers_(helpers),
      sink_(sink),
      work_(std::move(work)),
      stream_(std::move(stream)),
      prepare_(std::move(prepare)),
      source_(source) {}

OrderedWork::~OrderedWork() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
  }
  room_.NotifyAll();
}

OrderedWork::InWindow OrderedWork::TakeBatch(unsigned worker) {
  if (stopping_ || out_of_memory_) return window_.end();
  if (waiting_ > 0) return Waiting();
  return HasRoom(1) ? FromSource(worker) : window_.end();
}

bool OrderedWork::HasRoom(unsigned share) const {
  return held_ < kWindowBytes / share && window_.size() < kWindow / share &&
         files_ - delivered_ <= (kAhead + files_ / 8) / share;
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
OrderedWork::InWindow OrderedWork::FromSource(unsigned worker) {
  if (exhausted_) return window_.end();
  const std::size_t size = std::min<std::size_t>(1 + batches_ / 4, kLargestBatch);
  std::list<Batch> one = EmptyBatch(worker);
  Batch& batch = one.front();
  batch.items.reserve(size);
  while (batch.taken < size && source_.Next(batch.Item(batch.taken))) ++batch.taken;
  exhausted_ = batch.taken < size;
  if (batch.taken == 0) return window_.end();
  ++batches_;
  files_ += batch.taken;
  window_.splice(window_.end(), one);
  return std::prev(window_.end());
}

std::list<OrderedWork::Batch> OrderedWork::EmptyBatch(unsigned worker) {
  std::list<Batch> one;
  if (worker < beside_.size() && !beside_[worker].cleared.empty()) {
    std::list<Batch>& cleared = beside_[worker].cleared;
    one.splice(one.end(), cleared, cleared.begin());
  } else {
    one.emplace_back();
  }
  return one;
}

OrderedWork::State OrderedWork::WorkThrough(Batch& batch, unsigned worker) noexcept {
  try {
    const std::span<FileItem> items = std::span(batch.items).first(batch.taken);
    batch.outcomes.reserve(items.size());
    while (batch.worked < items.size() && batch.bytes < kBatchBytes) {
      const std::size_t i = batch.worked;
      if (prepare_ && i % kPrepared == 0 && items.size() > 1) {
        prepare_(items.subspan(i, std::min(kPrepared, items.size() - i)));
      }
      FileOutcome& outcome = batch.Outcome(i);
      if (!work_(worker, items[i], outcome)) return State::kInterrupted;
      ++batch.worked;
      outcome.asides = std::move(items[i].asides);
      if (!outcome.deferred) outcome.path.swap(items[i].path);
      batch.bytes += BytesOf(outcome);
    }
    return State::kDone;
  } catch (const std::bad_alloc&) {
    return State::kOutOfMemory;
  }
}

void OrderedWork::PutBackRest(InWindow batch) {
  if (batch->state != State::kDone || batch->worked == batch->taken) return;
  const auto first = batch->items.begin() + static_cast<std::ptrdiff_t>(batch->worked);
  const auto last = batch->items.begin() + static_cast<std::ptrdiff_t>(batch->taken);
  Batch rest;
  rest.items.assign(std::make_move_iterator(first), std::make_move_iterator(last));
  rest.taken = rest.items.size();
  batch->taken = batch->worked;
  window_.insert(std::next(batch), std::move(rest));
  ++waiting_;
  room_.NotifyAll();
}

void OrderedWork::WorkOn(InWindow batch, unsigned worker) {
  batch->state = State::kInWork;
  batch->worker = worker;
  if (beside_.size() <= worker) beside_.resize(worker + 1);
  std::list<Batch> spent;
  spent.swap(beside_[worker].spent);
  State state;
  {
    const Unlocked unlocked(mutex_);
    for (Batch& one : spent) one.Clear();
    state = WorkThrough(*batch, worker);
  }
  batch->state = state;
  std::list<Batch>& cleared = beside_[worker].cleared;
  cleared.splice(cleared.end(), spent);
  held_ += batch->bytes;
  PutBackRest(batch);
  if (batch == window_.begin()) front_done_.NotifyAll();
}

void OrderedWork::WorkerLoop(unsigned worker) {
  const Lock lock(mutex_);
  try {
    while (!stopping_ && !out_of_memory_ && !(exhausted_ && waiting_ == 0)) {
      const auto batch = TakeBatch(worker);
      if (batch != window_.end()) {
        WorkOn(batch, worker);
      } else if (!exhausted_ || waiting_ > 0) {
        room_.Wait(mutex_);
      }
    }
    FreeMemory(worker);
  } catch (const std::bad_alloc&) {
    // An exception of the source or the window. Not caught here, it would end
    // the process.
    out_of_memory_ = true;
    front_done_.NotifyAll();
  }
}

// Each helper by itself, while the calling thread delivers what is left.
void OrderedWork::FreeMemory(unsigned worker) {
  if (worker >= beside_.size()) return;
  std::list<Batch> cleared;
  cleared.swap(beside_[worker].cleared);
  const Unlocked unlocked(mutex_);
  cleared.clear();
}

std::optional<OrderedWork::End> OrderedWork::DeliverFront() {
  std::list<Batch> front;
  front.splice(front.begin(), window_, window_.begin());
  Batch& batch = front.front();
  held_ -= batch.bytes;
  delivered_ += batch.taken;
  if (waiting_ > 0 || HasRoom(2)) room_.NotifyAll();
  std::optional<End> end;
  {
    const Unlocked unlocked(mutex_);
    end = Deliver(batch);
  }
  std::list<Batch>& spent = beside_[batch.worker].spent;
  spent.splice(spent.end(), front);
  return end;
}

std::optional<OrderedWork::End> OrderedWork::Deliver(Batch& batch) {
  for (std::size_t i = 0; i < batch.worked; ++i) {
    FileOutcome& outcome = batch.outcomes[i];
    if (outcome.deferred) {
      if (const auto end = StreamEvents(batch.items[i], outcome)) return end;
    }
    if (!sink_.Take(std::move(outcome))) return End::kEnough;
  }
  return std::nullopt;
}

std::optional<OrderedWork::End> OrderedWork::StreamEvents(const FileItem& item, FileOutcome& outcome) {
  Asides asides = std::move(outcome.asides);
  bool enough = false;
  const bool whole = stream_(item, outcome, [&](Event&& event) {
    enough = !sink_.TakeEvent(item, std::move(event));
    return !enough;
  });
  outcome.asides = std::move(asides);
  outcome.path = item.path;
  if (enough) return End::kEnough;
  return whole ? std::nullopt : std::optional(End::kInterrupted);
}

void OrderedWork::WorkAlone(InWindow batch) {
  const auto began = std::chrono::steady_clock::now();
  WorkOn(batch, 0);
  worked_alone_ += std::chrono::steady_clock::now() - began;
  if (exhausted_ || worked_alone_ < kAlone) return;
  help_.emplace(helpers_, [this](unsigned worker) { WorkerLoop(worker); });
}

OrderedWork::End OrderedWork::Run() {
  const Lock lock(mutex_);
  while (true) {
    const State front = window_.empty() ? State::kInWork : window_.front().state;
    if (front == State::kInterrupted) return End::kInterrupted;
    if (front == State::kOutOfMemory || out_of_memory_) return End::kOutOfMemory;
    if (front == State::kDone) {
      if (const auto end = DeliverFront()) return *end;
      continue;
    }
    const auto batch = TakeBatch(0);
    if (batch != window_.end()) {
      if (help_) help_->KeepOff(os::ThisProcessor());  // this thread may have slept
      help_ ? WorkOn(batch, 0) : WorkAlone(batch);
    } else if (window_.empty() && exhausted_) {
      return End::kComplete;
    } else {
      front_done_.Wait(mutex_);
    }
  }
}

}  // namespace forge
