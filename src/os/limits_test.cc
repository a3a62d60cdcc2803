#include "os/limits.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "os/memory.h"
#include "tests/testing/sanitizers.h"

namespace forge::os {
namespace {

// As a build does: threads that make very many small things, of which some stay.
TEST(Memory, WhatWasFreedIsGivenBack) {
  if (testing::kAnySanitizer) GTEST_SKIP() << "sanitizers have allocators of their own";
  constexpr std::uint64_t kMegabyte = 1 << 20;
  std::vector<std::unique_ptr<std::string>> kept;
  std::thread([&] {
    std::vector<std::unique_ptr<std::string>> all;
    for (int i = 0; i < 400'000; ++i) all.push_back(std::make_unique<std::string>(200, 'x'));
    for (std::size_t i = 0; i < all.size(); i += 4000) kept.push_back(std::move(all[i]));
  }).join();
  const auto before = OwnMemory();
  ReturnFreedMemory();
  const auto after = OwnMemory();
  ASSERT_TRUE(before && after);
  EXPECT_LT(*after + 50 * kMegabyte, *before) << kept.size() << " pieces pin the rest";
}

}  // namespace
}  // namespace forge::os
