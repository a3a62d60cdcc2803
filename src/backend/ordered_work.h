// Several threads work on batches; the results are delivered in order.
//
// One mutex guards the source and the window. Threads work on a batch without
// it. Only the calling thread delivers, also without it: so the sink sees one
// thread, and shares nothing with the source. The helpers are called only when
// there is a file to search, so a search without files does not pay for them.
//
// The window is bounded in files: what is worked on beyond the last file that the
// sink wants is in vain, and a request for few results pays for it. So threads run
// ahead by an eighth of what was taken so far.
//
// It is also bounded in batches and in bytes: a file may be one line of many
// megabytes, and its outcome then holds that line. A batch that has grown large
// is cut: its rest goes back into the window as a batch of its own, and waits
// for room. A thread may always work on the front of the window, so the work
// never stops.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <vector>

#include "backend/backend.h"
#include "backend/helper_threads.h"
#include "base/mutex.h"

namespace forge {

class OrderedWork {
 public:
  // Fills the outcome of the item. Many threads call it at once, each with its
  // own number. False: the deadline is over, and the outcome is void.
  using Work = std::function<bool(unsigned worker, const FileItem&, FileOutcome&)>;

  static constexpr std::size_t kWindowBytes = 64 * 1024 * 1024;
  static constexpr std::size_t kBatchBytes = 4 * 1024 * 1024;

  OrderedWork(HelperThreads& helpers, FileSource& source, OutcomeSink& sink, Work work);
  ~OrderedWork();

  // How it ended: everything delivered, the sink had enough, work stopped, or
  // there was no memory to go on with.
  enum class End { kComplete, kEnough, kInterrupted, kOutOfMemory };
  End Run();

 private:
  enum class State { kWaiting, kInWork, kDone, kInterrupted, kOutOfMemory };
  struct Batch {
    std::vector<FileItem> items;
    std::vector<FileOutcome> outcomes;
    std::size_t bytes = 0;  // of the outcomes
    State state = State::kWaiting;
  };
  using InWindow = std::list<Batch>::iterator;

  // The end of the window: there is nothing to do now.
  InWindow TakeBatch() REQUIRES(mutex_);
  InWindow Waiting() REQUIRES(mutex_);
  InWindow FromSource() REQUIRES(mutex_);
  // Releases the mutex while it works.
  void WorkOn(InWindow batch, unsigned worker) REQUIRES(mutex_);
  State WorkThrough(Batch& batch, unsigned worker) noexcept;
  void PutBackRest(InWindow batch) REQUIRES(mutex_);

  void WorkerLoop(unsigned worker);
  bool Deliver(Batch batch);

  HelperThreads& helpers_;
  OutcomeSink& sink_;  // used by the thread in Run() only
  const Work work_;

  Mutex mutex_;
  Condition changed_;
  FileSource& source_ GUARDED_BY(mutex_);
  std::list<Batch> window_ GUARDED_BY(mutex_);  // front: the next to deliver
  std::size_t held_ GUARDED_BY(mutex_) = 0;     // bytes of all outcomes in the window
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;  // batches that wait for a thread
  std::uint64_t batches_ GUARDED_BY(mutex_) = 0;
  std::uint64_t files_ GUARDED_BY(mutex_) = 0;      // taken from the source
  std::uint64_t delivered_ GUARDED_BY(mutex_) = 0;  // of them, or being delivered
  bool exhausted_ GUARDED_BY(mutex_) = false;
  bool out_of_memory_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::optional<HelperThreads::Job> help_;  // destroyed first: helpers use all of the above
};

}  // namespace forge
