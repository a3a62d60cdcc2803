#include "keyword/service.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/secrets.h"
#include "base/utf8.h"
#include "keyword/answer.h"
#include "keyword/content.h"
#include "keyword/prompt.h"
#include "keyword/scope.h"
#include "keyword/scope_files.h"

namespace forge::keyword {
namespace {

std::string NameOf(const ModelConfig& model) {
  return model.name + " (" + std::string(Name(model.provider)) + ", " + model.model + ")";
}

KeywordPreview PreviewOf(const llm::HttpRequest& request) {
  KeywordPreview preview{ShownUrl(request.url), {}, request.body};
  for (const llm::HttpHeader& header : request.headers) {
    preview.headers.push_back(header.name + ": " + (header.secret ? "(not shown)" : header.value));
  }
  return preview;
}

}  // namespace

KeywordService::KeywordService(const SearchService& search, const Config& config, std::vector<std::string> named_roots,
                               Environment environment, const llm::HttpClient& http, llm::Waiter wait)
    : search_(search.WithConfig(ForTerms(search.config()))),
      config_(config.keyword),
      named_roots_(std::move(named_roots)),
      home_(environment.Get("HOME")),
      models_(config.llm, std::move(environment)),
      client_(http, std::move(wait)) {}

Result<Gathered> KeywordService::FindHits(const KeywordSearchRequest& request, const std::string& root,
                                          const Deadline& deadline) const {
  const Deadline half(std::min(deadline.at(), Deadline::After(config_.timeout / 2).at()), deadline.cancel());
  const auto search = [this](const SearchRequest& one, const SearchOptions& options) {
    return search_.Search(one, options);
  };
  return Gather(search, request.search_terms, root, search_.sandbox().working_dir(), half);
}

Status KeywordService::Ask(const ModelConfig& model, const Gathered& hits, const std::string& root,
                           const Deadline& deadline, KeywordSearchResponse& response) const {
  const auto key = models_.KeyOf(model, deadline);
  if (!key) return key.error();
  const auto completion = client_.Complete(model, *key, MakePrompt(hits.text, response.root, response.query), deadline);
  if (!completion) return completion.error();
  const ScopeFiles files(search_.sandbox(), root);
  const Secrets secrets(*key);
  CheckedAnswer answer = CheckAnswer(completion->text, {.root = response.root,
                                                        .hits = hits.files,
                                                        .find_file = [&](auto name) { return files.Find(name); },
                                                        .secrets = secrets});
  AddAnswerNotes(answer, completion->cut, response.notes);
  response.files = std::move(answer.files);
  response.files_without_hits = std::move(answer.without_hits);
  response.model_text = std::move(answer.text);
  response.input_tokens = completion->usage.input_tokens;
  response.output_tokens = completion->usage.output_tokens;
  response.cost_usd = completion->usage.cost;
  response.model = NameOf(model);
  return {};
}

Status KeywordService::AskOrPreview(const KeywordSearchRequest& request, const ModelConfig& preview_model,
                                    const Gathered& hits, const std::string& root, const Deadline& deadline,
                                    KeywordSearchResponse& response) const {
  const auto model = models_.Pick(NameIn(request));
  if (!request.dry_run) return model ? Ask(*model, hits, root, deadline, response) : model.error();
  if (!model) response.notes.push_back(model.error().message + ".");
  const llm::Prompt prompt = MakePrompt(hits.text, response.root, request.query);
  response.preview = PreviewOf(llm::BuildRequest(preview_model, "", prompt));
  return {};
}

const std::string& KeywordService::NameIn(const KeywordSearchRequest& request) const {
  return request.model.empty() ? config_.model : request.model;
}

Result<KeywordSearchResponse> KeywordService::Search(const KeywordSearchRequest& request,
                                                     const CancelToken& cancel) const {
  const auto start = Clock::now();
  if (Status valid = Validate(request); !valid) return valid.error();
  const Deadline deadline = Deadline::After(config_.timeout, cancel);
  // A name that no model has is a mistake in the request. Whether the model can
  // be used matters only if there is something to ask (H6).
  const auto named = models_.PickForPreview(NameIn(request));
  if (!named) return named.error();
  const auto scope = FindScope(search_.sandbox(), named_roots_, home_);
  if (!scope) return scope.error();
  auto hits = FindHits(request, *scope, deadline);
  if (!hits) return hits.error();

  KeywordSearchResponse response;
  response.query = request.query;
  response.root = LossyUtf8(*scope);
  if (!hits->text.empty()) {
    if (Status s = AskOrPreview(request, *named, *hits, *scope, deadline, response); !s) return s.error();
  }
  AddTermNotes(*hits, response.notes);
  response.terms_used = std::move(hits->used);
  response.terms_skipped = std::move(hits->skipped);
  response.errors = std::move(hits->errors);
  response.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  FinishContent(response);
  return response;
}

}  // namespace forge::keyword
