// What the tests of this folder share: a client, with a fake engine in its process.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "remote/client.h"
#include "remote/remote_engine.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/fake_engine.h"
#include "tests/testing/temp_tree.h"

namespace forge::remote {

inline Event Line(std::uint64_t number) { return {Event::Type::kMatch, "a.c", number, 1, "needle", "needle"}; }

inline std::vector<Event> Lines(std::uint64_t count) {
  std::vector<Event> out;
  for (std::uint64_t i = 1; i <= count; ++i) out.push_back(Line(i));
  return out;
}

inline Result<SearchResponse> Deliver(const std::vector<Event>& events, const SearchOptions& options) {
  SearchResponse response;
  response.end = SearchEnd::kComplete;
  for (const Event& event : events) {
    if (options.on_event) options.on_event(event);
    if (options.on_progress) options.on_progress({event.line_number, std::nullopt, "files searched"});
    if (options.keep_events) response.matches.push_back(event);
  }
  return response;
}

// A client and something at the other end.
class Remote : public ::testing::Test {
 protected:
  Place place() const { return {folder_.Path("run"), "build"}; }

  // What the engine in the client's process answers with.
  testing::FakeEngine::Answer local_ = [this](const SearchRequest& request, const SearchOptions& options) {
    ++local_searches_;
    local_request_ = request;
    return Deliver(Lines(5), options);
  };

  Result<std::unique_ptr<Engine>> Create(EngineOptions options = {}) {
    options.roots = {tree_.root()};
    if (options.config.server.mode == ServerMode::kAuto) options.config.server.mode = ServerMode::kOn;
    const auto local = [this](EngineOptions given) -> Result<std::unique_ptr<Engine>> {
      ++local_engines_;
      local_indexing_ = given.indexing;
      return std::unique_ptr<Engine>(
          std::make_unique<testing::FakeEngine>(std::move(given), local_, std::vector<BackendReport>()));
    };
    return CreateEngine(std::move(options), {.place = place(),
                                             .environment = {},
                                             .program = "/nonexistent/forge-search",
                                             .local = local,
                                             .clocks = &clocks_});
  }

  static std::vector<std::uint64_t> Numbers(const std::vector<Event>& events) {
    std::vector<std::uint64_t> out;
    for (const Event& event : events) out.push_back(event.line_number);
    return out;
  }

  testing::TempTree folder_;
  testing::TempTree tree_;
  testing::FakeClocks clocks_;
  std::atomic<int> local_engines_ = 0;
  std::atomic<int> local_searches_ = 0;
  EngineOptions::Indexing local_indexing_ = EngineOptions::Indexing::kForeground;
  SearchRequest local_request_;
};

}  // namespace forge::remote
