#include <gtest/gtest.h>
#include <sched.h>

#include <latch>

#include "os/processors.h"

namespace forge::os {
namespace {

cpu_set_t AllowedHere() {
  cpu_set_t set = {};
  sched_getaffinity(0, sizeof(set), &set);  // fails where there are more than the set has room for
  return set;
}

// This thread runs on these alone while it lives.
class PinnedTo {
 public:
  explicit PinnedTo(const cpu_set_t& processors) : before_(AllowedHere()) {
    sched_setaffinity(0, sizeof(processors), &processors);
  }
  ~PinnedTo() { sched_setaffinity(0, sizeof(before_), &before_); }
  PinnedTo(const PinnedTo&) = delete;
  PinnedTo& operator=(const PinnedTo&) = delete;

 private:
  const cpu_set_t before_;
};

// What a thread may use after it was kept off the processor, and where it ran.
struct Moved {
  cpu_set_t allowed;
  int ran_on;
};

Moved MoveOff(int processor) {
  std::latch moved(1);
  Moved out = {};
  std::thread thread([&] {
    moved.wait();
    out = {AllowedHere(), sched_getcpu()};
  });
  KeepOff(processor, thread);
  moved.count_down();
  thread.join();
  return out;
}

TEST(Processors, AThreadIsKeptOffOne) {
  const cpu_set_t all = AllowedHere();
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there are not two processors that we know of";
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(static_cast<std::size_t>(processor), &all)) continue;
    const Moved moved = MoveOff(processor);
    EXPECT_FALSE(CPU_ISSET(static_cast<std::size_t>(processor), &moved.allowed));
    EXPECT_EQ(CPU_COUNT(&moved.allowed), CPU_COUNT(&all) - 1);
    EXPECT_NE(moved.ran_on, processor);
  }
}

TEST(Processors, WithOneProcessorAThreadRunsThere) {
  if (ThisProcessor() >= CPU_SETSIZE) GTEST_SKIP() << "a processor that a set has no room for";
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  const PinnedTo there(one);
  const Moved moved = MoveOff(ThisProcessor());
  EXPECT_TRUE(CPU_EQUAL(&moved.allowed, &one));
}

TEST(Processors, OneThatIsNotKnownChangesNothing) {
  const cpu_set_t all = AllowedHere();
  const Moved moved = MoveOff(-1);
  EXPECT_TRUE(CPU_EQUAL(&moved.allowed, &all));
}

TEST(Processors, AThreadKnowsWhereItRuns) {
  if (ThisProcessor() >= CPU_SETSIZE) GTEST_SKIP() << "a processor that a set has no room for";
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  const PinnedTo there(one);
  EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(ThisProcessor()), &one));
}

}  // namespace
}  // namespace forge::os
