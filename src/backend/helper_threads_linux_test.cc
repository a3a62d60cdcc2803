#include <gtest/gtest.h>
#include <sched.h>

#include <latch>
#include <optional>

#include "backend/helper_threads.h"
#include "os/processors.h"

namespace forge {
namespace {

cpu_set_t AllowedHere() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof(set), &set);
  return set;
}

bool Has(const cpu_set_t& set, int processor) { return CPU_ISSET(static_cast<std::size_t>(processor), &set); }

// As the system may do it, at a wake-up.
void MoveThisThreadTo(int processor) {
  const cpu_set_t before = AllowedHere();
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(processor), &only);
  sched_setaffinity(0, sizeof(only), &only);
  sched_setaffinity(0, sizeof(before), &before);
}

std::optional<int> AnotherProcessor(const cpu_set_t& all) {
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (Has(all, i) && i != os::ThisProcessor()) return i;
  }
  return std::nullopt;
}

class HelperProcessors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (CPU_COUNT(&all_) < 2) GTEST_SKIP() << "there is one processor";
  }
  // Moves this thread, and tells what a helper may use then. Nothing if the system moved it
  // away meanwhile.
  std::optional<cpu_set_t> AllowedAfterMove(bool beside_another) {
    HelperThreads helpers(1);
    std::latch moved(1);
    std::optional<cpu_set_t> allowed;
    std::optional<HelperThreads::Job> other;
    bool stayed = false;
    {
      HelperThreads::Job job(helpers, [&](unsigned) {
        moved.wait();
        allowed = AllowedHere();
      });
      if (beside_another) other.emplace(helpers, [](unsigned) {});
      to_ = AnotherProcessor(all_).value_or(0);
      MoveThisThreadTo(to_);
      job.KeepApart();
      stayed = os::ThisProcessor() == to_;
      moved.count_down();
      other.reset();
    }
    return stayed ? allowed : std::nullopt;
  }
  cpu_set_t AllowedThen(bool beside_another = false) {
    for (int i = 0; i < 1000; ++i) {
      if (const auto allowed = AllowedAfterMove(beside_another)) return *allowed;
    }
    ADD_FAILURE() << "the system never left this thread where it was";
    return {};
  }

  const cpu_set_t all_ = AllowedHere();
  int to_ = 0;
};

TEST_F(HelperProcessors, AHelperLeavesTheProcessorThatItsCallerWasMovedTo) {
  const cpu_set_t allowed = AllowedThen();
  EXPECT_FALSE(Has(allowed, to_));
  EXPECT_EQ(CPU_COUNT(&allowed), CPU_COUNT(&all_) - 1);
}

TEST_F(HelperProcessors, BesideAnotherSearchItStaysWhereItIs) {
  const cpu_set_t allowed = AllowedThen(/*beside_another=*/true);
  EXPECT_TRUE(Has(allowed, to_));
}

}  // namespace
}  // namespace forge
