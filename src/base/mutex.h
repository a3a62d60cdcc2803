// A mutex, a lock and a condition that clang checks.
//
//   class Queue {
//    public:
//     void Push(int value) {
//       Lock lock(mutex_);
//       values_.push_back(value);
//     }
//
//    private:
//     void Trim() REQUIRES(mutex_);
//
//     Mutex mutex_;
//     std::vector<int> values_ GUARDED_BY(mutex_);
//   };
//
// With clang and -Wthread-safety (the preset `clang`, which scripts/test builds)
// code that touches values_ without the lock does not compile. gcc ignores the
// annotations. A class that two threads touch uses these, not std::mutex.
//
// clang checks a lambda as a function of its own, so Condition::Wait takes no
// predicate. A caller waits in a loop:
//
//   while (values_.empty()) filled_.Wait(mutex_);
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/deadline.h"

#if defined(__clang__)
#define FORGE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define FORGE_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(x) FORGE_THREAD_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY FORGE_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) FORGE_THREAD_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) FORGE_THREAD_ANNOTATION(pt_guarded_by(x))
#define ACQUIRE(...) FORGE_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) FORGE_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) FORGE_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define REQUIRES(...) FORGE_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) FORGE_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define RETURN_CAPABILITY(x) FORGE_THREAD_ANNOTATION(lock_returned(x))
#define NO_THREAD_SAFETY_ANALYSIS FORGE_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace forge {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

// Takes the mutex unless the deadline is over first; false if it was. For a caller
// that has something better to do than to wait for a holder of low priority on a
// busy machine.
//
// It asks again and again, with short pauses. Not std::timed_mutex: it locks by
// pthread_mutex_clocklock, which the ThreadSanitizer of gcc 12 does not know, and
// would report every access under such a lock as a race. A request that is
// cancelled also ends the waiting, which no lock of the system can do.
inline bool LockWithin(Mutex& mutex, const Deadline& deadline) TRY_ACQUIRE(true, mutex) {
  constexpr std::chrono::microseconds kPause{50};
  while (!mutex.try_lock()) {
    if (deadline.over()) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

// Holds the mutex while it lives. Unlock() and Relock() let go in between.
class SCOPED_CAPABILITY Lock {
 public:
  explicit Lock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  // For a mutex that try_lock() or LockWithin() has taken.
  Lock(Mutex& mutex, std::adopt_lock_t /*held*/) REQUIRES(mutex) : mutex_(mutex) {}
  ~Lock() RELEASE() {
    if (held_) mutex_.unlock();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  void Unlock() RELEASE() {
    mutex_.unlock();
    held_ = false;
  }
  void Relock() ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// Lets go of a held mutex while it lives, also when an exception ends that. clang
// 14 cannot follow it, and takes the mutex for held all the time: use nothing
// that the mutex guards while one of these lives.
//
// For threads that share work and hold the mutex for moments. So it asks for it for
// some 50 microseconds before it sleeps: a thread that sleeps is woken late, and on a
// virtual machine often on the processor of the thread that wakes it. Without this, two
// threads of a search took as long as one.
class Unlocked {
 public:
  explicit Unlocked(Mutex& mutex) NO_THREAD_SAFETY_ANALYSIS : mutex_(mutex) { mutex_.unlock(); }
  ~Unlocked() NO_THREAD_SAFETY_ANALYSIS {
    constexpr int kTries = 200;
    for (int i = 0; i < kTries; ++i) {
      if (mutex_.try_lock()) return;
      std::this_thread::yield();
    }
    mutex_.lock();
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Mutex& mutex_;
};

// Waiting ends by a notification, at the given time, or for no reason at all.
class Condition {
 public:
  void Wait(Mutex& mutex) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> native(mutex.mutex_, std::adopt_lock);
    condition_.wait(native);
    native.release();
  }
  // False once the time has come.
  bool WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point until) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> native(mutex.mutex_, std::adopt_lock);
    const bool in_time = condition_.wait_until(native, until) == std::cv_status::no_timeout;
    native.release();
    return in_time;
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace forge
