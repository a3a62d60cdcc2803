#include "remote/remote_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "config/limits.h"
#include "remote/client.h"
#include "remote/contact.h"
#include "remote/server.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/fake_engine.h"
#include "tests/testing/temp_tree.h"

namespace forge::remote {
namespace {

using ::testing::ElementsAre;
using testing::FakeClocks;
using testing::FakeEngine;
using ::testing::IsEmpty;
using testing::TempTree;

Event Line(std::uint64_t number) { return {Event::Type::kMatch, "a.c", number, 1, "needle", "needle"}; }

std::vector<Event> Lines(std::uint64_t count) {
  std::vector<Event> out;
  for (std::uint64_t i = 1; i <= count; ++i) out.push_back(Line(i));
  return out;
}

Result<SearchResponse> Deliver(const std::vector<Event>& events, const SearchOptions& options) {
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
  FakeEngine::Answer local_ = [this](const SearchRequest& request, const SearchOptions& options) {
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
          std::make_unique<FakeEngine>(std::move(given), local_, std::vector<BackendReport>()));
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

  TempTree folder_;
  TempTree tree_;
  FakeClocks clocks_;
  std::atomic<int> local_engines_ = 0;
  std::atomic<int> local_searches_ = 0;
  EngineOptions::Indexing local_indexing_ = EngineOptions::Indexing::kForeground;
  SearchRequest local_request_;
};

// --- a server that works ---

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

// --- a server that does not ---

// Accepts one client, and does as it is told.
class Impostor {
 public:
  Impostor(const Place& place, std::function<void(Channel&)> script)
      : listener_(os::LocalListener::Open(place.folder, place.build)), build_(place.build), thread_([this, script] {
          auto stream = listener_->Accept(Deadline::After(60'000));
          if (!stream.ok()) return;
          Channel channel(std::move(*stream), kMostRequest);
          script(channel);
        }) {}
  ~Impostor() { thread_.join(); }

  static Deadline Soon() { return Deadline::After(60'000); }

  static void Greet(Channel& channel) {
    const auto hello = channel.Expect<Hello>(Type::kHello, Soon());
    if (hello) (void)channel.Send(Type::kHello, *hello, Soon());
  }
  // As a server would, until a search is asked for.
  static void UntilSearch(Channel& channel) {
    Greet(channel);
    const auto open = channel.Expect<Open>(Type::kOpen, Soon());
    if (open) (void)channel.Send(Type::kOpened, Opened{open->roots, open->working_dir, {}, {}}, Soon());
    Lost lost = Lost::kClosed;
    (void)channel.Receive(Soon(), lost);
  }
  static void SendLines(Channel& channel, const std::vector<Event>& events) {
    wire::Writer writer;
    for (const Event& event : events) writer.Put(event);
    (void)channel.SendBytes(Type::kEvents, writer.Take(), Soon());
  }
  static void WaitForTheEnd(Channel& channel) {
    Lost lost = Lost::kTimeout;
    while (channel.Receive(Soon(), lost)) continue;
  }

 private:
  os::OsResult<os::LocalListener> listener_;
  std::string build_;
  std::thread thread_;
};

class Impostors : public Remote {
 protected:
  // Searches, and expects the whole answer, each event once.
  void ExpectWholeAnswer(std::function<void(Channel&)> script, const std::string& what) {
    const Impostor impostor(place(), std::move(script));
    const auto engine = Create();
    ASSERT_TRUE(engine.ok()) << what;
    std::vector<Event> streamed;
    const auto answer = (*engine)->Search({.pattern = "x", .timeout = std::chrono::milliseconds(800)},
                                          {.on_event = [&](const Event& event) { streamed.push_back(event); }});
    ASSERT_TRUE(answer.ok()) << what << ": " << answer.error().message;
    EXPECT_THAT(Numbers(streamed), ElementsAre(1, 2, 3, 4, 5)) << what;
    EXPECT_THAT(Numbers(answer->matches), ElementsAre(1, 2, 3, 4, 5)) << what;
    EXPECT_THAT(answer->notes, IsEmpty()) << what;
    EXPECT_EQ(local_searches_, 1) << what;
    local_searches_ = 0;
  }
};

TEST_F(Impostors, BeforeTheFirstSearchAreNotUsed) {
  const std::vector<std::pair<const char*, std::function<void(Channel&)>>> scripts = {
      {"hangs up", [](Channel&) {}},
      {"garbage", [](Channel& c) { (void)c.SendFrames("HTTP/1.1 400 Bad Request\r\n\r\n", Impostor::Soon()); }},
      {"another build", [](Channel& c) { (void)c.Send(Type::kHello, Hello{.build = "another"}, Impostor::Soon()); }},
      {"hangs up at open", [](Channel& c) { Impostor::Greet(c); }},
      {"another tree",
       [](Channel& c) {
         Impostor::Greet(c);
         (void)c.Send(Type::kOpened, Opened{{"/"}, "/", {}, {}}, Impostor::Soon());
         Impostor::WaitForTheEnd(c);
       }},
      {"silent", [](Channel& c) { Impostor::WaitForTheEnd(c); }},
  };
  for (const auto& [what, script] : scripts) ExpectWholeAnswer(script, what);
}

TEST_F(Impostors, DuringASearchCostTimeAndNoAnswer) {
  const std::vector<std::pair<const char*, std::function<void(Channel&)>>> scripts = {
      {"hangs up", [](Channel&) {}},
      {"garbage", [](Channel& c) { (void)c.SendFrames(std::string(64, '\xEE'), Impostor::Soon()); }},
      {"an unknown frame", [](Channel& c) { (void)c.SendBytes(static_cast<Type>(200), "", Impostor::Soon()); }},
      {"half an event", [](Channel& c) { (void)c.SendBytes(Type::kEvents, "\1\2", Impostor::Soon()); }},
      {"a bad answer", [](Channel& c) { (void)c.SendBytes(Type::kAnswer, "x", Impostor::Soon()); }},
      {"silent", [](Channel& c) { Impostor::WaitForTheEnd(c); }},
      {"some events, then the end", [](Channel& c) { Impostor::SendLines(c, Lines(3)); }},
      {"all events, then the end", [](Channel& c) { Impostor::SendLines(c, Lines(5)); }},
      {"some events, then silent",
       [](Channel& c) {
         Impostor::SendLines(c, Lines(2));
         Impostor::WaitForTheEnd(c);
       }},
  };
  for (const auto& [what, script] : scripts) {
    ExpectWholeAnswer(
        [run = script](Channel& channel) {
          Impostor::UntilSearch(channel);
          run(channel);
        },
        what);
    EXPECT_EQ(local_indexing_, EngineOptions::Indexing::kStored) << "the server may come back";
  }
}

TEST_F(Impostors, TheTimeThatTheyTookIsTakenOff) {
  const Impostor impostor(place(), [](Channel& channel) {
    Impostor::UntilSearch(channel);
    Impostor::WaitForTheEnd(channel);
  });
  const auto engine = Create();
  ASSERT_TRUE((*engine)->Search({.pattern = "x", .timeout = std::chrono::milliseconds(800)}, {}).ok());
  ASSERT_TRUE(local_request_.timeout);
  EXPECT_LE(local_request_.timeout->count(), 800 - 150);
}

TEST_F(Impostors, ADifferenceInWhatWasDeliveredIsSaid) {
  const Impostor impostor(place(), [](Channel& channel) {
    Impostor::UntilSearch(channel);
    Impostor::SendLines(channel, {Line(77)});
  });
  const auto engine = Create();
  const auto answer = (*engine)->Search({.pattern = "x"}, {.on_event = [](const Event&) {}});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->notes.size(), 1U);
}

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

// --- the server's own life ---

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

TEST(Protocol, TheConfigurationCrossesWithoutKeysAndRoots) {
  Config config;
  config.search.max_files = 123;
  config.search.index.mode = IndexMode::kOn;
  config.sandbox.denied_patterns = {"*.secret"};
  config.sandbox.allowed_roots = {"."};
  config.llm.models.emplace_back().api_key = "secret";
  const auto back = DecodeConfig(EncodeConfig(config));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->search.max_files, 200000) << "as recommended: limits come with each call";
  EXPECT_EQ(config::LimitsOf(config.search).max_files, 123);
  EXPECT_EQ(back->search.index.mode, IndexMode::kOn);
  EXPECT_EQ(back->sandbox.denied_patterns, config.sandbox.denied_patterns);
  EXPECT_TRUE(back->sandbox.allowed_roots.empty());
  EXPECT_TRUE(back->llm.models.empty());
}

TEST(Protocol, OnlyVariablesThatDecideCross) {
  const Environment environment({{"PATH", "/bin"}, {"HOME", "/h"}, {"GIT_CONFIG_COUNT", "0"}, {"OPENAI_API_KEY", "k"}});
  Config config;
  config.search.binary = "native";
  std::string names;
  for (const Variable& variable : VariablesFor(config, environment)) names += variable.name + " ";
  EXPECT_EQ(names, "GIT_CONFIG_COUNT HOME ");
  config.search.binary = "ugrep";
  EXPECT_EQ(VariablesFor(config, environment).size(), 3U);
}

}  // namespace
}  // namespace forge::remote
