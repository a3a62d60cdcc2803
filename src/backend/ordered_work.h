// Batches worked on by several threads, delivered in order.
//
// One mutex guards the source and the window. Work on a batch happens outside
// it. Helpers are asked for once there is a file to search: whoever finds none
// never pays for them.
//
// What waits in the window is bounded in batches and in bytes: a file may be one
// line of many megabytes, and its outcome then holds that line. A batch that has
// grown large is cut: its rest goes back into the window as a batch of its own,
// and waits until there is room. The front of the window may always be worked
// on, so the work never stands still.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include "backend/backend.h"
#include "backend/helper_threads.h"

namespace forge {

class OrderedWork {
 public:
  // Fills the outcome of the item; called on many threads at once, each with
  // its own number. False: the deadline is over, the outcome is void.
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
  using Place = std::list<Batch>::iterator;

  // All with the lock held. The end of the window: nothing to be done now.
  Place TakeBatch();
  Place Waiting();
  Place FromSource();
  void WorkOn(Place batch, unsigned worker, std::unique_lock<std::mutex>& lock);
  State WorkThrough(Batch& batch, unsigned worker);
  void PutBackRest(Place batch);

  void WorkerLoop(unsigned worker);
  bool Deliver(Batch batch);

  HelperThreads& helpers_;
  FileSource& source_;
  OutcomeSink& sink_;
  const Work work_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Batch> window_;  // front: the next to deliver
  std::size_t held_ = 0;     // bytes of all outcomes in the window
  std::size_t waiting_ = 0;  // batches that nobody works on
  std::uint64_t batches_ = 0;
  bool exhausted_ = false;
  bool out_of_memory_ = false;
  bool stopping_ = false;
  std::optional<HelperThreads::Job> help_;  // destroyed first: helpers use all of the above
};

}  // namespace forge
