#include "remote/connections.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "remote/protocol.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/temp_tree.h"

namespace forge::remote {
namespace {

using testing::FakeClocks;
using testing::TempTree;

TEST(Connections, AFailureIsFollowedByAPauseAndManyByNone) {
  FakeClocks clocks;
  int tries = 0;
  TempTree folder;
  const auto listener = os::LocalListener::Open(folder.Path("run"), "s");
  auto stream = os::LocalStream::Connect(folder.Path("run"), "s", Deadline::After(10'000));
  ASSERT_TRUE(stream.ok());
  Connections connections(
      [&](const CancelToken&) {
        ++tries;
        return nullptr;
      },
      std::make_unique<Channel>(std::move(*stream), kMostReply), clocks);
  auto first = connections.Take({});
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(connections.Take({}), nullptr);
  EXPECT_EQ(connections.Take({}), nullptr);
  EXPECT_EQ(tries, 1) << "the second one is too soon";
  connections.GiveBack(std::move(first));
  for (int i = 0; i < 20; ++i) {
    connections.NoteFailure();
    clocks.Advance(std::chrono::minutes(5));
  }
  EXPECT_TRUE(connections.given_up());
  EXPECT_EQ(connections.Take({}), nullptr);
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace forge::remote
