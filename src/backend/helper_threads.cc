#include "backend/helper_threads.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace forge {

HelperThreads::Job::Job(HelperThreads& helpers, std::function<void(unsigned)> work)
    : helpers_(helpers), work_(std::move(work)) {
  helpers_.Add(*this);
}

HelperThreads::Job::~Job() { helpers_.Remove(*this); }

HelperThreads::HelperThreads(unsigned most) : most_(most) {}

HelperThreads::~HelperThreads() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wanted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void HelperThreads::Add(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    Grow();
    job.place_ = jobs_.insert(jobs_.end(), &job);
  }
  wanted_.notify_all();
}

// Threads that are about to look for work are not idle, but few: at worst the
// job is joined by one less at once.
void HelperThreads::Grow() {
  try {
    threads_.reserve(most_);
    for (unsigned free = idle_; free < most_ && threads_.size() < most_; ++free) {
      threads_.emplace_back([this] { Loop(); });
    }
  } catch (const std::system_error&) {
    // A limit on processes: those that there are must do.
  }
}

void HelperThreads::Remove(Job& job) {
  std::unique_lock lock(mutex_);
  jobs_.erase(job.place_);
  finished_.wait(lock, [&] { return job.running_ == 0; });
}

HelperThreads::Job* HelperThreads::Wanting() const {
  const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job* j) { return j->begun_ < most_; });
  return job == jobs_.end() ? nullptr : *job;
}

void HelperThreads::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    Job* const job = Wanting();
    if (job == nullptr) {
      if (ending_) return;
      ++idle_;
      wanted_.wait(lock);
      --idle_;
      continue;
    }
    const unsigned number = ++job->begun_;
    ++job->running_;
    lock.unlock();
    job->work_(number);
    lock.lock();
    if (--job->running_ == 0) finished_.notify_all();
  }
}

}  // namespace forge
