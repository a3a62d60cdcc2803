#include "remote/remote_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "config/limits.h"
#include "remote/contact.h"
#include "remote/server.h"
#include "remote/testing/client_test_base.h"

namespace forge::remote {
namespace {

using ::testing::ElementsAre;
using testing::FakeEngine;
using ::testing::IsEmpty;
using testing::TempTree;

TEST_F(Remote, WithoutAServerTheEngineIsTheLocalOne) {
  const auto engine = Create();
  ASSERT_TRUE(engine.ok());
  EXPECT_EQ(local_engines_, 1);
  EXPECT_NE(dynamic_cast<FakeEngine*>(engine->get()), nullptr);
  EngineOptions off;
  off.config.server.mode = ServerMode::kOff;
  ASSERT_TRUE(Create(off).ok());
  EXPECT_EQ(local_engines_, 2);
}

class WithServer : public Remote {
 protected:
  void SetUp() override {
    auto server = Server::Create(
        {.place = place(),
         .make = [this](const Environment& environment, EngineOptions options) -> Result<std::unique_ptr<Engine>> {
           ++made_;
           environment_ = environment;
           made_options_ = options;
           return std::unique_ptr<Engine>(
               std::make_unique<FakeEngine>(std::move(options), remote_, std::vector<BackendReport>()));
         },
         .idle_timeout = std::chrono::minutes(10),
         .stop = stop_});
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    thread_ = std::thread([this] { server_->Run(); });
  }
  void TearDown() override {
    stop_.Cancel();
    thread_.join();
  }

  FakeEngine::Answer remote_ = [](const SearchRequest&, const SearchOptions& options) {
    return Deliver(Lines(3), options);
  };
  std::atomic<int> made_ = 0;
  Environment environment_;
  EngineOptions made_options_;
  CancelSource stop_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

TEST_F(WithServer, AnswersComeFromIt) {
  const auto engine = Create();
  ASSERT_TRUE(engine.ok()) << engine.error().message;
  std::vector<Event> streamed;
  std::uint64_t last = 0;
  const auto answer =
      (*engine)->Search({.pattern = "x"}, {.on_event = [&](const Event& event) { streamed.push_back(event); },
                                           .on_progress = [&](const Progress& progress) { last = progress.done; }});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_THAT(Numbers(streamed), ElementsAre(1, 2, 3));
  EXPECT_THAT(Numbers(answer->matches), ElementsAre(1, 2, 3));
  EXPECT_EQ(answer->end, SearchEnd::kComplete);
  EXPECT_GT(last, 0U);
  EXPECT_EQ(local_engines_, 0);
  EXPECT_EQ((*engine)->roots(), std::vector<std::string>{tree_.root()});
}

TEST_F(WithServer, FilesComeAfterTheirEventsUnderTheNameThatIsAskedFor) {
  remote_ = [](const SearchRequest& request, const SearchOptions& options) {
    EXPECT_TRUE(request.invert);
    EXPECT_EQ(options.show_as, "here");
    EXPECT_TRUE(options.on_any_file);
    auto answer = Deliver(Lines(2), options);
    options.on_file({.path = "here/a", .matched_lines = 2, .matches = 3, .bytes = 4});
    return answer;
  };
  const auto engine = Create();
  ASSERT_TRUE(engine.ok()) << engine.error().message;
  std::vector<std::string> seen;
  SearchOptions options{.on_event = [&](const Event&) { seen.emplace_back("event"); }};
  options.on_file = [&](const FileReport& file) { seen.push_back(file.path + std::to_string(file.matches)); };
  options.on_any_file = true;
  options.show_as = "here";
  ASSERT_TRUE((*engine)->Search({.pattern = "x", .invert = true}, options).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"event", "event", "here/a3"}));
}

TEST_F(WithServer, ACallerThatHasEnoughGetsNoMore) {
  remote_ = [](const SearchRequest&, const SearchOptions& options) { return Deliver(Lines(1000), options); };
  const auto engine = Create();
  ASSERT_TRUE(engine.ok()) << engine.error().message;
  int events = 0;
  const auto answer = (*engine)->Search(
      {.pattern = "x"}, {.on_event = [&](const Event&) { ++events; }, .enough = [&] { return events == 3; }});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(events, 3);
  EXPECT_EQ(answer->matches.size(), 3U);
  EXPECT_EQ(answer->end, SearchEnd::kStopped);
  EXPECT_TRUE(answer->truncated);
}

TEST_F(WithServer, AnErrorKeepsItsCodeAndDetails) {
  remote_ = [](const SearchRequest&, const SearchOptions&) -> Result<SearchResponse> {
    return Error{.kind = ErrorKind::kBadArgs, .message = "bad", .code = ErrorCode::kBadPattern, .offset = 7};
  };
  const auto engine = Create();
  const auto answer = (*engine)->Search({.pattern = "("}, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadArgs);
  EXPECT_EQ(answer.error().code, ErrorCode::kBadPattern);
  EXPECT_EQ(answer.error().offset, 7U);
  EXPECT_EQ(local_searches_, 0);
}

TEST_F(WithServer, ClientsOfOneTreeShareAnEngineAndOthersDoNot) {
  const auto one = Create();
  const auto two = Create({.indexing = EngineOptions::Indexing::kBackground});
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(made_options_.indexing, EngineOptions::Indexing::kBackground);
  EngineOptions other;
  other.config.search.content_max_bytes = 7000;
  const auto three = Create(other);
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(made_options_.config.search.content_max_bytes, 7000);
}

// People have other limits than agents.
TEST_F(WithServer, LimitsComeWithEachCallAndDoNotDivideATree) {
  std::int64_t limit = 0;
  remote_ = [&](const SearchRequest&, const SearchOptions& options) -> Result<SearchResponse> {
    limit = options.limits->max_files;
    return SearchResponse{};
  };
  EngineOptions agent;
  agent.config.search.max_files = 7;
  const auto one = Create(agent);
  const auto two = Create();
  EXPECT_EQ(made_, 1);
  EXPECT_TRUE((*one)->Search({.pattern = "x"}).ok());
  EXPECT_EQ(limit, 7);
  EXPECT_TRUE((*two)->Search({.pattern = "x"}).ok());
  EXPECT_EQ(limit, SearchConfig().max_files);
}

TEST_F(WithServer, KeysOfModelsStayWithTheClient) {
  EngineOptions options;
  options.config.llm.models.emplace_back().api_key = "secret";
  const auto engine = Create(options);
  EXPECT_TRUE(made_options_.config.llm.models.empty());
  EXPECT_TRUE((*engine)->KeywordSearch({}, {}).ok());
  EXPECT_EQ(local_engines_, 1);
}

TEST_F(WithServer, ASingleCommandOnlyJoinsATreeThatIsOpen) {
  EngineOptions single;
  single.config.server.mode = ServerMode::kAuto;
  single.config.search.index.mode = IndexMode::kOn;
  const auto create = [&](EngineOptions options) {
    options.roots = {tree_.root()};
    return CreateEngine(std::move(options), {.place = place(),
                                             .environment = {},
                                             .program = "",
                                             .local = [this](EngineOptions given) -> Result<std::unique_ptr<Engine>> {
                                               ++local_engines_;
                                               return std::unique_ptr<Engine>(std::make_unique<FakeEngine>(
                                                   std::move(given), local_, std::vector<BackendReport>()));
                                             }});
  };
  ASSERT_TRUE(create(single).ok());
  EXPECT_EQ(made_, 0);
  EXPECT_EQ(local_engines_, 1);
  EngineOptions agent = single;
  agent.indexing = EngineOptions::Indexing::kBackground;
  const auto session = create(agent);
  EXPECT_EQ(made_, 1);
  const auto joined = create(single);
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(local_engines_, 1);
  single.config.search.index.mode = IndexMode::kOff;
  ASSERT_TRUE(create(single).ok());
  EXPECT_EQ(local_engines_, 2) << "without an index nothing is warm";
}

TEST_F(WithServer, ACancelledCallEndsOnBothSides) {
  std::atomic<bool> ended = false;
  std::atomic<bool> began = false;
  remote_ = [&](const SearchRequest&, const SearchOptions& options) -> Result<SearchResponse> {
    began = true;
    while (!options.cancel.cancelled()) std::this_thread::yield();
    ended = true;
    return Cancelled();
  };
  const auto engine = Create();
  CancelSource cancel;
  std::thread canceller([&] {
    while (!began) std::this_thread::yield();
    cancel.Cancel();
  });
  const auto answer = (*engine)->Search({.pattern = "x"}, {.cancel = cancel.token()});
  canceller.join();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kCancelled);
  while (!ended) std::this_thread::yield();
  EXPECT_EQ(local_searches_, 0);
  remote_ = [](const SearchRequest&, const SearchOptions& options) { return Deliver(Lines(1), options); };
}

TEST_F(WithServer, AClientThatGoesAwayFreesItsWork) {
  std::atomic<bool> ended = false;
  std::atomic<bool> began = false;
  remote_ = [&](const SearchRequest&, const SearchOptions& options) -> Result<SearchResponse> {
    began = true;
    while (!options.cancel.cancelled()) options.on_event(Line(1));  // nobody reads: the buffer fills
    ended = true;
    return Cancelled();
  };
  Met met = Meet(place());
  ASSERT_NE(met.channel, nullptr);
  Open open{.config = EncodeConfig({}),
            .roots = {tree_.root()},
            .working_dir = tree_.root(),
            .environment = {},
            .searchers = {}};
  ASSERT_TRUE(met.channel->Send(Type::kOpen, open, Deadline::After(10'000)));
  ASSERT_TRUE(met.channel->Expect<Opened>(Type::kOpened, Deadline::After(10'000)));
  Search search;
  search.limits = config::LimitsOf({});
  ASSERT_TRUE(met.channel->Send(Type::kSearch, search, Deadline::After(10'000)));
  while (!began) std::this_thread::yield();
  met.channel.reset();
  while (!ended) std::this_thread::yield();
}

TEST_F(WithServer, ManyCallsAtOnceGetTheirOwnAnswers) {
  remote_ = [](const SearchRequest& request, const SearchOptions& options) {
    return Deliver(Lines(static_cast<std::uint64_t>(request.context)), options);
  };
  const auto engine = Create();
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const auto answer = (*engine)->Search({.pattern = "x", .context = i}, {});
        ASSERT_TRUE(answer.ok());
        ASSERT_EQ(answer->matches.size(), static_cast<std::size_t>(i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(local_searches_, 0);
}

TEST_F(WithServer, ItRefusesWhatNoClientOfOursSends) {
  const auto refused = [&](const Open& open) {
    Met met = Meet(place());
    EXPECT_NE(met.channel, nullptr);
    EXPECT_TRUE(met.channel->Send(Type::kOpen, open, Deadline::After(10'000)));
    return met.channel->Expect<Refused>(Type::kRefused, Deadline::After(10'000)).has_value();
  };
  const Open good{.config = EncodeConfig({}),
                  .roots = {tree_.root()},
                  .working_dir = tree_.root(),
                  .environment = {},
                  .searchers = {}};
  Open bad = good;
  bad.roots = {"."};
  EXPECT_TRUE(refused(bad)) << "a relative root";
  bad = good;
  bad.roots.clear();
  EXPECT_TRUE(refused(bad)) << "no root";
  bad = good;
  bad.config = "garbage";
  EXPECT_TRUE(refused(bad));
  Config wrong;
  wrong.search.content_max_bytes = -1;
  bad.config = EncodeConfig(wrong);
  EXPECT_TRUE(refused(bad)) << "a value that the table of keys does not allow";
  wrong = {};
  wrong.search.binary = "./here/ugrep";
  bad.config = EncodeConfig(wrong);
  EXPECT_TRUE(refused(bad)) << "a program in the server's folder";
  EXPECT_EQ(made_, 0);
}

TEST_F(WithServer, AnotherBuildIsNotServed) {
  for (const bool other_version : {false, true}) {
    auto stream = os::LocalStream::Connect(place().folder, place().build, Deadline::After(10'000));
    ASSERT_TRUE(stream.ok());
    Channel channel(std::move(*stream), kMostReply);
    Hello hello;
    hello.build = other_version ? place().build : "another";
    if (other_version) hello.version = "0.0.0";
    ASSERT_TRUE(channel.Send(Type::kHello, hello, Deadline::After(10'000)));
    ASSERT_TRUE(channel.Expect<Hello>(Type::kHello, Deadline::After(10'000)));
    Lost lost = Lost::kTimeout;
    EXPECT_FALSE(channel.Receive(Deadline::After(10'000), lost));
    EXPECT_EQ(lost, Lost::kClosed);
  }
}

TEST_F(WithServer, ItTellsWhatItHoldsAndStopsWhenTold) {
  const auto engine = Create();
  Met met = Meet(place());
  ASSERT_NE(met.channel, nullptr);
  ASSERT_TRUE(met.channel->SendBytes(Type::kServerStatus, "", Deadline::After(10'000)));
  const auto report = met.channel->Expect<ServerReport>(Type::kServerReport, Deadline::After(10'000));
  ASSERT_TRUE(report);
  ASSERT_EQ(report->trees.size(), 1U);
  EXPECT_EQ(report->trees[0].roots, std::vector<std::string>{tree_.root()});
  EXPECT_EQ(report->trees[0].clients, 1U);
  ASSERT_TRUE(met.channel->SendBytes(Type::kStop, "", Deadline::After(10'000)));
  thread_.join();
  thread_ = std::thread([] {});
  server_.reset();
  EXPECT_EQ(Meet(place()).contact, Contact::kNone);
}

}  // namespace
}  // namespace forge::remote
