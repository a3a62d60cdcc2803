#include "llm/curl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/http_server.h"

namespace forge::llm {
namespace {

using ::testing::HasSubstr;
using testing::HttpServer;
using testing::ScriptedReply;
using End = ScriptedReply::End;
using Kind = HttpFailure::Kind;

HttpOutcome Post(const std::string& url, const Deadline& deadline = Deadline::After(20000)) {
  return MakeCurlClient()->Post({url, {{"X-Test", "yes"}}, "the body"}, deadline);
}

Kind FailureOf(const HttpOutcome& outcome) {
  const auto* failure = std::get_if<HttpFailure>(&outcome);
  if (failure == nullptr) throw std::runtime_error("the request succeeded");
  EXPECT_FALSE(failure->message.empty());
  return failure->kind;
}

TEST(Curl, SendsTheRequestAndReturnsTheReply) {
  HttpServer server({{.status = 418, .headers = {"Retry-After: 7"}, .body = "hello"}});
  const HttpOutcome outcome = Post(server.url() + "/v1/x");
  const auto& reply = std::get<HttpReply>(outcome);
  EXPECT_EQ(reply.status, 418);
  EXPECT_EQ(reply.body, "hello");
  EXPECT_EQ(reply.headers.at("retry-after"), "7");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].line, "POST /v1/x HTTP/1.1");
  EXPECT_EQ(requests[0].headers.at("x-test"), "yes");
  EXPECT_EQ(requests[0].headers.count("expect"), 0U);
  EXPECT_EQ(requests[0].body, "the body");
}

TEST(Curl, ARedirectIsAReplyLikeAnyOther) {
  HttpServer server({{.status = 307, .headers = {"Location: /elsewhere"}}, {.body = "elsewhere"}});
  EXPECT_EQ(std::get<HttpReply>(Post(server.url())).status, 307);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(Curl, AServerThatHangsIsLeftAtTheDeadline) {
  HttpServer server({{.end = End::kHang}});
  EXPECT_EQ(FailureOf(Post(server.url(), Deadline::After(50))), Kind::kTimeout);
}

TEST(Curl, ACancellationEndsTheRequestAtOnce) {
  CancelSource source;
  HttpServer server({{.end = End::kHang, .on_request = [&] { source.Cancel(); }}});
  EXPECT_EQ(FailureOf(Post(server.url(), Deadline(Clock::time_point::max(), source.token()))), Kind::kCancelled);
}

TEST(Curl, ABodyThatEndsTooEarlyIsNotTaken) {
  HttpServer cut({{.body = std::string(1000, 'x'), .end = End::kCut}});
  EXPECT_EQ(FailureOf(Post(cut.url())), Kind::kCut);
  HttpServer closed({{.end = End::kClose}});
  EXPECT_EQ(FailureOf(Post(closed.url())), Kind::kCut);
}

TEST(Curl, AGiantBodyIsCutOff) {
  HttpServer server({{.body = std::string(kMaxReplyBytes + 1, 'x')}});
  EXPECT_EQ(FailureOf(Post(server.url())), Kind::kTooLarge);
}

TEST(Curl, WhoeverCannotProveToBeTheServerIsNotTalkedTo) {
  HttpServer server({{.body = "not TLS"}});
  const std::string url = "https://127.0.0.1:" + std::to_string(server.port()) + "/";
  EXPECT_EQ(FailureOf(Post(url)), Kind::kTls);
  EXPECT_EQ(server.requests().size(), 0U);
}

TEST(Curl, ANameOrPortThatNobodyHasIsAFailedConnection) {
  EXPECT_EQ(FailureOf(Post("https://no-such-host.invalid/")), Kind::kConnect);
  std::string url;
  {
    const HttpServer gone({});
    url = gone.url();
  }
  EXPECT_EQ(FailureOf(Post(url)), Kind::kConnect);
}

TEST(Curl, SourceCodeDoesNotTravelInTheOpen) {
  const HttpOutcome outcome = Post("http://example.com/");
  EXPECT_EQ(FailureOf(outcome), Kind::kUnavailable);
  EXPECT_THAT(std::get<HttpFailure>(outcome).message, HasSubstr("must start with https://"));
}

}  // namespace
}  // namespace forge::llm
