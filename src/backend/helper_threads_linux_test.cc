#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <latch>
#include <optional>
#include <vector>

#include "backend/helper_threads.h"
#include "os/processors.h"

namespace forge {
namespace {

using Processors = std::vector<int>;

Processors AllowedHere() {
  cpu_set_t set = {};
  sched_getaffinity(0, sizeof(set), &set);  // fails where there are more than the set has room for
  Processors out;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) out.push_back(i);
  }
  return out;
}

Processors Without(Processors all, int processor) {
  std::erase(all, processor);
  return all;
}

// What the one helper may use after its caller was moved from processor to processor.
Processors AllowedAfter(const Processors& moves, bool beside_another = false) {
  HelperThreads helpers(1);
  std::latch begun(1);
  std::latch moved(1);
  Processors allowed;
  std::optional<HelperThreads::Job> other;
  {
    HelperThreads::Job job(helpers, [&](unsigned) {
      begun.count_down();
      moved.wait();
      allowed = AllowedHere();
    });
    begun.wait();
    job.KeepOff(moves.front());
    if (beside_another) other.emplace(helpers, [](unsigned) {});
    for (const int processor : moves) job.KeepOff(processor);
    moved.count_down();
    other.reset();
  }
  return allowed;
}

class HelperProcessors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (all_.size() < 2) GTEST_SKIP() << "there are not two processors that we know of";
  }
  const Processors all_ = AllowedHere();
  // Some of them: a pair of each with each is too many on a large machine.
  const Processors some_ = Processors(all_.begin(), all_.begin() + std::min<std::ptrdiff_t>(4, std::ssize(all_)));
};

TEST_F(HelperProcessors, AHelperLeavesTheProcessorThatItsCallerWasMovedTo) {
  for (const int first : some_) {
    for (const int last : some_) {
      EXPECT_EQ(AllowedAfter({first, last}), Without(all_, last)) << first << " " << last;
      EXPECT_EQ(AllowedAfter({first, last, first}), Without(all_, first)) << first << " " << last;
    }
  }
}

TEST_F(HelperProcessors, BesideAnotherSearchItStaysWhereItIs) {
  for (const int first : some_) {
    for (const int last : some_) {
      EXPECT_EQ(AllowedAfter({first, last}, /*beside_another=*/true), Without(all_, first)) << first << " " << last;
    }
  }
}

}  // namespace
}  // namespace forge
