#include "os/limits.h"

#include <gtest/gtest.h>

#include <cstdlib>
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

// As after a build: a large block was freed, then much was made and freed, in a thread that
// goes on. In a process of its own, because the setting stays.
TEST(Memory, AServerKeepsNoReserveInItsThreads) {
  if (testing::kAnySanitizer) GTEST_SKIP() << "sanitizers have allocators of their own";
  const auto stays_small = [] {
    bool small = false;
    PreferSmallMemory();
    std::thread([&small] {
      { const std::string large(std::size_t{30} << 20, 'x'); }
      const auto before = OwnMemory();
      std::vector<std::unique_ptr<std::string>> all;
      for (int i = 0; i < 150'000; ++i) all.push_back(std::make_unique<std::string>(200, 'x'));
      all.clear();
      all.shrink_to_fit();
      ReturnFreedMemory();
      const auto after = OwnMemory();
      small = before && after && *after < *before + (std::uint64_t{8} << 20);
    }).join();
    return small;
  };
  EXPECT_EXIT(std::_Exit(stays_small() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace forge::os
