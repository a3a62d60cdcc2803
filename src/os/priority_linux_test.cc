#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "os/priority.h"

namespace forge::os {
namespace {

int Nice() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

TEST(Priority, OnlyTheCallingThreadIsLowered) {
  const int before = Nice();
  std::thread([before] {
    EXPECT_TRUE(LowerThisThread().processor);
    EXPECT_EQ(Nice(), std::max(before, 10));
    EXPECT_TRUE(LowerThisThread().processor);  // a second call does no harm
    EXPECT_EQ(Nice(), std::max(before, 10));
  }).join();
  EXPECT_EQ(Nice(), before);
}

}  // namespace
}  // namespace forge::os
