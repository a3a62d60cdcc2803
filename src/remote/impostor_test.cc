// Servers that are none of ours: they lie, break off, or say nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "remote/contact.h"
#include "remote/testing/client_test_base.h"

namespace forge::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace forge::remote
