#include "tool/keyword_tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/testing/fake_engine.h"
#include "tests/testing/json_view.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::JsonView;

std::string Written(const Document& document) {
  std::ostringstream out;
  document.Write(out);
  return out.str();
}

TEST(KeywordTool, TheSchemaIsTheSpecifiedOne) {
  const JsonView json(Written(ToDocument(KeywordDefinition(), SchemaFormat::kMcp)));
  EXPECT_EQ(json.Text("/name"), "keyword_search");
  EXPECT_EQ(json.At("/inputSchema/required"), R"(["query","search_terms"])");
  EXPECT_THAT(json.Keys("/inputSchema/properties"), ElementsAre("query", "search_terms"));
  EXPECT_EQ(json.Text("/inputSchema/properties/query/type"), "string");
  EXPECT_EQ(json.Text("/inputSchema/properties/search_terms/type"), "array");
  EXPECT_EQ(json.Text("/inputSchema/properties/search_terms/items/type"), "string");
  EXPECT_EQ(json.At("/annotations/openWorldHint"), "true");
  EXPECT_THAT(json.Text("/description"), AllOf(HasSubstr("MANY SPECIFIC terms"), HasSubstr("most important first"),
                                               HasSubstr("Do NOT use this tool when you have precise information")));
}

TEST(KeywordTool, ValidationIsStrict) {
  const struct {
    const char* json;
    const char* error;
  } rows[] = {
      {R"({})", "query: is missing; must be a string that is not empty"},
      {R"({"query":"q"})", "search_terms: is missing; must be a list of strings"},
      {R"({"query":"q","search_terms":[]})", "search_terms: is empty; must hold at least one term"},
      {R"({"query":"q","search_terms":["a",""]})", "search_terms[1]: is blank; must hold more than white space"},
      {R"({"query":"q","search_terms":["\u00a0"]})", "search_terms[0]: is blank; must hold more than white space"},
      {R"({"query":" ","search_terms":["a"]})", "query: is blank; must say what you want to find or learn"},
      {R"({"query":"q","search_terms":"a"})", "search_terms: is \"a\" (a string); must be a list of strings"},
      {R"({"query":"q","search_terms":[5]})", "search_terms[0]: is 5; must be a string"},
      {R"({"query":"q","search_term":["a"]})", "unknown field \"search_term\"; did you mean \"search_terms\"?"},
      {R"({"query":"q","search_terms":["a"],"model":"m"})",
       "unknown field \"model\"; the fields are query, search_terms"},
  };
  for (const auto& row : rows) {
    const auto request = ParseKeywordRequest(row.json);
    ASSERT_FALSE(request) << row.json;
    EXPECT_EQ(request.error().message, row.error);
    EXPECT_EQ(request.error().kind, ErrorKind::kBadArgs);
  }
}

TEST(KeywordTool, ACallPassesTheRequestOnAndWritesTheResponse) {
  testing::FakeEngine engine({}, {}, {});
  KeywordSearchResponse response;
  response.query = "q";
  response.root = "/r";
  response.files = {{"/r/a.c", "why"}};
  response.terms_used = {"a"};
  response.terms_skipped = {{"b", "too broad"}};
  response.model = "m";
  response.input_tokens = 5;
  response.elapsed = std::chrono::milliseconds(7);
  response.content = "text";
  engine.keyword_response = response;
  const auto tool = MakeKeywordTool([&]() -> Result<Engine*> { return &engine; });
  auto arguments =
      ParseArguments(KeywordDefinition().fields, R"({"query":"q","search_terms":["a","b"]})", Leniency::kStrict);
  const auto invocation = tool->Prepare(*std::move(arguments));
  ASSERT_TRUE(invocation);
  const auto answer = (*invocation)->Run({});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "text");
  EXPECT_EQ(Written(answer->take_document()),
            R"({"query":"q","root":"/r","files":[{"path":"/r/a.c","reason":"why"}],"terms_used":["a"],)"
            R"("terms_skipped":[{"term":"b","reason":"too broad"}],"errors":[],"model":"m",)"
            R"("usage":{"input_tokens":5},"elapsed_ms":7,"content":"text"})");
  EXPECT_THAT(engine.keyword_request.search_terms, ElementsAre("a", "b"));
  EXPECT_FALSE(engine.keyword_request.dry_run);
}

}  // namespace
}  // namespace forge::tool
