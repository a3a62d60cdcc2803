// A shared server in this process, on a thread of its own, with engines that go
// through it.
//
//   SharedServer server;
//   auto engine = server.Create({.roots = {tree.root()}});
//
// The socket is a real one, so everything but the second process is as it is for
// a user.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "api/create.h"
#include "forge/engine.h"
#include "remote/client.h"
#include "remote/server.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

class SharedServer {
 public:
  SharedServer() {
    auto server =
        remote::Server::Create({.place = place(), .make = CreateEngineIn, .idle_timeout = kNever, .stop = stop_});
    EXPECT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    thread_ = std::thread([this] { server_->Run(); });
  }
  ~SharedServer() {
    stop_.Cancel();
    thread_.join();
  }
  SharedServer(const SharedServer&) = delete;
  SharedServer& operator=(const SharedServer&) = delete;

  remote::Place place() const { return {folder_.Path("run"), "test"}; }

  // An engine that the server answers for; the test fails if it would not.
  std::unique_ptr<Engine> Create(EngineOptions options) const {
    options.config.server.mode = ServerMode::kOn;
    auto engine = remote::CreateEngine(
        std::move(options),
        {.place = place(), .environment = Environment::FromProcess(), .program = "/nonexistent", .local = NoLocal});
    EXPECT_TRUE(engine.ok()) << engine.error().message;
    return engine ? *std::move(engine) : nullptr;
  }

 private:
  static constexpr std::chrono::milliseconds kNever = std::chrono::hours(24);

  static Result<std::unique_ptr<Engine>> NoLocal(const EngineOptions&) {
    return ExecutionFailed("the server should have answered");
  }

  TempTree folder_;
  CancelSource stop_;
  std::unique_ptr<remote::Server> server_;
  std::thread thread_;
};

}  // namespace forge::testing
