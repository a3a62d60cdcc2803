#include "tool/search_tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "tests/testing/fake_engine.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kIntegerFields[] = {
    "context", "max_results", "max_matches_per_file", "max_files", "max_file_size_bytes", "timeout_ms", "fuzzy"};

std::string MessageFor(std::string_view json) {
  const auto request = ParseSearchRequest(json);
  if (request) return "ok";
  EXPECT_EQ(request.error().kind, ErrorKind::kBadArgs) << json;
  return request.error().message;
}

std::string With(std::string_view field, std::string_view value) {
  return "{\"pattern\":\"x\",\"" + std::string(field) + "\":" + std::string(value) + "}";
}

TEST(SearchRequestJson, EveryFieldReachesTheRequest) {
  const auto request = ParseSearchRequest(R"({"pattern":"a\u00e9","path":"src","case":"insensitive",
      "fixed_strings":true,"word_regexp":true,"include_glob":["*.c"],"exclude_glob":["x","y"],"recursive":false,
      "hidden":true,"follow":true,"no_ignore":true,"context":2,"max_results":3,"max_matches_per_file":4,
      "max_files":5,"max_file_size_bytes":6,"timeout_ms":7,"fuzzy":1})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->pattern, "a\u00e9");
  EXPECT_EQ(request->path, "src");
  EXPECT_EQ(request->case_mode, CaseMode::kInsensitive);
  EXPECT_TRUE(request->fixed_strings && request->word_regexp && request->hidden && request->follow);
  EXPECT_TRUE(request->no_ignore && !request->recursive);
  EXPECT_THAT(request->include_glob, ElementsAre("*.c"));
  EXPECT_THAT(request->exclude_glob, ElementsAre("x", "y"));
  EXPECT_EQ(request->context, 2);
  EXPECT_EQ(request->max_results, 3);
  EXPECT_EQ(request->max_matches_per_file, 4);
  EXPECT_EQ(request->max_files, 5);
  EXPECT_EQ(request->max_file_size_bytes, 6);
  EXPECT_EQ(request->timeout, std::chrono::milliseconds(7));
  EXPECT_EQ(request->fuzzy, 1);
}

TEST(SearchRequestJson, WhatIsAbsentKeepsItsDefault) {
  const auto request = ParseSearchRequest(R"({"pattern":" x "})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->pattern, " x ");  // B1: checked trimmed, searched as given
  EXPECT_EQ(request->case_mode, CaseMode::kSmart);
  EXPECT_TRUE(request->recursive);
  EXPECT_EQ(request->max_results, std::nullopt);
  EXPECT_EQ(request->fuzzy, std::nullopt);
}

TEST(SearchRequestJson, ABadRequestNamesTheFieldTheValueAndWhatIsAllowed) {
  const struct {
    std::string json;
    std::string message;
  } cases[] = {
      {"",
       "the request is not valid JSON: parse error at line 1, column 1: syntax error while parsing value - "
       "unexpected end of input; expected '[', '{', or a literal"},
      {"[]", "the request is a list; must be a JSON object"},
      {"\"x\"", "the request is \"x\" (a string); must be a JSON object"},
      {"null", "the request is null; must be a JSON object"},
      {"{}", "pattern: is missing; must be a string that is not empty"},
      {R"({"pattern":""})", "pattern: is \"\"; must be a string that is not empty"},
      {R"({"pattern":" \t\u3000"})", "pattern: is blank; must hold more than white space"},
      {R"({"pattern":5})", "pattern: is 5; must be a string that is not empty"},
      {R"({"pattern":null})", "pattern: is null; must be a string that is not empty"},
      {R"({"pattern":["x"]})", "pattern: is a list; must be a string that is not empty"},
      {With("path", "{}"), "path: is an object; must be a string"},
      {With("case", "\"Smart\""), "case: is \"Smart\"; must be one of \"smart\", \"sensitive\", \"insensitive\""},
      {With("case", "1"), "case: is 1; must be one of \"smart\", \"sensitive\", \"insensitive\""},
      {With("hidden", "1"), "hidden: is 1; must be true or false"},
      {With("hidden", "\"true\""), "hidden: is \"true\" (a string); must be true or false"},
      {With("hidden", "null"), "hidden: is null; must be true or false"},
      {With("context", "-1"), "context: is -1; must be an integer of at least 0"},
      {With("max_results", "0"), "max_results: is 0; must be an integer of at least 1"},
      {With("max_results", "0.0"), "max_results: is 0.0; must be an integer of at least 1"},
      {With("timeout_ms", "5.5"), "timeout_ms: is 5.5; must be an integer of at least 1"},
      {With("fuzzy", "5"), "fuzzy: is 5; must be an integer from 1 to 4"},
      {With("fuzzy", "0"), "fuzzy: is 0; must be an integer from 1 to 4"},
      {With("max_files", "9223372036854775808"),
       "max_files: is 9223372036854775808 (beyond 64 bits); must be an integer of at least 1"},
      {With("include_glob", "\"*.c\""), "include_glob: is \"*.c\" (a string); must be a list of strings"},
      {With("exclude_glob", "[5]"), "exclude_glob[0]: is 5; must be a string"},
      {With("patern", "1"), "unknown field \"patern\"; did you mean \"pattern\"?"},
      {With("respect_gitignore", "1"),
       "unknown field \"respect_gitignore\"; the fields are pattern, path, case, fixed_strings, word_regexp, "
       "include_glob, exclude_glob, glob, recursive, hidden, follow, no_ignore, context, max_results, "
       "max_matches_per_file, max_files, max_file_size_bytes, timeout_ms, fuzzy"},
      {With("Pattern", "\"x\""), "unknown field \"Pattern\"; did you mean \"pattern\"?"},
      {R"({"pattern":"x","pattern":"y"})",
       "the request is not valid JSON: the key \"pattern\" occurs twice in one object"},
      {R"({"pattern":"x","zz":[{"a":1,"a":1}]})",
       "the request is not valid JSON: the key \"a\" occurs twice in one object"},
      {R"({"pattern":"x"} x)",
       "the request is not valid JSON: parse error at line 1, column 17: syntax error while "
       "parsing value - invalid literal"},
      {"{\"pattern\":\n'x'}",
       "the request is not valid JSON: parse error at line 2, column 1: syntax error while "
       "parsing value - invalid literal"},
      {With("context", "1e999"), "the request is not valid JSON: number overflow parsing '1e999'"},
  };
  for (const auto& c : cases) EXPECT_EQ(MessageFor(c.json), c.message) << c.json;
}

TEST(SearchRequestJson, IntegersAreWhateverJsonSchemaCallsAnInteger) {
  for (const std::string_view field : kIntegerFields) {
    for (const std::string_view good : {"1", "1.0", "10e-1", "0.1e1"}) {
      EXPECT_EQ(MessageFor(With(field, good)), "ok") << field << good;
    }
    for (const std::string_view bad : {"9223372036854775808", "18446744073709551616", "-9223372036854775809", "1e30",
                                       "true", "\"5\"", "null", "1.5", "[1]", "{}", "-1", "9223372036854775807.0"}) {
      EXPECT_THAT(MessageFor(With(field, bad)),
                  AllOf(StartsWith(std::string(field) + ": is "), HasSubstr("; must be an integer")))
          << field << bad;
    }
  }
  EXPECT_EQ(ParseSearchRequest(With("max_files", "1e3"))->max_files, 1000);
  EXPECT_EQ(ParseSearchRequest(With("max_files", "5.0"))->max_files, 5);
  EXPECT_EQ(ParseSearchRequest(With("timeout_ms", "9223372036854775807"))->timeout,
            std::chrono::milliseconds(INT64_MAX));
}

TEST(SearchRequestJson, IncludeGlobBeatsGlobByBeingThere) {
  EXPECT_THAT(ParseSearchRequest(With("glob", R"(["a"])"))->include_glob, ElementsAre("a"));
  EXPECT_THAT(ParseSearchRequest(With("glob", R"(["a"],"include_glob":[])"))->include_glob, IsEmpty());  // B3
  EXPECT_THAT(ParseSearchRequest(With("glob", R"(["[a"],"include_glob":["b"])"))->include_glob, ElementsAre("b"));
  EXPECT_THAT(MessageFor(With("glob", R"(5,"include_glob":["b"])")), StartsWith("glob: is 5; must be"));  // B4
}

TEST(JsonDoor, RefusesWhatReadersCouldTakeInTwoWays) {
  for (const std::string_view bad :
       {R"({"pattern":"\ud800"})", R"({"pattern":"\udc00x"})", R"({"pattern":"\ud800A"})", "{\"pattern\":\"\xff\"}",
        "{\"pattern\":\"\xed\xa0\x80\"}", "{\"pattern\":\"a\nb\"}", "{\"pattern\":NaN}", "{/**/\"pattern\":\"x\"}"}) {
    EXPECT_THAT(MessageFor(bad), HasSubstr("not valid JSON: ")) << bad;
  }
  EXPECT_EQ(ParseSearchRequest(R"({"pattern":"\ud83d\ude00"})")->pattern, "\U0001F600");
}

TEST(JsonDoor, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return "{\"pattern\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_THAT(MessageFor(nested(kMaxJsonDepth - 1)), HasSubstr("pattern: is a list;"));
  EXPECT_EQ(MessageFor(nested(kMaxJsonDepth)), "the request is not valid JSON: nested deeper than 64 levels");
  EXPECT_EQ(MessageFor(nested(100'000)), "the request is not valid JSON: nested deeper than 64 levels");
}

TEST(JsonDoor, SizeIsBounded) {
  EXPECT_EQ(MessageFor(std::string(kMaxJsonBytes + 1, ' ')), "the request is larger than 64 MiB");
}

TEST(JsonDoor, AHugeValueIsShortenedInTheMessage) {
  std::string huge(1'000'000, 'a');
  huge.front() = huge.back() = '"';
  EXPECT_LT(MessageFor(With("case", huge)).size(), 200U);
  EXPECT_LT(MessageFor(With(std::string(1'000'000, 'a'), "1")).size(), 500U);
  EXPECT_LT(MessageFor("{\"pattern\":\"" + std::string(1'000'000, 'a')).size(), 300U);
}

TEST(JsonDoor, ManyKeysAreNotQuadratic) {
  std::string json = "{";
  for (std::size_t i = 2; i < kMaxJsonValues; ++i) json += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_THAT(MessageFor(json + "\"pattern\":\"x\"}"), HasSubstr("unknown field"));
}

TEST(JsonDoor, TheNumberOfValuesIsBounded) {
  const auto list = [](std::size_t values, const std::string& value) {
    std::string json = "{\"pattern\":[" + value;
    for (std::size_t i = 1; i < values; ++i) json += "," + value;
    return json + "]}";
  };
  for (const char* value : {"0", "\"\"", "{}", "[]", "null"}) {  // beside the object and the list
    EXPECT_THAT(MessageFor(list(kMaxJsonValues - 2, value)), HasSubstr("pattern: is a list;")) << value;
    EXPECT_EQ(MessageFor(list(kMaxJsonValues - 1, value)), "the request is not valid JSON: more than 100000 values");
  }
}

TEST(JsonDoor, AnyBytesGiveARequestOrBadArgs) {
  EXPECT_TRUE(rc::check("random bytes", [](const std::string& bytes) { MessageFor(bytes); }));
  // Random bytes rarely get past the first brace: also damage a good request.
  EXPECT_TRUE(rc::check("a damaged request", [](char byte) {
    std::string json = R"({"pattern":"a\u00e9","include_glob":["*.c"],"context":2.0,"hidden":true,"fuzzy":1e0})";
    const auto at = *rc::gen::inRange<std::size_t>(0, json.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0: json[at] = byte; break;
      case 1: json.erase(at, 1); break;
      default: json = json.substr(0, at) + json.substr(*rc::gen::inRange<std::size_t>(0, json.size()));
    }
    MessageFor(json);
  }));
}

// An engine that answers every request with `response`, and counts them.
class OneAnswer {
 public:
  explicit OneAnswer(SearchResponse response)
      : engine_({},
                [this, response](const SearchRequest&, const SearchOptions&) {
                  ++searches_;
                  return response;
                },
                {}),
        tool_(MakeSearchTool([this] { return testing::Borrow(engine_); })) {}

  std::unique_ptr<Invocation> Prepare(std::string_view json) {
    return *tool_->Prepare(*ParseArguments(SearchDefinition().fields, json, Leniency::kStrict));
  }
  int searches() const { return searches_; }

 private:
  int searches_ = 0;
  testing::FakeEngine engine_;
  std::unique_ptr<Tool> tool_;
};

TEST(SearchTool, PreparingDoesNotSearchAndRunningDoesOnce) {
  SearchResponse response;
  response.content = "a\xFF";
  OneAnswer world(response);
  const auto invocation = world.Prepare(R"({"pattern":"x"})");
  EXPECT_EQ(world.searches(), 0);
  const auto answer = invocation->Run({});
  ASSERT_TRUE(answer);
  EXPECT_EQ(world.searches(), 1);
  EXPECT_EQ(answer->text, "a\uFFFD");
  std::ostringstream out;
  answer->take_document().Write(out);
  EXPECT_THAT(out.str(), HasSubstr("\"content\":\"a\uFFFD\""));
}

TEST(SearchTool, HintsStandBesideTheTextIfTheyAreAskedFor) {
  bool asked = false;
  testing::FakeEngine engine({},
                             [&](const SearchRequest&, const SearchOptions& how) {
                               asked = how.hints;
                               SearchResponse response;
                               response.content = "No matches.";
                               if (how.hints) response.hints = {{Hint::Change::kHidden, ".x", 3, "Abc", 0}};
                               return response;
                             },
                             {});
  const auto tool = MakeSearchTool([&] { return testing::Borrow(engine); });
  const auto run = [&](bool hints) {
    auto arguments = ParseArguments(SearchDefinition().fields, R"({"pattern":"Abc"})", Leniency::kStrict);
    return *(*tool->Prepare(*std::move(arguments)))->Run({.hints = hints});
  };
  const Answer with = run(true);
  EXPECT_EQ(with.text, "No matches.");
  EXPECT_THAT(with.hints, ::testing::ElementsAre("with hidden = true there is a match: .x line 3."));
  EXPECT_THAT(run(false).hints, IsEmpty());
  EXPECT_FALSE(asked) << "`call` does not pay for hints";
}

TEST(SearchTool, ABadRequestIsNeverBlamedOnTheMachine) {
  const auto tool = MakeSearchTool([]() -> Result<std::shared_ptr<Engine>> { return ExecutionFailed("no engine"); });
  EXPECT_EQ(tool->Prepare({}).error().kind, ErrorKind::kBadArgs);
  Arguments arguments;
  arguments.Put("pattern", Value(std::string("x")));
  const auto invocation = tool->Prepare(std::move(arguments));
  ASSERT_TRUE(invocation);
  EXPECT_EQ((*invocation)->Run({}).error().message, "no engine");
}

}  // namespace
}  // namespace forge::tool
