#include "tool/keyword_tool.h"

#include <utility>

#include "base/utf8.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

// Not longer than 1,024 characters, because some hosts cut it there.
constexpr std::string_view kDescription =
    "Finds files by concept: searches the project for your terms, then lets a fast language model filter the matches, "
    "and returns the relevant files, best first, each with a reason. Use it to find your way in a code base you do not "
    "know, when you have only a concept or a vague question from a user.\n\n"
    "To use it well:\n"
    "- Write `query` as a detailed statement of what you want to find or learn; relevance is judged by it.\n"
    "- Prefer MANY SPECIFIC terms over FEW GENERAL ones: high precision beats high recall, and a term that matches too "
    "much is skipped.\n"
    "- Order terms by importance, most important first: if there are too many results, the last terms are dropped.\n"
    "- A term may be a regular expression; case does not matter.\n\n"
    "IMPORTANT: do NOT use this tool when you have precise information, such as a log line, an error message, a stack "
    "trace, a file name or a symbol. Go the direct way instead: search for it with `Search` or rg, or read the file.";

constexpr std::string_view kOutputSchema = R"({"type":"object","properties":{
"query":{"type":"string"},
"root":{"type":"string","description":"The folder that was searched, absolute."},
"files":{"type":"array","description":"The relevant files, best first; a term was found in each.",
 "items":{"type":"object","properties":{
 "path":{"type":"string","description":"Absolute."},
 "reason":{"type":"string","description":"In the model's words; may be empty."}},
 "required":["path","reason"]}},
"files_without_hits":{"type":"array",
 "description":"Files that the model named and that exist, but no term was found in them.",
 "items":{"type":"object","properties":{
 "path":{"type":"string"},"reason":{"type":"string"}},"required":["path","reason"]}},
"model_text":{"type":"string","description":"What the model wrote beside its list, or instead of one. Unchecked."},
"terms_used":{"type":"array","items":{"type":"string"}},
"terms_skipped":{"type":"array","items":{"type":"object","properties":{
 "term":{"type":"string"},"reason":{"type":"string"}},"required":["term","reason"]}},
"errors":{"type":"array","items":{"type":"object","properties":{
 "path":{"type":"string"},"error":{"type":"string"}},"required":["path","error"]}},
"model":{"type":"string","description":"Which model answered; absent if none was asked."},
"usage":{"type":"object","properties":{
 "input_tokens":{"type":"integer"},"output_tokens":{"type":"integer"},"cost_usd":{"type":"number"}}},
"elapsed_ms":{"type":"integer"},
"content":{"type":"string","description":"The same as readable text, with notes on what was left out."}},
"required":["query","root","files","files_without_hits","terms_used","terms_skipped","errors","elapsed_ms",
"content"]})";

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
                      .description = "A list of search terms, in descending order of importance.",
                      .required = true}},
          .uses_network = true,
          .output_schema = kOutputSchema};
}

Result<KeywordSearchRequest> ToRequest(Arguments arguments) {
  KeywordSearchRequest request;
  arguments.Take("query", request.query);
  arguments.Take("search_terms", request.search_terms);
  if (Status valid = Validate(request); !valid) return valid.error();
  return request;
}

class KeywordInvocation : public Invocation {
 public:
  KeywordInvocation(const EngineProvider& engine, KeywordSearchRequest request)
      : provider_(engine), request_(std::move(request)) {}

  Result<Answer> Run(const RunOptions& options) override {
    const auto engine = provider_();
    if (!engine) return engine.error();
    auto response = (*engine)->KeywordSearch(request_, options.cancel);
    if (!response) return response.error();
    std::string text = LossyUtf8(response->content);
    return Answer{std::move(text), [r = *std::move(response)] { return ToDocument(r); }};
  }

 private:
  const EngineProvider& provider_;
  const KeywordSearchRequest request_;
};

class KeywordTool : public Tool {
 public:
  explicit KeywordTool(EngineProvider engine) : engine_(std::move(engine)) {}

  const Definition& definition() const override { return KeywordDefinition(); }

  Result<std::unique_ptr<Invocation>> Prepare(Arguments arguments) override {
    auto request = ToRequest(std::move(arguments));
    if (!request) return request.error();
    return std::unique_ptr<Invocation>(std::make_unique<KeywordInvocation>(engine_, *std::move(request)));
  }

 private:
  const EngineProvider engine_;
};

}  // namespace

const Definition& KeywordDefinition() {
  static const Definition definition = MakeDefinition();
  return definition;
}

Result<KeywordSearchRequest> ParseKeywordRequest(std::string_view json) {
  auto arguments = ParseArguments(KeywordDefinition().fields, json, Leniency::kStrict);
  if (!arguments) return arguments.error();
  return ToRequest(*std::move(arguments));
}

std::unique_ptr<Tool> MakeKeywordTool(EngineProvider engine) {
  return std::make_unique<KeywordTool>(std::move(engine));
}

}  // namespace forge::tool
