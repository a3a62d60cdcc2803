#include "backend/helper_threads.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "os/processors.h"

namespace forge {

HelperThreads::Job::Job(HelperThreads& helpers, std::function<void(unsigned)> work)
    : helpers_(helpers), work_(std::move(work)), processor_(os::ThisProcessor()) {
  helpers_.Add(*this);
}

HelperThreads::Job::~Job() { helpers_.Remove(*this); }

void HelperThreads::Job::KeepOff(int processor) {
  if (processor == processor_) return;
  processor_ = processor;
  const Lock lock(helpers_.mutex_);
  helpers_.KeepOff(processor);
}

HelperThreads::HelperThreads(unsigned most) : most_(most) {}

HelperThreads::~HelperThreads() {
  std::vector<std::thread> threads;
  {
    const Lock lock(mutex_);
    ending_ = true;
    threads.swap(threads_);
  }
  wanted_.NotifyAll();
  for (std::thread& thread : threads) thread.join();
}

void HelperThreads::Add(Job& job) {
  {
    const Lock lock(mutex_);
    Grow();
    job.place_ = jobs_.insert(jobs_.end(), &job);
    KeepOff(job.processor_);
  }
  wanted_.NotifyAll();
}

void HelperThreads::KeepOff(int processor) {
  if (jobs_.size() > 1) return;
  for (std::thread& thread : threads_) os::KeepOff(processor, thread);
}

// Threads that are about to look for work do not count as idle. They are few:
// at worst one helper less joins the job at once.
void HelperThreads::Grow() {
  try {
    threads_.reserve(most_);
    for (unsigned free = idle_; free < most_ && threads_.size() < most_; ++free) {
      threads_.emplace_back([this] { Loop(); });
    }
  } catch (const std::system_error&) {
    // The system limits processes: we continue with the threads that we have.
  }
}

void HelperThreads::Remove(Job& job) {
  const Lock lock(mutex_);
  jobs_.erase(job.place_);
  while (job.running_ != 0) finished_.Wait(mutex_);
}

HelperThreads::Job* HelperThreads::Wanting() const {
  const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job* j) { return j->begun_ < most_; });
  return job == jobs_.end() ? nullptr : *job;
}

void HelperThreads::Loop() {
  Lock lock(mutex_);
  while (true) {
    Job* const job = Wanting();
    if (job == nullptr) {
      if (ending_) return;
      ++idle_;
      wanted_.Wait(mutex_);
      --idle_;
      continue;
    }
    const unsigned number = ++job->begun_;
    ++job->running_;
    lock.Unlock();
    job->work_(number);
    lock.Relock();
    if (--job->running_ == 0) finished_.NotifyAll();
  }
}

}  // namespace forge
