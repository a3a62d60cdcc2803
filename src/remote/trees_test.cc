#include "remote/trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "remote/protocol.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/fake_engine.h"

namespace forge::remote {
namespace {

using ::testing::ElementsAre;
using testing::FakeClocks;
using testing::FakeEngine;
using ::testing::IsEmpty;

TEST(Trees, AnIdleTreeIsDroppedAndOneInUseIsNot) {
  FakeClocks clocks;
  int made = 0;
  Trees trees(
      [&](const Environment&, EngineOptions options) -> Result<std::unique_ptr<Engine>> {
        ++made;
        return std::unique_ptr<Engine>(
            std::make_unique<FakeEngine>(std::move(options), FakeEngine::Answer(), std::vector<BackendReport>()));
      },
      {}, std::chrono::minutes(10), clocks);
  const Open open{.config = EncodeConfig({}), .roots = {"/a"}, .working_dir = "/a", .environment = {}, .searchers = {}};
  {
    const auto lease = trees.Take(open);
    ASSERT_EQ(lease.index(), 0U);
    clocks.Advance(std::chrono::minutes(30));
    trees.DropIdle();
    EXPECT_EQ(trees.size(), 1U);
  }
  clocks.Advance(std::chrono::minutes(9));
  trees.DropIdle();
  EXPECT_EQ(trees.size(), 1U);
  clocks.Advance(std::chrono::minutes(2));
  trees.DropIdle();
  EXPECT_EQ(trees.size(), 0U);
  EXPECT_EQ(trees.Take(open).index(), 0U);
  EXPECT_EQ(made, 2);
}

TEST(Trees, WhenThereAreTooManyTheLongestUnusedGoes) {
  FakeClocks clocks;
  std::vector<std::string> made;
  Trees trees(
      [&](const Environment&, EngineOptions options) -> Result<std::unique_ptr<Engine>> {
        made.push_back(options.working_dir);
        return std::unique_ptr<Engine>(
            std::make_unique<FakeEngine>(std::move(options), FakeEngine::Answer(), std::vector<BackendReport>()));
      },
      {}, std::chrono::minutes(10), clocks);
  const auto take = [&](std::size_t number) {
    const std::string root = "/" + std::to_string(number);
    return trees.Take(
        {.config = EncodeConfig({}), .roots = {root}, .working_dir = root, .environment = {}, .searchers = {}});
  };
  const auto kept = take(0);
  for (std::size_t i = 1; i <= Trees::kMost; ++i) {
    clocks.Advance(std::chrono::seconds(1));
    EXPECT_EQ(take(i).index(), 0U) << i;
  }
  EXPECT_EQ(trees.size(), Trees::kMost);
  made.clear();
  take(0);
  take(2);
  EXPECT_THAT(made, IsEmpty());
  take(1);
  EXPECT_THAT(made, ElementsAre("/1"));
  std::vector<std::variant<Trees::Lease, RefusedBecause>> leases;
  for (std::size_t i = 100; i < 100 + Trees::kMost - 1; ++i) leases.push_back(take(i));
  const auto refused = take(7);
  ASSERT_EQ(refused.index(), 1U);
  EXPECT_EQ(std::get<1>(refused), RefusedBecause::kTooMany);
}

}  // namespace
}  // namespace forge::remote
