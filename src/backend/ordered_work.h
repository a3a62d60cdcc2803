// Several threads work on batches; the results are delivered in order.
//
// One mutex guards the source and the window. Threads work on a batch without
// it. Only the calling thread delivers, also without it: so the sink sees one
// thread, and shares nothing with the source. The helpers are called only when the
// calling thread has worked on files for 0.15 ms and there is more: they begin 0.1 ms
// later, and calling them costs up to 0.1 ms. So a search of a few files does not pay for
// them. The time that the source takes does not count: helpers cannot share it.
//
// The window is bounded in files: what is worked on beyond the last file that the
// sink wants is in vain, and a request for few results pays for it. So threads run
// ahead by an eighth of what was taken so far.
//
// It is also bounded in batches and in bytes: a file may be one line of many
// megabytes, and its outcome then holds that line. A batch that has grown large
// is cut: its rest goes back into the window as a batch of its own, and waits
// for room. What one file alone would hold too much of is deferred: the calling
// thread streams it to the sink. A thread may always work on the front of the window, so the work
// never stops.
//
// A helper that finds the window full sleeps until it is half empty. Woken for each
// delivered batch, it would take one and sleep again; that cost a sixth of the time.
//
// A delivered batch goes back to the thread that worked on it, which frees what is left of
// its events, and uses its memory for another batch: allocating a path, a list of events
// and a batch anew took a tenth of a search of 12,000 files. If the calling thread freed it
// all, both would wait for the allocator's lock: each thread has a heap of its own there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/file_scan.h"
#include "backend/helper_threads.h"
#include "base/mutex.h"

namespace forge {

class OrderedWork {
 public:
  // Fills the outcome of the item, which is empty. Many threads call it at once, each
  // with its own number. False: the deadline is over, and the outcome is void.
  using Work = std::function<bool(unsigned worker, const FileItem&, FileOutcome&)>;
  // The same for an outcome that was deferred, after its events went to the sink.
  // Called by the thread in Run(), when it is the file's turn.
  using Stream = std::function<bool(const FileItem&, FileOutcome&, const TakeEvent&)>;
  // Called by a thread before it works on several items.
  using Prepare = std::function<void(std::span<const FileItem>)>;

  static constexpr std::size_t kWindowBytes = 64 * 1024 * 1024;
  static constexpr std::size_t kBatchBytes = 4 * 1024 * 1024;

  OrderedWork(HelperThreads& helpers, FileSource& source, OutcomeSink& sink, Work work, Stream stream = {},
              Prepare prepare = {});
  ~OrderedWork();

  // How it ended: everything delivered, the sink had enough, work stopped, or
  // there was no memory to go on with.
  enum class End { kComplete, kEnough, kInterrupted, kOutOfMemory };
  End Run();

 private:
  enum class State { kWaiting, kInWork, kDone, kInterrupted, kOutOfMemory };
  struct Batch {
    // Beyond these counts, they are memory of an earlier use.
    std::vector<FileItem> items;
    std::vector<FileOutcome> outcomes;
    std::size_t taken = 0;   // items that came from the source
    std::size_t worked = 0;  // of them
    std::size_t bytes = 0;   // of the outcomes
    State state = State::kWaiting;
    unsigned worker = 0;  // that works or worked on it

    // Forgets everything, but keeps memory for the next use.
    void Clear();
    FileItem& Item(std::size_t i) { return i < items.size() ? items[i] : items.emplace_back(); }
    FileOutcome& Outcome(std::size_t i) { return i < outcomes.size() ? outcomes[i] : outcomes.emplace_back(); }
  };
  using InWindow = std::list<Batch>::iterator;
  // Batches of one thread that are not in the window.
  struct Beside {
    std::list<Batch> spent;    // delivered
    std::list<Batch> cleared;  // to be used again
  };

  // The end of the window: there is nothing to do now.
  InWindow TakeBatch(unsigned worker) REQUIRES(mutex_);
  InWindow Waiting() REQUIRES(mutex_);
  InWindow FromSource(unsigned worker) REQUIRES(mutex_);
  // With one batch, empty.
  std::list<Batch> EmptyBatch(unsigned worker) REQUIRES(mutex_);
  // Releases the mutex while it works.
  void WorkOn(InWindow batch, unsigned worker) REQUIRES(mutex_);
  State WorkThrough(Batch& batch, unsigned worker) noexcept;
  void PutBackRest(InWindow batch) REQUIRES(mutex_);
  // A share of 1: whether a thread may take more. 2: whether half of the window is free.
  bool HasRoom(unsigned share) const REQUIRES(mutex_);

  // For the thread in Run(). Calls for help if that thread has worked for long enough.
  void WorkAlone(InWindow batch) REQUIRES(mutex_);
  void WorkerLoop(unsigned worker);
  void FreeMemory(unsigned worker) REQUIRES(mutex_);
  // Nothing if the sink took it all.
  std::optional<End> Deliver(Batch& batch);
  std::optional<End> DeliverFront() REQUIRES(mutex_);
  std::optional<End> StreamEvents(const FileItem& item, FileOutcome& outcome);

  HelperThreads& helpers_;
  OutcomeSink& sink_;  // used by the thread in Run() only
  const Work work_;
  const Stream stream_;
  const Prepare prepare_;

  Mutex mutex_;
  Condition front_done_;  // the thread in Run() waits for it
  Condition room_;        // helpers wait for it
  FileSource& source_ GUARDED_BY(mutex_);
  std::list<Batch> window_ GUARDED_BY(mutex_);     // front: the next to deliver
  std::vector<Beside> beside_ GUARDED_BY(mutex_);  // by worker
  std::size_t held_ GUARDED_BY(mutex_) = 0;        // bytes of all outcomes in the window
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;     // batches that wait for a thread
  std::uint64_t batches_ GUARDED_BY(mutex_) = 0;
  std::uint64_t files_ GUARDED_BY(mutex_) = 0;      // taken from the source
  std::uint64_t delivered_ GUARDED_BY(mutex_) = 0;  // of them, or being delivered
  bool exhausted_ GUARDED_BY(mutex_) = false;
  bool out_of_memory_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::chrono::steady_clock::duration worked_alone_ GUARDED_BY(mutex_) = {};
  std::optional<HelperThreads::Job> help_;  // destroyed first: helpers use all of the above
};

}  // namespace forge
