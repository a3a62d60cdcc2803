// Threads that wait between searches.
//
// Starting a thread costs the caller about 100 microseconds, waking one a tenth
// of that. This matters where an index leaves a few dozen files: one thread
// reads them within a millisecond, two in half of that.
//
// There are never more than `most` helpers, however many searches run at once.
// A search that finds none free starts alone, and helpers join it later.
//
// Thread-safe.
#pragma once

#include <functional>
#include <list>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace forge {

class HelperThreads {
 public:
  explicit HelperThreads(unsigned most);
  ~HelperThreads();  // requires that no job is left
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  // Work for all helpers that are free or become free, each with a number from
  // 1 to `most`. It ends when the job is destroyed: the destructor waits for
  // helpers that have begun; others do not begin.
  class Job {
   public:
    Job(HelperThreads& helpers, std::function<void(unsigned)> work);
    ~Job();
    // For the thread that made the job, now and then, with the processor it runs on: if the
    // system has moved it there, the helpers keep off.
    void KeepOff(int processor);
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

   private:
    friend class HelperThreads;
    HelperThreads& helpers_;
    const std::function<void(unsigned)> work_;
    int processor_;  // that the helpers keep off
    std::list<Job*>::iterator place_;
    // Guarded by helpers_.mutex_. Only HelperThreads touches these two, in Remove(),
    // Wanting() and Loop(), each of which holds it. clang cannot check that: it does
    // not see that mutex_ there and helpers_.mutex_ here are the same one.
    unsigned begun_ = 0;
    unsigned running_ = 0;
  };

 private:
  void Add(Job& job);
  void Remove(Job& job);
  // Unless helpers work for several searches: then each stays where it is.
  void KeepOff(int processor) REQUIRES(mutex_);
  void Grow() REQUIRES(mutex_);  // starts as many threads as the jobs want
  void Loop();
  // A job that a helper can begin; null if there is none.
  Job* Wanting() const REQUIRES(mutex_);

  const unsigned most_;
  Mutex mutex_;
  Condition wanted_;                         // there is a job to begin, or the end
  Condition finished_;                       // a helper has finished with a job
  std::list<Job*> jobs_ GUARDED_BY(mutex_);  // oldest first
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
  unsigned idle_ GUARDED_BY(mutex_) = 0;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace forge
