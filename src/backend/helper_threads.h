// Threads that wait between searches.
//
// To start a thread takes about 100 microseconds of the caller, to wake one a
// tenth of that. It matters where an index leaves a few dozen files: they are
// read within a millisecond, and half of that if two read them.
//
// There are never more than `most` of them, however many searches run at once:
// a search that finds none free goes on alone, and is joined later.
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
  ~HelperThreads();  // when no job is left
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  // Work for all helpers that are free or get free, each with a number from 1
  // to `most`. Ends when the job is destroyed: helpers that have begun are
  // waited for, others do not begin.
  class Job {
   public:
    Job(HelperThreads& helpers, std::function<void(unsigned)> work);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

   private:
    friend class HelperThreads;
    HelperThreads& helpers_;
    const std::function<void(unsigned)> work_;
    std::list<Job*>::iterator place_;
    unsigned begun_ = 0;    // these two are guarded by helpers_.mutex_
    unsigned running_ = 0;  //
  };

 private:
  void Add(Job& job);
  void Remove(Job& job);
  void Grow() REQUIRES(mutex_);  // to as many as the jobs want
  void Loop();
  // A job that a helper can begin; null if there is none.
  Job* Wanting() const REQUIRES(mutex_);

  const unsigned most_;
  Mutex mutex_;
  Condition wanted_;                         // or ending
  Condition finished_;                       // with a job
  std::list<Job*> jobs_ GUARDED_BY(mutex_);  // oldest first
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
  unsigned idle_ GUARDED_BY(mutex_) = 0;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace forge
