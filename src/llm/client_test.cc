#include "llm/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace forge::llm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Kind = HttpFailure::Kind;

constexpr const char* kFine = R"({"choices":[{"message":{"content":"fine"}}]})";

HttpReply Fine() { return {200, {}, kFine}; }
HttpReply Status(int status, std::map<std::string, std::string> headers = {}, std::string body = "{}") {
  return {status, std::move(headers), std::move(body)};
}

// Plays both the network and the clock.
class Asking : public ::testing::Test, protected HttpClient {
 protected:
  HttpOutcome Post(const HttpRequest& request, const Deadline& /*deadline*/) const override {
    requests_.push_back(request);
    if (script_.empty()) return HttpFailure{Kind::kConnect, "unscripted"};
    HttpOutcome outcome = script_.front();
    script_.pop_front();
    return outcome;
  }

  // The answer's text, or "error: ...".
  std::string Ask(std::deque<HttpOutcome> script, const Deadline& deadline = {}) {
    script_ = std::move(script);
    requests_.clear();
    waits_.clear();
    ModelConfig model;
    model.name = "fast";
    model.base_url = "https://example.com";
    model.model = "m-1";
    const Client client(*this, [this](std::chrono::milliseconds time, const Deadline& until) {
      waits_.push_back(time.count());
      if (cancel_in_wait_) source_.Cancel();
      return !until.over();
    });
    const auto completion = client.Complete(model, "sk-secret", {"s", "u"}, deadline);
    if (completion) return completion->text;
    kind_ = completion.error().kind;
    return "error: " + completion.error().message;
  }

  mutable std::deque<HttpOutcome> script_;
  mutable std::vector<HttpRequest> requests_;
  std::vector<std::int64_t> waits_;
  CancelSource source_;
  bool cancel_in_wait_ = false;
  ErrorKind kind_ = ErrorKind::kExecutionFailed;
};

TEST_F(Asking, OneRequestIsEnough) {
  EXPECT_EQ(Ask({Fine()}), "fine");
  EXPECT_EQ(requests_.size(), 1U);
  EXPECT_THAT(waits_, IsEmpty());
}

TEST_F(Asking, WhatMayPassIsTriedAgainAsTheProviderSays) {
  const struct {
    HttpOutcome first;
    std::int64_t wait;
  } rows[] = {
      {Status(429, {{"retry-after", "2"}}), 2000},
      {Status(429, {{"retry-after", "0.25"}}), 250},
      {Status(429, {{"retry-after", "9"}, {"retry-after-ms", "70"}}), 70},
      {Status(429, {{"retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"}}), 500},
      {Status(500), 500},
      {Status(529), 500},
      {Status(408), 500},
      {Status(409), 500},
      {Status(400, {{"x-should-retry", "true"}}), 500},
      {HttpFailure{Kind::kConnect, "refused"}, 500},
      {HttpFailure{Kind::kCut, "cut"}, 500},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Ask({row.first, Fine()}), "fine");
    EXPECT_THAT(waits_, ElementsAre(row.wait));
  }
}

TEST_F(Asking, WhatWillNotPassIsNotTriedAgain) {
  const HttpOutcome rows[] = {
      Status(400),
      Status(401),
      Status(403),
      Status(404),
      Status(413),
      Status(422),
      Status(302),
      Status(500, {{"x-should-retry", "false"}}),
      HttpFailure{Kind::kTls, "bad certificate"},
      HttpFailure{Kind::kTimeout, "no answer in time"},
      HttpFailure{Kind::kTooLarge, "large"},
      HttpFailure{Kind::kUnavailable, "no libcurl"},
      HttpReply{200, {}, "<html>"},
  };
  for (const HttpOutcome& row : rows) {
    EXPECT_THAT(Ask({row, Fine()}), HasSubstr("error: openai, model m-1 (fast): "));
    EXPECT_EQ(requests_.size(), 1U);
  }
}

TEST_F(Asking, AttemptsEndAndTheErrorSaysHowManyThereWere) {
  const HttpReply busy = Status(529, {{"request-id", "req_7"}}, R"({"error":{"message":"Overloaded"}})");
  EXPECT_EQ(Ask({busy, busy, busy, Fine()}),
            "error: openai, model m-1 (fast): HTTP 529: Overloaded (request req_7), after 3 attempts");
  EXPECT_THAT(waits_, ElementsAre(500, 1000));
}

TEST_F(Asking, AWaitThatIsTooLongIsNotBegun) {
  EXPECT_EQ(Ask({Status(429, {{"retry-after", "60"}}), Fine()}),
            "error: openai, model m-1 (fast): HTTP 429; it asks to wait for 60 seconds");
  EXPECT_THAT(Ask({Status(429, {{"retry-after", "5"}}), Fine()}, Deadline::After(1000)), HasSubstr("5 seconds"));
  EXPECT_THAT(waits_, IsEmpty());
}

TEST_F(Asking, ErrorsSayWhatToDo) {
  EXPECT_THAT(Ask({Status(401)}), HasSubstr("HTTP 401; check the key of this model"));
  EXPECT_THAT(Ask({Status(404)}), HasSubstr("check its base_url and model"));
  EXPECT_THAT(Ask({Status(301)}), HasSubstr("redirects are not followed"));
}

TEST_F(Asking, TheKeyIsInNoError) {
  const std::string body = R"({"error":{"message":"bad key sk-secret, sk-secret"}})";
  EXPECT_THAT(Ask({Status(401, {}, body)}), AllOf(HasSubstr("bad key (key), (key)"), Not(HasSubstr("sk-secret"))));
  for (const std::size_t before : {0U, 92U, 95U}) {
    const std::string id = std::string(before, 'x') + "sk-secret";
    EXPECT_THAT(Ask({Status(401, {{"x-request-id", id}})}), Not(HasSubstr("sk-s")));
  }
  EXPECT_THAT(Ask({HttpFailure{Kind::kTls, "no sk-secret"}}), HasSubstr("no (key)"));
}

TEST_F(Asking, ACancelledWaitEndsEverything) {
  cancel_in_wait_ = true;
  Ask({Status(500), Fine()}, Deadline::After(60000, source_.token()));
  EXPECT_EQ(kind_, ErrorKind::kCancelled);
  EXPECT_EQ(requests_.size(), 1U);
}

TEST_F(Asking, AMissedDeadlineIsATimeout) {
  EXPECT_THAT(Ask({HttpFailure{Kind::kTimeout, "no answer in time"}}), HasSubstr("no answer in time"));
  EXPECT_EQ(kind_, ErrorKind::kTimeout);
}

}  // namespace
}  // namespace forge::llm
