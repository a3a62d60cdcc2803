#include "base/mutex.h"

#include <gtest/gtest.h>

#include <thread>

namespace forge {
namespace {

// Whether another thread gets the mutex by then.
bool OtherGets(Mutex& mutex, const Deadline& deadline) {
  bool got = false;
  std::thread other([&] {
    got = LockWithin(mutex, deadline);
    if (got) mutex.unlock();
  });
  other.join();
  return got;
}

TEST(LockWithin, TakesAMutexThatIsFreeWhateverTheTime) {
  Mutex mutex;
  EXPECT_TRUE(OtherGets(mutex, Deadline()));
  EXPECT_TRUE(OtherGets(mutex, Deadline::After(0)));
}

TEST(LockWithin, WaitsNoLongerThanItsDeadline) {
  Mutex mutex;
  const Lock lock(mutex);
  EXPECT_FALSE(OtherGets(mutex, Deadline::After(5)));
}

TEST(LockWithin, EndsWhenTheRequestIsCancelled) {
  Mutex mutex;
  const Lock lock(mutex);
  CancelSource source;
  source.Cancel();
  EXPECT_FALSE(OtherGets(mutex, Deadline(Clock::time_point::max(), source.token())));
}

TEST(LockWithin, TakesAMutexThatBecomesFree) {
  Mutex mutex;
  bool got = false;
  Lock lock(mutex);
  std::thread other([&] {
    got = LockWithin(mutex, Deadline());
    if (got) mutex.unlock();
  });
  lock.Unlock();
  other.join();
  EXPECT_TRUE(got);
}

}  // namespace
}  // namespace forge
