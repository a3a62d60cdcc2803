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

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

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
    unsigned begun_ = 0;
    unsigned running_ = 0;
  };

 private:
  void Add(Job& job);
  void Remove(Job& job);
  void Grow();  // to as many as the jobs want
  void Loop();
  // A job that a helper can begin; null if there is none.
  Job* Wanting() const;

  const unsigned most_;
  std::mutex mutex_;
  std::condition_variable wanted_;    // or ending
  std::condition_variable finished_;  // with a job
  std::list<Job*> jobs_;              // oldest first
  std::vector<std::thread> threads_;
  unsigned idle_ = 0;
  bool ending_ = false;
};

}  // namespace forge
