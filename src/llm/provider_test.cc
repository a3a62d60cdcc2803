#include "llm/provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/names.h"
#include "tests/testing/json_view.h"

namespace forge::llm {
namespace {

using ::testing::HasSubstr;
using testing::JsonView;
using ::testing::Not;

ModelConfig Model(std::string_view provider, std::string base_url = "https://example.com/api") {
  ModelConfig model;
  model.name = "fast";
  model.provider = *FromName<Provider>(provider);
  model.base_url = std::move(base_url);
  model.model = "m-1";
  model.max_output_tokens = 900;
  return model;
}

const Prompt kPrompt = {"be strict", "the \"results\"\n"};

std::string HeaderIn(const HttpRequest& request, std::string_view name) {
  for (const HttpHeader& header : request.headers) {
    if (header.name == name) return header.value + (header.secret ? " (secret)" : "");
  }
  return "";
}

TEST(Provider, ChatRequestsHaveTheFormThatCompatibleServersKnow) {
  const HttpRequest request = BuildRequest(Model("openai"), "k", kPrompt);
  EXPECT_EQ(request.url, "https://example.com/api/chat/completions");
  EXPECT_EQ(HeaderIn(request, "Authorization"), "Bearer k (secret)");
  EXPECT_EQ(request.body,
            R"({"model":"m-1","messages":[{"role":"system","content":"be strict"},)"
            R"({"role":"user","content":"the \"results\"\n"}],"stream":false,"max_tokens":900,"temperature":0})");
}

TEST(Provider, ReasoningModelsGetWhatTheyAccept) {
  ModelConfig model = Model("openai", "https://api.openai.com/v1/");
  const HttpRequest at_openai = BuildRequest(model, "", kPrompt);
  EXPECT_EQ(at_openai.url, "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(HeaderIn(at_openai, "Authorization"), "");
  EXPECT_EQ(JsonView(at_openai.body).At("/max_completion_tokens"), "900");
  EXPECT_THAT(at_openai.body, Not(HasSubstr("temperature")));
  model = Model("openai");
  model.reasoning_effort = "low";
  const JsonView elsewhere(BuildRequest(model, "", kPrompt).body);
  EXPECT_EQ(elsewhere.At("/max_completion_tokens"), "900");
  EXPECT_EQ(elsewhere.Text("/reasoning_effort"), "low");
}

TEST(Provider, ResponsesRequestsAreNotStored) {
  ModelConfig model = Model("openai-responses", "");
  model.reasoning_effort = "minimal";
  const HttpRequest request = BuildRequest(model, "k", kPrompt);
  EXPECT_EQ(request.url, "https://api.openai.com/v1/responses");
  EXPECT_EQ(request.body,
            R"({"model":"m-1","instructions":"be strict","input":"the \"results\"\n","max_output_tokens":900,)"
            R"("store":false,"reasoning":{"effort":"minimal"}})");
}

TEST(Provider, MessagesRequestsCarryTheKeyInTheirOwnHeader) {
  const HttpRequest request = BuildRequest(Model("anthropic", ""), "k", kPrompt);
  EXPECT_EQ(request.url, "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(HeaderIn(request, "x-api-key"), "k (secret)");
  EXPECT_EQ(HeaderIn(request, "anthropic-version"), "2023-06-01");
  EXPECT_EQ(HeaderIn(request, "Authorization"), "");
  EXPECT_EQ(request.body, R"({"model":"m-1","max_tokens":900,"system":"be strict",)"
                          R"("messages":[{"role":"user","content":"the \"results\"\n"}]})");
}

TEST(Provider, BytesThatAreNotUtf8DoNotSpoilARequest) {
  EXPECT_TRUE(JsonView(BuildRequest(Model("openai"), "", {"s", "\xFF"}).body).valid());
}

// "text|in|out" with "cut" where the answer is, or "error: ...".
std::string Read(std::string_view provider, const std::string& body) {
  const auto completion = ReadCompletion(Model(provider), body, Secrets());
  if (!completion) return "error: " + completion.error().message;
  const auto number = [](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : "?"; };
  return completion->text + "|" + number(completion->usage.input_tokens) + "|" +
         number(completion->usage.output_tokens) + (completion->cut ? "|cut" : "");
}

TEST(Provider, OnlyTheTextOfAReplyCounts) {
  const struct {
    const char* provider;
    const char* body;
    const char* read;
  } rows[] = {
      {"openai", R"({"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":5,"completion_tokens":6}})",
       "a|5|6"},
      {"openai", R"({"choices":[{"message":{"content":"a","reasoning_content":"hm"},"finish_reason":"length"}]})",
       "a|?|?|cut"},
      {"openai", R"({"choices":[{"message":{"content":"\n<think>hm</think>a"}}]})", "a|?|?"},
      {"openai", R"({"choices":[{"message":{"content":"<think>hm"},"finish_reason":"length"}]})",
       "error: the answer is empty: all of max_output_tokens (900) went into thinking; raise it for this model"},
      {"openai",
       R"({"choices":[{"message":{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"a"}]}}]})",
       "a|?|?"},
      {"openai", R"({"choices":[{"message":{"content":""}}]})", "error: the answer is empty"},
      {"openai", R"({"choices":[]})", "error: the answer is empty"},
      {"openai", R"({"choices":{"message":5}})", "error: the answer is empty"},
      {"openai", R"({"choices":[{"message":{"content":null,"refusal":"I can't"}}]})",
       "error: the model refused: I can't"},
      {"openai", R"({"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]})",
       "error: the model refused: stopped by the provider's content filter"},
      {"openai", R"({"error":{"message":"no credit"}})", "error: no credit"},
      {"openai", "<html>\n <b>hello</b>", "error: the reply is not JSON: <html> <b>hello</b>"},
      {"openai", "[1]", "error: the reply is not JSON: [1]"},
      {"openai", "", "error: the reply is not JSON: "},
      {"openai-responses",
       R"({"output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":"a"}]}],)"
       R"("usage":{"input_tokens":5,"output_tokens":6},"error":null})",
       "a|5|6"},
      {"openai-responses",
       R"({"output":[{"type":"reasoning"}],"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}})",
       "error: the answer is empty: all of max_output_tokens (900) went into thinking; raise it for this model"},
      {"openai-responses", R"({"output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]})",
       "error: the model refused: no"},
      {"openai-responses", R"({"output":5})", "error: the answer is empty"},
      {"anthropic",
       R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"text","text":"b"}],)"
       R"("stop_reason":"max_tokens","usage":{"input_tokens":5,"output_tokens":6}})",
       "ab|5|6|cut"},
      {"anthropic", R"({"content":[],"stop_reason":"refusal"})", "error: the model refused: no reason given"},
      {"anthropic", R"({"content":"a"})", "error: the answer is empty"},
      {"anthropic", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       "error: Overloaded"},
  };
  for (const auto& row : rows) EXPECT_EQ(Read(row.provider, row.body), row.read) << row.body;
}

TEST(Provider, ACostIsReadWhereTheProviderTellsIt) {
  const auto completion =
      ReadCompletion(Model("openai"), R"({"choices":[{"message":{"content":"a"}}],"usage":{"cost":0.25}})", Secrets());
  ASSERT_TRUE(completion);
  EXPECT_EQ(completion->usage.cost, 0.25);
}

TEST(Provider, AbsurdNumbersAreNotRead) {
  for (const char* number : {"-1", "1e300", "18446744073709551615", "\"5\"", "null", "[]", "{}"}) {
    const std::string usage = R"("usage":{"prompt_tokens":)" + std::string(number) + R"(,"cost":)" + number + "}";
    const auto completion =
        ReadCompletion(Model("openai"), R"({"choices":[{"message":{"content":"a"}}],)" + usage + "}", Secrets());
    ASSERT_TRUE(completion) << number;
    EXPECT_FALSE(completion->usage.input_tokens) << number;
    EXPECT_FALSE(completion->usage.cost) << number;
  }
}

// The library would use a frame of the stack for each level.
TEST(Provider, AReplyOfBracketsIsNotJson) {
  const auto nested = [](const std::string& open, const std::string& close, int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += open;
    text += "1";
    for (int i = 0; i < levels; ++i) text += close;
    return text;
  };
  for (const std::string& body : {R"({"error":)" + nested(R"({"a":)", "}", 1'000'000) + "}",
                                  nested("[", "]", 4'000'000), std::string(8'000'000, '['),
                                  R"({"choices":[{"message":{"content":"a","x":)" + nested("[", "]", 100) + "}}]}"}) {
    EXPECT_THAT(Read("openai", body), HasSubstr("error: the reply is nested too deeply: "));
    EXPECT_LT(ReadErrorMessage(body, Secrets()).size(), 600U);
  }
  // Brackets in a text are no levels.
  EXPECT_EQ(Read("openai", R"({"choices":[{"message":{"content":"\"\\)" + std::string(100, '[') + R"("}}]})"),
            "\"\\" + std::string(100, '[') + "|?|?");
}

// A message is cut after its secrets are hidden, not before.
TEST(Provider, NoPartOfAKeyIsInAMessage) {
  const std::string key = "sk-proj-0123456789abcdefghijklmnopqrs";
  const Secrets secrets(key);
  for (std::size_t before = 440; before <= 510; ++before) {
    const std::string said = std::string(before, 'x') + key + " is wrong";
    for (const std::string& body :
         {R"({"error":{"message":")" + said + R"("}})", R"({"error":{"x":")" + said + R"("}})", said,
          R"({"choices":[{"message":{"refusal":")" + said + R"("}}]})"}) {
      const auto completion = ReadCompletion(Model("openai"), body, secrets);
      ASSERT_FALSE(completion);
      EXPECT_THAT(completion.error().message, Not(HasSubstr("sk-"))) << before;
      EXPECT_THAT(ReadErrorMessage(body, secrets), Not(HasSubstr("sk-"))) << before;
    }
  }
  // Nor when the characters that stood inside it are removed.
  EXPECT_EQ(Shown("sk-proj-0123\x1B\x01"
                  "456789abcdefghijklmnopqrs",
                  secrets),
            "(key)");
}

TEST(Provider, ErrorsAreReadInEveryForm) {
  const struct {
    const char* body;
    const char* message;
  } rows[] = {
      {R"({"error":{"message":"a\n  b"}})", "a b"},
      {R"({"error":"model not found"})", "model not found"},
      {R"({"message":"a"})", "a"},
      {R"({"detail":"a"})", "a"},
      {R"({"error":{"code":5}})", R"({"code":5})"},
      {R"({"other":1})", ""},
      {"<html>502 Bad Gateway</html>", "<html>502 Bad Gateway</html>"},
      {"", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(ReadErrorMessage(row.body, Secrets()), row.message) << row.body;
  EXPECT_LT(ReadErrorMessage(std::string(100000, 'x'), Secrets()).size(), 600U);
}

}  // namespace
}  // namespace forge::llm
