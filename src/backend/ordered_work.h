// Batches worked on by several threads, delivered in order.
//
// One mutex guards the source and the window. Work on a batch happens outside
// it. Threads beyond the caller's are started only after some batches, so that
// a small search never pays for them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "backend/backend.h"

namespace forge {

class OrderedWork {
 public:
  // Fills the outcomes of the items; called on many threads at once, each with
  // its own number. False: the deadline is over, the outcomes are void.
  using Work = std::function<bool(unsigned worker, std::vector<FileItem>&, std::vector<FileOutcome>&)>;

  OrderedWork(unsigned threads, FileSource& source, OutcomeSink& sink, Work work);
  ~OrderedWork();

  // How it ended: everything delivered, the sink had enough, or work stopped.
  enum class End { kComplete, kEnough, kInterrupted };
  End Run();

 private:
  struct Batch {
    std::vector<FileItem> items;
    std::vector<FileOutcome> outcomes;
    bool done = false;
    bool interrupted = false;
  };

  // Takes the next batch from the source into the window; null if there is none
  // or the window is full. Called with the lock held.
  Batch* TakeBatch();
  void WorkOn(Batch& batch, unsigned worker, std::unique_lock<std::mutex>& lock);
  void WorkerLoop(unsigned worker);
  void StartThreads();
  void Stop();

  unsigned threads_;
  FileSource& source_;
  OutcomeSink& sink_;
  const Work work_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> window_;  // front: the next to deliver
  std::uint64_t batches_ = 0;
  bool exhausted_ = false;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace forge
