#include "tool/keyword_tool.h"

#include <utility>

#include "base/utf8.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

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
