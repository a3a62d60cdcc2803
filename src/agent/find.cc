#include "agent/find.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace forge::agent {
namespace {

using std::chrono::milliseconds;

// For what the model did not ask for, but is glad to know.
constexpr milliseconds kTimeToCount{200};
constexpr milliseconds kTimeForNames{1000};
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 2;

void Clamp(std::optional<std::int64_t>& asked, std::int64_t configured) {
  if (asked && *asked >= configured) asked.reset();
}

std::uint64_t BytesOf(const Event& event) {
  constexpr std::uint64_t kEventBytes = 256;  // beside its text
  return kEventBytes + event.path.size() + event.line.size() + event.match_text.size();
}

// Keeps the events of one page: from the match after `offset` on, with the
// context before it.
class PageOfLines {
 public:
  PageOfLines(std::uint64_t offset, std::uint64_t before, std::uint64_t most_bytes)
      : offset_(offset), before_(before), most_bytes_(most_bytes) {}

  void Take(const Event& event) {
    if (event.type == Event::Type::kMatch) {
      ++met_;
      if (files_ == 0 || event.path != last_path_) ++files_;
      last_path_ = event.path;
      if (met_ == offset_ + 1) TakeLead(event);
    }
    if (met_ > offset_) {
      Keep(event);
    } else if (event.type == Event::Type::kContext && before_ > 0) {
      if (lead_.size() == before_) lead_.pop_front();
      lead_.push_back(event);
    }
  }

  bool full() const { return bytes_ > most_bytes_; }
  std::uint64_t met() const { return met_; }
  std::uint64_t files() const { return files_; }
  std::uint64_t shown() const { return met_ > offset_ ? met_ - offset_ : 0; }
  std::vector<Event> TakeEvents() { return std::move(events_); }

 private:
  void TakeLead(const Event& match) {
    for (const Event& event : lead_) {
      if (event.path == match.path && event.line_number + before_ >= match.line_number) Keep(event);
    }
    lead_.clear();
  }

  void Keep(const Event& event) {
    bytes_ += BytesOf(event);
    events_.push_back(event);
  }

  const std::uint64_t offset_;
  const std::uint64_t before_;
  const std::uint64_t most_bytes_;
  std::deque<Event> lead_;  // context before the first match of the page, perhaps
  std::vector<Event> events_;
  std::string last_path_;
  std::uint64_t met_ = 0;
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
};

std::uint64_t BeforeOf(const SearchRequest& request) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(request.before_context.value_or(request.context), 0));
}

bool IsComplete(const SearchResponse& response) {
  return response.end == SearchEnd::kComplete && !response.left_out.more_files;
}

}  // namespace

void ClampToConfig(const SearchConfig& config, SearchRequest& request) {
  Clamp(request.max_files, config.max_files);
  Clamp(request.max_file_size_bytes, config.max_file_size_bytes);
  Clamp(request.max_matches_per_file, config.max_matches_per_file);
}

Finder::Finder(Engine& engine, const Call& call, const tool::RunOptions& options)
    : engine_(engine),
      options_(options),
      end_(Clock::now() + std::min<milliseconds>(call.request.timeout.value_or(engine.config().search.default_timeout),
                                                 std::chrono::hours(24))) {}

milliseconds Finder::Left() const {
  return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(end_ - Clock::now()));
}

std::uint64_t Finder::LimitOf(const Call& call) const {
  return static_cast<std::uint64_t>(call.max_results.value_or(engine_.config().search.default_max_results));
}

SearchRequest Finder::RequestFor(const Call& call) const {
  SearchRequest request = call.request;
  ClampToConfig(engine_.config().search, request);
  request.max_results = kNoLimit;  // it would count context lines
  request.file_cap = FileCap::kUnlessNamed;
  return request;
}

Result<Found> Finder::Find(const Call& call, std::optional<milliseconds> most) {
  SearchRequest request = RequestFor(call);
  // The first search has all of the time that the model gave: its end must not
  // depend on how long we took to begin.
  request.timeout = most ? std::min(*most, Left()) : Left();
  SearchOptions options{.cancel = options_.cancel, .on_progress = options_.progress};
  options.hints = options_.hints && !most;  // another reading of a call is a hint by itself
  options.keep_events = false;
  if (call.output == Output::kContent) return FindLines(call, std::move(request), std::move(options));
  return FindFiles(call, std::move(request), std::move(options));
}

Result<Found> Finder::FindLines(const Call& call, SearchRequest request, SearchOptions options) {
  const std::uint64_t end = static_cast<std::uint64_t>(call.offset) + LimitOf(call);
  request.max_matches = static_cast<std::int64_t>(std::min<std::uint64_t>(end, kNoLimit));
  PageOfLines page(static_cast<std::uint64_t>(call.offset), BeforeOf(request),
                   static_cast<std::uint64_t>(engine_.config().search.max_answer_bytes));
  options.on_event = [&](const Event& event) { page.Take(event); };
  options.enough = [&] { return page.full(); };
  auto response = engine_.Search(request, options);
  if (!response) return response.error();
  Found found{.response = *std::move(response), .shown = page.shown(), .met = page.met()};
  found.response.matches = page.TakeEvents();
  found.more = found.response.end == SearchEnd::kFull || found.response.end == SearchEnd::kStopped;
  if (IsComplete(found.response) && found.response.left_out.capped == 0) found.totals = {page.met(), page.files()};
  return found;
}

Result<Found> Finder::FindFiles(const Call& call, SearchRequest request, SearchOptions options) {
  const auto offset = static_cast<std::uint64_t>(call.offset);
  const std::uint64_t end = offset + LimitOf(call);
  request.context = 0;
  request.before_context.reset();
  request.after_context.reset();
  request.report = call.names_only ? Report::kNames : call.output == Output::kFiles ? Report::kFirst : Report::kCounts;
  request.may_be_blank = call.names_only;
  if (call.output == Output::kCount) {
    request.file_cap = FileCap::kNever;
    request.max_matches_per_file.reset();  // is for lines that are shown
  }
  Found found;
  Totals totals;
  options.on_file = [&](const FileReport& file) {
    ++totals.files;
    if (call.output == Output::kCount) totals.matches += file.matched_lines;
    if (totals.files > offset && totals.files <= end) found.files.push_back(file);
  };
  options.on_any_file = call.names_only;
  options.enough = [&] { return totals.files > end; };
  auto response = engine_.Search(request, options);
  if (!response) return response.error();
  found.response = *std::move(response);
  found.shown = found.files.size();
  found.met = std::min(totals.files, end);
  found.more = totals.files > end;
  if (IsComplete(found.response)) found.totals = totals;
  return found;
}

void Finder::Count(const Call& call, Found& found) {
  const SearchEnd end = found.response.end;
  const bool is_cut = end == SearchEnd::kFull || end == SearchEnd::kStopped || end == SearchEnd::kComplete;
  if (found.totals || !is_cut || call.request.fuzzy || !found.response.fallback_note.empty()) return;
  SearchRequest request = RequestFor(call);
  request.report = call.names_only ? Report::kNames : Report::kCounts;
  request.may_be_blank = call.names_only;
  request.max_matches_per_file.reset();
  request.file_cap = FileCap::kNever;
  request.timeout = std::min(kTimeToCount, Left());
  Totals totals;
  SearchOptions options{.cancel = options_.cancel};
  options.on_file = [&](const FileReport& file) {
    ++totals.files;
    totals.matches += file.matched_lines;
    totals.by_file.emplace_back(file.path, file.matched_lines);
  };
  options.on_any_file = call.names_only;
  options.counted = false;
  options.keep_events = false;
  const auto response = engine_.Search(request, options);
  if (response && IsComplete(*response)) found.totals = std::move(totals);
}

std::vector<std::string> Finder::Names(const Call& call) {
  SearchRequest request = RequestFor(call);
  request.pattern.clear();
  request.path.clear();
  request.include_glob.clear();
  request.type_glob.clear();
  request.fuzzy.reset();
  request.invert = request.fixed_strings = request.word_regexp = request.line_regexp = false;
  request.recursive = true;
  request.max_depth.reset();
  request.report = Report::kNames;
  request.may_be_blank = true;
  request.timeout = std::min(kTimeForNames, Left());
  std::vector<std::string> names;
  SearchOptions options{.cancel = options_.cancel};
  options.on_file = [&](const FileReport& file) { names.push_back(file.path); };
  options.on_any_file = true;
  options.counted = false;
  options.keep_events = false;
  (void)engine_.Search(request, options);  // some names are better than none
  return names;
}

std::optional<Error> Finder::Problem(const std::string& path) {
  SearchRequest request{.path = path, .may_be_blank = true, .report = Report::kNames};
  request.timeout = std::min(kTimeForNames, Left());
  SearchOptions options{.cancel = options_.cancel, .on_file = [](const FileReport&) {}, .on_any_file = true};
  options.enough = [] { return true; };
  options.counted = false;
  options.keep_events = false;
  const auto response = engine_.Search(request, options);
  return response ? std::nullopt : std::optional(response.error());
}

}  // namespace forge::agent
