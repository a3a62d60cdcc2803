#include "keyword/service.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "keyword/answer.h"
#include "keyword/prompt.h"
#include "keyword/scope.h"

namespace forge::keyword {
namespace {

constexpr std::string_view kNothing = "No relevant files found";
constexpr std::size_t kMostNamed = 5;  // paths in one note

std::string Quoted(std::string_view text) { return "\"" + Sanitize(LossyUtf8(text)) + "\""; }

std::string NameOf(const ModelConfig& model) {
  return model.name + " (" + std::string(Name(model.provider)) + ", " + model.model + ")";
}

KeywordPreview PreviewOf(const llm::HttpRequest& request) {
  KeywordPreview preview{request.url, {}, request.body};
  for (const llm::HttpHeader& header : request.headers) {
    preview.headers.push_back(header.name + ": " + (header.secret ? "(not shown)" : header.value));
  }
  return preview;
}

std::string DroppedNote(const std::vector<std::string>& dropped) {
  std::string note = Count(dropped.size(), "path") + " of the model's answer " +
                     (dropped.size() == 1 ? "was" : "were") + " dropped, because the search found nothing there: ";
  for (std::size_t i = 0; i < std::min(dropped.size(), kMostNamed); ++i) note += (i > 0 ? ", " : "") + dropped[i];
  return note + (dropped.size() > kMostNamed ? ", ..." : "") + ".";
}

// What we dropped from the model's answer.
void AddAnswerNotes(const CheckedAnswer& answer, bool cut, std::vector<std::string>& notes) {
  if (!answer.dropped.empty()) notes.push_back(DroppedNote(answer.dropped));
  if (answer.other_lines > 0) {
    notes.push_back(Count(answer.other_lines, "line") + " of the model's answer that named no file" +
                    (answer.other_lines == 1 ? " was" : " were") + " left out.");
  }
  if (answer.beyond > 0) notes.push_back(Count(answer.beyond, "more file") + " of the model's answer were left out.");
  if (cut) notes.emplace_back("the model's answer was cut at max_output_tokens; there may be more files.");
}

void AddTermNotes(const Gathered& hits, std::vector<std::string>& notes) {
  for (const SkippedTerm& skipped : hits.skipped) {
    notes.push_back("the term " + Quoted(skipped.term) + " was skipped: " + skipped.reason + ".");
  }
  if (hits.text.empty()) {
    std::string list;
    for (const std::string& term : hits.used) list += (list.empty() ? "" : ", ") + Quoted(term);
    notes.push_back("nothing matches " + list + "; no model was asked.");
  }
  notes.insert(notes.end(), hits.notes.begin(), hits.notes.end());
}

// "answered by fast (openai, qwen3); 1200 tokens in, 80 out; 2.1 s."
std::string ClosingNote(const KeywordSearchResponse& response) {
  std::string note = response.model.empty() ? "" : "answered by " + response.model + "; ";
  if (response.input_tokens || response.output_tokens) {
    const auto number = [](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : "?"; };
    note += number(response.input_tokens) + " tokens in, " + number(response.output_tokens) + " out; ";
  }
  char text[64];
  if (response.cost_usd) {
    std::snprintf(text, sizeof text, "%.4f US dollars; ", *response.cost_usd);
    note += text;
  }
  std::snprintf(text, sizeof text, "%.1f s.", std::chrono::duration<double>(response.elapsed).count());
  return note + text;
}

std::string ContentOf(const KeywordSearchResponse& response) {
  std::string out;
  for (const RelevantFile& file : response.files) {
    out += Sanitize(file.path) + (file.reason.empty() ? "" : ": " + file.reason) + "\n";
  }
  if (out.empty()) out = std::string(kNothing) + "\n";
  out += "\n";
  for (const std::string& note : response.notes) out += "Note: " + note + "\n";
  return out;
}

void Finish(Clock::time_point start, KeywordSearchResponse& response) {
  response.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  response.notes.push_back(ClosingNote(response));
  response.content = ContentOf(response);
}

}  // namespace

KeywordService::KeywordService(const SearchService& search, const Config& config, std::vector<std::string> named_roots,
                               Environment environment, const llm::HttpClient& http, llm::Waiter wait)
    : search_(search),
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
  const auto completion = client_.Complete(model, *key, MakePrompt(hits.text, root, response.query), deadline);
  if (!completion) return completion.error();
  CheckedAnswer answer = CheckAnswer(completion->text, root, hits.files);
  if (answer.files.empty() && answer.dropped.empty() && !answer.says_none) {
    return ExecutionFailed(NameOf(model) + " answered, but not with a list of files: " +
                           Quoted(std::string_view(completion->text).substr(0, 300)));
  }
  response.files = std::move(answer.files);
  response.input_tokens = completion->usage.input_tokens;
  response.output_tokens = completion->usage.output_tokens;
  response.cost_usd = completion->usage.cost;
  response.model = NameOf(model);
  AddAnswerNotes(answer, completion->cut, response.notes);
  return {};
}

Result<KeywordSearchResponse> KeywordService::Search(const KeywordSearchRequest& request,
                                                     const CancelToken& cancel) const {
  const auto start = Clock::now();
  if (Status valid = Validate(request); !valid) return valid.error();
  const Deadline deadline = Deadline::After(config_.timeout, cancel);
  const std::string& name = request.model.empty() ? config_.model : request.model;
  const auto model = request.dry_run ? models_.PickForPreview(name) : models_.Pick(name);
  if (!model) return model.error();
  const auto scope = FindScope(search_.sandbox(), named_roots_, home_);
  if (!scope) return scope.error();
  auto hits = FindHits(request, *scope, deadline);
  if (!hits) return hits.error();

  KeywordSearchResponse response;
  response.query = request.query;
  response.root = LossyUtf8(*scope);
  if (request.dry_run) {
    if (const auto usable = models_.Pick(name); !usable) response.notes.push_back(usable.error().message + ".");
    response.preview = PreviewOf(llm::BuildRequest(*model, "", MakePrompt(hits->text, response.root, request.query)));
  } else if (!hits->text.empty()) {
    if (Status asked = Ask(*model, *hits, response.root, deadline, response); !asked) return asked.error();
  }
  AddTermNotes(*hits, response.notes);
  response.terms_used = std::move(hits->used);
  response.terms_skipped = std::move(hits->skipped);
  response.errors = std::move(hits->errors);
  Finish(start, response);
  return response;
}

}  // namespace forge::keyword
