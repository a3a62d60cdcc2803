#include "tool/keyword_tool.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDescription =
    "Finds the files that matter for a question about a code base you do not know. It searches the project for your "
    "terms, lets a fast language model judge every match in its surroundings, and returns the relevant files, best "
    "first, with a reason for each. Use it when you have only a concept or a vague question from a user.\n\n"
    "To use it well:\n"
    "- Write `query` as a detailed statement of what you want to find or learn; files are judged by it.\n"
    "- Prefer MANY SPECIFIC terms over few general ones: a term that matches too much is skipped.\n"
    "- Order the terms by importance, the most important first: if there are too many results, the last terms are "
    "dropped.\n"
    "- A term may be a regular expression; case does not matter.\n\n"
    "Do NOT use this tool when you have precise information, such as a symbol, a file name, an error message, a log "
    "line or a stack trace: search for that directly instead.";

Definition MakeDefinition() {
  return {.name = "keyword_search",
          .aliases = {},
          .title = "Find relevant files",
          .description = kDescription,
          .fields = {{.name = "query",
                      .type = Type::kString,
                      .description = "A detailed statement of what you are trying to find or learn.",
                      .required = true,
                      .min = 1},
                     {.name = "search_terms",
                      .type = Type::kStringList,
                      .description = "Terms to search for, in descending order of importance.",
                      .required = true}},
          .uses_network = true};
}

Json Text(const std::string& text) { return LossyUtf8(text); }

Json ToJson(const std::vector<std::string>& list) {
  Json json = Json::array();
  for (const std::string& text : list) json.push_back(Text(text));
  return json;
}

Json UsageOf(const KeywordSearchResponse& response) {
  Json usage = Json::object();
  if (response.input_tokens) usage.emplace("input_tokens", *response.input_tokens);
  if (response.output_tokens) usage.emplace("output_tokens", *response.output_tokens);
  if (response.cost_usd) usage.emplace("cost_usd", *response.cost_usd);
  return usage;
}

// A list of objects with two texts each.
template <typename Item>
Json Pairs(const std::vector<Item>& items, const char* first, std::string Item::*first_member, const char* second,
           std::string Item::*second_member) {
  Json json = Json::array();
  for (const Item& item : items)
    json.push_back({{first, Text(item.*first_member)}, {second, Text(item.*second_member)}});
  return json;
}

class KeywordTool : public Tool {
 public:
  explicit KeywordTool(EngineProvider engine) : engine_(std::move(engine)) {}

  const Definition& definition() const override { return KeywordDefinition(); }

  Result<Document> Call(std::string_view arguments, const CancelToken& cancel) override {
    const auto request = ParseKeywordRequest(arguments);
    if (!request) return request.error();
    auto engine = engine_();
    if (!engine) return engine.error();
    auto response = (*engine)->KeywordSearch(*request, cancel);
    if (!response) return response.error();
    return ToDocument(*std::move(response));
  }

 private:
  EngineProvider engine_;
};

}  // namespace

const Definition& KeywordDefinition() {
  static const Definition definition = MakeDefinition();
  return definition;
}

Result<KeywordSearchRequest> ParseKeywordRequest(std::string_view json) {
  auto arguments = ParseArguments(KeywordDefinition().fields, json);
  if (!arguments) return arguments.error();
  KeywordSearchRequest request;
  arguments->Take("query", request.query);
  arguments->Take("search_terms", request.search_terms);
  if (Status valid = Validate(request); !valid) return valid.error();
  return request;
}

Document ToDocument(KeywordSearchResponse response) {
  Json json = Json::object();
  json.emplace("query", Text(response.query));
  json.emplace("root", Text(response.root));
  json.emplace("files", Pairs(response.files, "path", &RelevantFile::path, "reason", &RelevantFile::reason));
  json.emplace("terms_used", ToJson(response.terms_used));
  json.emplace("terms_skipped",
               Pairs(response.terms_skipped, "term", &SkippedTerm::term, "reason", &SkippedTerm::reason));
  json.emplace("errors", Pairs(response.errors, "path", &FileError::path, "error", &FileError::error));
  if (!response.model.empty()) json.emplace("model", Text(response.model));
  if (Json usage = UsageOf(response); !usage.empty()) json.emplace("usage", std::move(usage));
  json.emplace("elapsed_ms", response.elapsed.count());
  json.emplace("content", Text(response.content));
  return Document(std::move(json));
}

std::unique_ptr<Tool> MakeKeywordTool(EngineProvider engine) {
  return std::make_unique<KeywordTool>(std::move(engine));
}

}  // namespace forge::tool
