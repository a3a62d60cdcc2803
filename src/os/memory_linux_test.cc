#include <gtest/gtest.h>

#include <string>

#include "os/memory.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

// A machine with 16 GiB, half of it available, and a control group in another.
class MemoryFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    Meminfo(8'000'000);
    tree_.Write("proc/self/cgroup", "3:cpu:/x\n0::/outer/inner\n");
    tree_.Write("proc/pressure/memory", Pressure("0.00"));
    tree_.Write("cgroup/outer/memory.max", "1600000\n");
    tree_.Write("cgroup/outer/memory.current", "1590000\n");
    tree_.Write("cgroup/outer/memory.stat", "anon 5\ninactive_file 400000\n");
    tree_.Write("cgroup/outer/inner/memory.max", "max\n");
    tree_.Write("cgroup/outer/inner/memory.current", "1590000\n");
  }

  void Meminfo(int available) {
    tree_.Write("proc/meminfo",
                "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:    " + std::to_string(available) + " kB\n");
  }
  static std::string Pressure(const std::string& average) {
    return "some avg10=" + average + " avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 total=0\n";
  }
  std::unique_ptr<Memory> Read() const { return MemoryFrom(tree_.Path("proc"), tree_.Path("cgroup")); }

  forge::testing::TempTree tree_;
};

TEST_F(MemoryFiles, TheSmallestLimitCounts) {
  EXPECT_EQ(Read()->Limit(), 1'600'000U);
  tree_.Write("cgroup/outer/memory.max", "max\n");
  EXPECT_EQ(Read()->Limit(), std::uint64_t{16} << 30);
}

TEST_F(MemoryFiles, IsShortWhereAGroupIsFullOfWhatTheKernelCannotDrop) {
  EXPECT_FALSE(Read()->IsShort());
  tree_.Write("cgroup/outer/memory.stat", "anon 5\ninactive_file 4000\n");
  EXPECT_TRUE(Read()->IsShort());
}

TEST_F(MemoryFiles, IsShortWhereProcessesWaitForMemory) {
  tree_.Write("proc/pressure/memory", Pressure("9.99"));
  EXPECT_FALSE(Read()->IsShort());
  tree_.Write("proc/pressure/memory", Pressure("10.00"));
  EXPECT_TRUE(Read()->IsShort());
  tree_.Write("proc/pressure/memory", Pressure("0.00"));
  tree_.Write("cgroup/outer/inner/memory.pressure", Pressure("55.10"));
  EXPECT_TRUE(Read()->IsShort());
}

TEST_F(MemoryFiles, IsShortWhereTheMachineHasLittleLeft) {
  Meminfo(1'000'000);
  EXPECT_TRUE(Read()->IsShort());
}

TEST_F(MemoryFiles, TheFirstVersionOfControlGroupsIsRead) {
  tree_.Write("proc/self/cgroup", "4:memory:/job\n0::/\n");
  tree_.Write("cgroup/memory/job/memory.limit_in_bytes", "800000\n");
  tree_.Write("cgroup/memory/job/memory.usage_in_bytes", "790000\n");
  tree_.Write("cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 100000\n");
  tree_.Write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(Read()->Limit(), 800'000U);
  EXPECT_FALSE(Read()->IsShort());
  tree_.Write("cgroup/memory/job/memory.stat", "total_inactive_file 1\n");
  EXPECT_TRUE(Read()->IsShort());
}

TEST(Memory, WhatTheSystemDoesNotTellIsPlenty) {
  const forge::testing::TempTree empty;
  const auto memory = MemoryFrom(empty.root(), empty.root());
  EXPECT_EQ(memory->Limit(), std::nullopt);
  EXPECT_FALSE(memory->IsShort());
}

TEST(Memory, ThisMachineHasALimit) { EXPECT_GT(Memory::System().Limit().value_or(0), 0U); }

}  // namespace
}  // namespace forge::os
