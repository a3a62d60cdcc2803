#include "tool/keyword_tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/testing/fake_engine.h"
#include "tests/testing/json_view.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
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
  EXPECT_EQ(json.Text("/inputSchema/properties/query/description"),
            "A detailed statement of what you are trying to find or learn.");
  EXPECT_EQ(json.Text("/inputSchema/properties/search_terms/description"),
            "A list of search terms, in descending order of importance.");
}

// Every element that the specification asks for (REQ-KWS-004), one row each.
TEST(KeywordTool, TheDescriptionSaysHowToUseItWell) {
  const std::string text(KeywordDefinition().description);
  const struct {
    const char* element;
    const char* words;
  } rows[] = {
      {"search, then filter",
       "searches the project for your terms, then lets a fast language model filter the matches"},
      {"unfamiliar code", "in a code base you do not know"},
      {"concepts and vague questions", "only a concept or a vague question from a user"},
      {"a detailed query", "a detailed statement of what you want to find or learn; relevance is judged by it"},
      {"many specific terms", "Prefer MANY SPECIFIC terms over FEW GENERAL ones"},
      {"precision", "high precision beats high recall"},
      {"order", "Order terms by importance, most important first"},
      {"regular expressions", "A term may be a regular expression"},
      {"when not to use it", "IMPORTANT: do NOT use this tool when you have precise information"},
      {"log lines", "a log line"},
      {"error messages", "an error message"},
      {"stack traces", "a stack trace"},
      {"file names", "a file name"},
      {"symbols", "a symbol"},
      {"direct tools", "Go the direct way instead: search for it with `Search` or rg, or read the file."},
  };
  for (const auto& row : rows) EXPECT_THAT(text, HasSubstr(row.words)) << row.element;
  EXPECT_LE(text.size(), 1024U);
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
  response.files_without_hits = {{"/r/b.c", ""}};
  response.model_text = "I think so.";
  response.terms_used = {"a"};
  response.terms_skipped = {{"b", "too broad"}};
  response.model = "m";
  response.input_tokens = 5;
  response.elapsed = std::chrono::milliseconds(7);
  response.content = "text";
  engine.keyword_response = response;
  const auto tool = MakeKeywordTool([&] { return testing::Borrow(engine); });
  auto arguments =
      ParseArguments(KeywordDefinition().fields, R"({"query":"q","search_terms":["a","b"]})", Leniency::kStrict);
  const auto invocation = tool->Prepare(*std::move(arguments));
  ASSERT_TRUE(invocation);
  const auto answer = (*invocation)->Run({});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "text");
  EXPECT_EQ(Written(answer->take_document()),
            R"({"query":"q","root":"/r","files":[{"path":"/r/a.c","reason":"why"}],)"
            R"("files_without_hits":[{"path":"/r/b.c","reason":""}],"model_text":"I think so.","terms_used":["a"],)"
            R"("terms_skipped":[{"term":"b","reason":"too broad"}],"errors":[],"model":"m",)"
            R"("usage":{"input_tokens":5},"elapsed_ms":7,"content":"text"})");
  EXPECT_THAT(engine.keyword_request.search_terms, ElementsAre("a", "b"));
  EXPECT_FALSE(engine.keyword_request.dry_run);
}

// What is required is always there, and nothing is there that is not described.
TEST(KeywordTool, TheOutputSchemaDescribesTheResponse) {
  const JsonView schema(KeywordDefinition().output_schema);
  ASSERT_TRUE(schema.valid());
  KeywordSearchResponse full;
  full.files_without_hits = {{"/r/b.c", ""}};
  full.model_text = "x";
  full.model = "m";
  full.input_tokens = 1;
  std::vector<std::string> required;
  for (std::size_t i = 0; i < schema.Size("/required"); ++i) {
    required.push_back(schema.Text("/required/" + std::to_string(i)));
  }
  EXPECT_THAT(JsonView(Written(ToDocument(KeywordSearchResponse{}))).Keys(""), ElementsAreArray(required));
  EXPECT_THAT(JsonView(Written(ToDocument(full))).Keys(""), ElementsAreArray(schema.Keys("/properties")));
}

}  // namespace
}  // namespace forge::tool
