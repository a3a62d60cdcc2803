#include "search/service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "search/collector.h"
#include "search/content.h"
#include "search/eligible.h"
#include "search/request.h"
#include "tree/walk.h"

namespace forge {
namespace {

Query MakeQuery(const CheckedRequest& checked, const Pattern& pattern, const Prefilter& prefilter,
                std::optional<int> fuzzy, bool keeps_events) {
  Query query{pattern,
              prefilter,
              fuzzy,
              checked.request.pattern,
              checked.request.fixed_strings,
              checked.request.word_regexp,
              {},
              checked.size_limit};
  query.limits = LimitsOf(checked);
  query.detail = DetailOf(checked.request);
  // A file may have millions of context lines. If the answer is held in memory,
  // the collector takes no more than these.
  if (keeps_events) {
    query.limits.max_events = std::min(query.limits.max_events, checked.max_answer_bytes / kEventBytes + 2);
  }
  return query;
}

// Every eligible file, unopened. A request that limits their size looks at it.
RunReport RunNames(const CheckedRequest& checked, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                   const Deadline& deadline) {
  FileOpener opener(root);
  FileItem item;
  while (!deadline.over() && source.Next(item)) {
    FileOutcome outcome;
    outcome.position = item.position;
    if (checked.request.max_file_size_bytes) {
      const auto info = opener.Stat(item.path);
      outcome.too_large = info.ok() && checked.size_limit.Skips(info->size);
    }
    outcome.path = std::move(item.path);
    outcome.asides = std::move(item.asides);
    if (!sink.Take(std::move(outcome))) return RunReport(SearchEnd::kStopped);
  }
  if (deadline.cancelled()) return RunReport(SearchEnd::kCancelled);
  return RunReport(deadline.over() ? SearchEnd::kTimedOut : SearchEnd::kComplete);
}

// Whether files without a match are part of the answer. Then the index may list
// the files, but it leaves out none.
bool NeedsEveryFile(const SearchRequest& request, const SearchOptions& options) {
  return request.invert || request.passthru || request.report == Report::kNames || options.on_any_file;
}

bool LiftsFileCap(const SearchRequest& request, bool names_file) {
  if (request.max_matches_per_file) return false;
  return request.file_cap == FileCap::kNever || (request.file_cap == FileCap::kUnlessNamed && names_file);
}

std::optional<int> FuzzyOf(const SearchRequest& request) {
  return request.fuzzy ? std::optional(static_cast<int>(*request.fuzzy)) : std::nullopt;
}

// Where the search happens: a folder, or a file in its folder.
struct Scope {
  SearchRoot root;
  bool is_file = false;
  std::string name;  // of the file
};

Error NotReadable(const std::string& path, const os::OsError& error) {
  return ExecutionFailed("path: cannot be read: " + Echo(path) + ": " + error.message());
}

// FR-LS-VAL-05: the file or folder that the request names must be readable;
// entries below it need not be.
Result<Scope> OpenScope(const Sandbox& sandbox, const Target& target, const CheckedRequest& checked) {
  const std::string& given = checked.request.path;
  if (target.type() == os::FileType::kOther) {
    return ExecutionFailed("path: is neither a file nor a folder: " + Echo(given));
  }
  auto root = SearchRoot::Open(sandbox, target, checked.request.follow);
  if (!root.ok()) return NotReadable(given, root.error());
  if (!target.is_folder()) {
    if (auto fd = target.OpenFile(); !fd.ok()) return NotReadable(given, fd.error());
  }
  return Scope{std::move(*root), !target.is_folder(), target.name()};
}

EligibleFiles MakeFiles(const Scope& scope, const CheckedRequest& checked, const IndexShare& share,
                        const Deadline& deadline, LeftOutList* left_out = nullptr) {
  if (scope.is_file) {
    const bool wanted = JudgeNamedFile(checked.rules, scope.name) == Eligibility::kEligible;
    return EligibleFiles(wanted ? std::optional(scope.name) : std::nullopt);
  }
  auto stream = share.trusted ? StreamFromCatalog(scope.root, checked, share.use, deadline)
                              : StreamFromWalk(scope.root, checked, share.use, deadline, left_out);
  return {std::move(stream), checked.max_files};
}

void UseTexts(const IndexShare& share, Query& query) {
  if (!share.trusted || share.view.texts == nullptr) return;
  query.texts = share.view.texts;
  query.turn = share.view.turn;
}

// Progress counts files. While an index is built, it also says so: that is why
// this search takes longer than later ones will.
std::string WhatIsDone(const IndexShare& share) {
  if (!share.view.build || share.view.build->files_total == 0) return "files searched";
  return "files searched; the index is being built: " + std::to_string(share.view.build->files_done) + " of " +
         std::to_string(share.view.build->files_total) + " files";
}

// `words` must outlive the result.
SearchOptions WithWords(const SearchOptions& options, const std::string& words) {
  SearchOptions out = options;
  if (!options.on_progress) return out;
  out.on_progress = [&sink = options.on_progress, &words](Progress progress) {
    progress.what = words;
    sink(progress);
  };
  return out;
}

// The message is for people: the beginning of the backend's text is enough.
Error FailureOf(const RunReport& report) {
  constexpr std::size_t kMost = 2000;
  if (report.stderr_text.empty()) return ExecutionFailed(report.message);
  const std::string_view said = std::string_view(report.stderr_text).substr(0, kMost);
  return ExecutionFailed(report.message + ": " + LossyUtf8(said) + (said.size() == kMost ? "…" : ""));
}

void CountLeftOut(const LeftOut& left_out, SearchStats& stats) {
  stats.files_too_large = left_out.too_large;
  stats.files_binary = left_out.binary;
  stats.files_capped = left_out.capped;
  stats.paths_denied = left_out.denied;
}

// Of the run and of what gave it files and took its outcomes.
SearchEnd EndOf(const RunReport& report, const EligibleFiles& files, const Collector& collector) {
  if (collector.cut()) return *collector.cut();
  if (report.end == SearchEnd::kComplete && files.timed_out()) return SearchEnd::kTimedOut;
  return report.end;
}

void Fill(const CheckedRequest& checked, const RunReport& report, EligibleFiles& files, Collector& collector,
          SearchResponse& response) {
  response.end = EndOf(report, files, collector);
  response.timed_out = response.end == SearchEnd::kTimedOut;
  const bool reached_the_end = response.end == SearchEnd::kComplete;
  if (reached_the_end) collector.TakeAsides(files.TakeRest());
  response.files_scanned = reached_the_end ? files.count() : collector.taken();
  collector.Finish(response);
  // D4: a timeout at exactly max_results leaves open whether there is more.
  const bool full = collector.events() == checked.max_results;
  response.truncated = collector.cut().has_value() || (response.timed_out && full);
  if (IsFailure(response.end)) {
    response.exit_code = report.exit_code;
    response.stderr_text = report.stderr_text.empty() ? report.message : report.stderr_text;
  }
  response.left_out = collector.left_out();
  response.left_out.more_files = reached_the_end && files.cut();
  CountLeftOut(response.left_out, *response.stats);
  response.notes = MakeNotes(response, checked, response.left_out);
}

// FR-LSI-STAT-02: all eligible files, also those after the place where a
// truncated search ended; these are only counted, until the deadline.
void CountCandidates(EligibleFiles& files, const Collector& collector, SearchStats& stats) {
  // Not the number of files that were handed out: a search that ends early has
  // handed out more or fewer, depending on its threads.
  stats.candidates_scanned = collector.reported();
  FileItem rest;
  while (files.Next(rest)) continue;
  stats.candidates_total = files.count();
  stats.candidates_excluded = files.excluded();
}

// Hints are about lines that were looked for everywhere, and are nowhere.
bool WantsHints(const SearchRequest& request, const Pass& pass, const SearchOptions& options) {
  return options.hints && pass.events == 0 && pass.response.end == SearchEnd::kComplete && !request.invert &&
         !request.passthru && request.report == Report::kLines;
}

}  // namespace

// Decisions that come before the search and hold for every pass.
struct SearchService::Prepared {
  CheckedRequest checked;
  Deadline deadline;
  Target target;
  Pattern pattern;
  Prefilter prefilter;
  Scope scope;

  Query QueryFor(std::optional<int> fuzzy, bool keeps_events) const {
    Query query = MakeQuery(checked, pattern, prefilter, fuzzy, keeps_events);
    if (LiftsFileCap(checked.request, scope.is_file)) query.limits.max_matches = UINT64_MAX;
    return query;
  }
};

// What a search that found nothing leaves to its hints.
struct SearchService::Clues {
  bool trusted = false;  // the catalog replaced a walk
  LeftOutList walked;    // else: what the walk left out
  std::optional<std::string> show_as = {};
};

SearchService::SearchService(SearchConfig config, Sandbox sandbox, std::shared_ptr<const Backend> backend,
                             std::string no_backend_message, indexer::IndexSet* indexes,
                             std::shared_ptr<const GitEnvironment> git)
    : config_(std::move(config)),
      sandbox_(std::move(sandbox)),
      backend_(std::move(backend)),
      no_backend_message_(std::move(no_backend_message)),
      indexes_(indexes),
      git_(std::move(git)) {}

Status SearchService::CheckBackend(const Query& query) const {
  if (!backend_) return ExecutionFailed(no_backend_message_);
  if (query.fuzzy && !backend_->supports_fuzzy()) {
    return BadArgs("fuzzy: is not supported by the search backend in use (" + backend_->id() +
                   "); leave it out, or use ugrep or native");
  }
  return backend_->Check(query);
}

Result<SearchService::Prepared> SearchService::Prepare(const SearchRequest& request, const CancelToken& cancel) const {
  const Clock::time_point start = Clock::now();
  auto checked = CheckRequest(request, config_);
  if (!checked) return checked.error();
  checked->git = git_;
  // The time that it took to parse globs counts.
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  const Deadline deadline = Deadline::After(checked->timeout_ms - spent.count(), cancel);
  auto target = sandbox_.Resolve(request.path);
  if (!target) return target.error();
  auto pattern = Pattern::Compile(SpecOf(request));
  if (!pattern) return pattern.error();
  Prefilter prefilter = Prefilter::For(*pattern);
  const Query query = MakeQuery(*checked, *pattern, prefilter, FuzzyOf(request), true);
  if (Status status = CheckBackend(query); !status.ok()) return status.error();
  auto scope = OpenScope(sandbox_, *target, *checked);
  if (!scope) return scope.error();
  return Prepared{*std::move(checked),  deadline,         *std::move(target), *std::move(pattern),
                  std::move(prefilter), *std::move(scope)};
}

Result<Pass> SearchService::RunOnce(const Prepared& prepared, std::optional<int> fuzzy, const SearchOptions& options,
                                    Clues* clues) const {
  const auto& [checked, deadline, target, pattern, prefilter, scope] = prepared;
  Query query = prepared.QueryFor(fuzzy, options.keep_events);
  IndexShare share = ShareOf(prepared, query, options);
  UseTexts(share, query);
  if (clues != nullptr) clues->trusted = share.trusted;
  EligibleFiles files = MakeFiles(scope, checked, share, deadline, clues != nullptr ? &clues->walked : nullptr);
  const std::string doing = WhatIsDone(share);
  const SearchOptions told = WithWords(options, doing);
  Collector collector(checked, sandbox_, scope.root.folder(), told, scope.is_file);
  const RunReport report = checked.request.report == Report::kNames
                               ? RunNames(checked, scope.root, files, collector, deadline)
                               : backend_->Run(query, scope.root, files, collector, deadline);
  EndShare(share);
  if (options.cancel.cancelled()) return Cancelled();
  if (IsFailure(report.end) && collector.events() == 0) return FailureOf(report);

  Pass pass;
  pass.events = collector.events();
  pass.response.pattern = checked.request.pattern;
  pass.response.path = LossyUtf8(target.path());
  pass.response.stats.emplace();
  Fill(checked, report, files, collector, pass.response);
  if (options.keep_events) pass.response.content = BuildContent(pass.response, checked);
  if (indexes_ != nullptr) DescribeIndex(share, *pass.response.stats);
  if (config_.emit_stats) CountCandidates(files, collector, *pass.response.stats);
  return pass;
}

IndexShare SearchService::ShareOf(const Prepared& prepared, const Query& query, const SearchOptions& options,
                                  bool peek) const {
  return AskIndex({.indexes = indexes_,
                   .folder = prepared.scope.root.folder(),
                   .names_file = prepared.scope.is_file,
                   .request = prepared.checked,
                   .query = query,
                   .backend = *backend_,
                   .counted = options.counted,
                   .peek = peek,
                   .every_file = NeedsEveryFile(prepared.checked.request, options)},
                  prepared.deadline);
}

Result<IndexExplanation> SearchService::ExplainIndex(const SearchRequest& request) const {
  const auto prepared = Prepare(request, {});
  if (!prepared) return prepared.error();
  return Explain(ShareOf(*prepared, prepared->QueryFor(FuzzyOf(request), true), {.counted = false}));
}

FuzzyRunner SearchService::RunnerFor(const Prepared& prepared, const SearchOptions& options) const {
  return {backend_->supports_fuzzy(), [&] { return prepared.deadline.expired(); },
          [&](int level) {
            // Only the end shows whether these events are part of the answer.
            auto pass = RunOnce(prepared, level, {.cancel = options.cancel, .counted = false});
            if (pass) pass->held = true;
            return pass;
          }};
}

std::vector<Hint> SearchService::Hints(const Prepared& prepared, const SearchResponse& response,
                                       const Clues& clues) const {
  const auto& tried = response.stats->fuzzy_levels_tried;
  const bool fuzzy = prepared.checked.request.fuzzy || !backend_->supports_fuzzy() || !tried.empty();
  const auto budget = Clock::now() + (clues.trusted ? kWarmHintTime : hint_time_);
  const Deadline deadline(std::min(budget, prepared.deadline.at()), prepared.deadline.cancel());
  return FindHints(HintTries(prepared.checked.request, prepared.scope.is_file, fuzzy), deadline,
                   [&](const HintTry& hint, const Deadline& share) { return Look(hint, clues, share); });
}

// What the tree has in the searched folder and the search did not see.
std::vector<LeftOutEntry> SearchService::LeftOutOf(const Prepared& prepared, const Clues& clues,
                                                   Hint::Change change) const {
  const LeftOutBy by = change == Hint::Change::kHidden ? LeftOutBy::kHidden : LeftOutBy::kIgnored;
  if (!clues.trusted) return clues.walked.Below("", by);
  const std::string& folder = prepared.scope.root.folder();
  const indexer::RootIndex* root = indexes_->Find(folder);
  return root == nullptr ? std::vector<LeftOutEntry>() : root->LeftOut(RelativeTo(folder, root->root()), by);
}

// One change. A change may be impossible: a bad regular expression, say.
TryResult SearchService::Look(const HintTry& hint, const Clues& clues, const Deadline& deadline) const {
  auto prepared = Prepare(hint.request, deadline.cancel());
  if (!prepared) return {};
  prepared->deadline = deadline;
  const Query query = prepared->QueryFor(FuzzyOf(hint.request), false);
  TryResult result;
  SearchOptions options{.on_event = [&](const Event& event) { result.match = result.match.value_or(event); },
                        .enough = [&] { return result.match.has_value(); },
                        .counted = false,
                        .keep_events = false};
  if (hint.change != Hint::Change::kAnyPath) options.show_as = clues.show_as;
  Collector collector(prepared->checked, sandbox_, prepared->scope.root.folder(), options, prepared->scope.is_file);
  const auto run = [&](EligibleFiles files) {
    backend_->Run(query, prepared->scope.root, files, collector, deadline);
    return files.timed_out() || deadline.over();
  };
  if (hint.change != Hint::Change::kHidden && hint.change != Hint::Change::kNoIgnore) {
    IndexShare share = ShareOf(*prepared, query, {.counted = false}, /*peek=*/true);
    run(MakeFiles(prepared->scope, prepared->checked, share, deadline));
    EndShare(share);
    return result;
  }
  std::vector<LeftOutEntry> entries = LeftOutOf(*prepared, clues, hint.change);
  if (entries.empty()) return result;
  result.untried = entries.size();
  result.first_untried = collector.Shown(entries.front().path) + (entries.front().is_folder ? "/" : "");
  auto stream = StreamFromLeftOut(prepared->scope.root, prepared->checked, std::move(entries), deadline);
  if (!run({std::move(stream), prepared->checked.max_files})) result.untried = 0;
  return result;
}

Result<SearchResponse> SearchService::Search(const SearchRequest& request, const SearchOptions& options) const {
  const Clock::time_point start = Clock::now();
  const auto prepared = Prepare(request, options.cancel);
  if (!prepared) return prepared.error();
  Clues clues;
  clues.show_as = options.show_as;
  auto first = RunOnce(*prepared, FuzzyOf(request), options, options.hints ? &clues : nullptr);
  if (!first) return first.error();
  auto pass = FallBack(prepared->checked, config_, RunnerFor(*prepared, options), *std::move(first));
  if (!pass) return pass.error();
  SearchResponse& response = pass->response;
  if (pass->held && options.on_event) std::ranges::for_each(response.matches, options.on_event);
  if (WantsHints(request, *pass, options)) response.hints = Hints(*prepared, response, clues);
  if (!options.keep_events) {
    response.matches.clear();
    response.content.clear();
  }
  FinishStats(config_.emit_stats, Clock::now() - start, response);
  return std::move(response);
}

}  // namespace forge
