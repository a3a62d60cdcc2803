#include "remote/server.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "remote/testing/client_test_base.h"

namespace forge::remote {
namespace {

using testing::FakeEngine;

class ServerLife : public Remote {
 protected:
  std::unique_ptr<Server> Make() {
    auto server =
        Server::Create({.place = place(),
                        .make = [](const Environment&, EngineOptions options) -> Result<std::unique_ptr<Engine>> {
                          return std::unique_ptr<Engine>(std::make_unique<FakeEngine>(
                              std::move(options), FakeEngine::Answer(), std::vector<BackendReport>()));
                        },
                        .idle_timeout = std::chrono::minutes(10),
                        .is_current = [this] { return current_; },
                        .clocks = &clocks_});
    EXPECT_TRUE(server.ok());
    return *std::move(server);
  }
  static Deadline Now() { return Deadline::After(0); }

  bool current_ = true;
};

TEST_F(ServerLife, EndsAfterItsIdleTimeAndNotBefore) {
  const auto server = Make();
  clocks_.Advance(std::chrono::minutes(9));
  EXPECT_TRUE(server->Step(Now()));
  auto stream = os::LocalStream::Connect(place().folder, place().build, Deadline::After(10'000));
  ASSERT_TRUE(stream.ok());
  EXPECT_TRUE(server->Step(Deadline::After(10'000)));
  clocks_.Advance(std::chrono::minutes(60));
  EXPECT_TRUE(server->Step(Now())) << "it has a client";
  stream = os::OsError{1};
  while (server->clients() > 0) EXPECT_TRUE(server->Step(Now()));
  clocks_.Advance(std::chrono::minutes(9));
  EXPECT_TRUE(server->Step(Now()));
  clocks_.Advance(std::chrono::minutes(2));
  EXPECT_FALSE(server->Step(Now()));
}

TEST_F(ServerLife, EndsWhenItsProgramIsReplaced) {
  const auto server = Make();
  EXPECT_TRUE(server->Step(Now()));
  current_ = false;
  EXPECT_FALSE(server->Step(Now()));
}

TEST_F(ServerLife, EndsWhenItsSocketIsGone) {
  const std::string folder = place().folder;
  const std::string moved = folder + "-moved";
  std::unique_ptr<Server> other;
  const std::vector<std::function<void()>> ways = {[&] { std::filesystem::remove_all(folder); },
                                                   [&] { std::filesystem::remove(folder + "/" + place().build); },
                                                   [&] { std::filesystem::rename(folder, moved); },
                                                   [&] {
                                                     std::filesystem::remove_all(folder);
                                                     other = Make();
                                                   }};
  for (const auto& remove : ways) {
    const auto server = Make();
    EXPECT_TRUE(server->Step(Now()));
    remove();
    EXPECT_FALSE(server->Step(Now()));
    std::filesystem::remove_all(moved);
  }
}

TEST_F(ServerLife, ThereIsOneAtATime) {
  auto first = Make();
  const auto second = Server::Create({.place = place(), .make = {}, .idle_timeout = {}});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kLocked);
  first.reset();
  Make();
}

}  // namespace
}  // namespace forge::remote
