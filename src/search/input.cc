#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "forge/search_input.h"
#include "match/fuzzy.h"
#include "match/text.h"
#include "search/content.h"
#include "search/request.h"

namespace forge {
namespace {

constexpr std::size_t kBlock = 64 * 1024;

// The lines of a text that comes in pieces, with their context.
class InputScan {
 public:
  InputScan(const CheckedRequest& checked, LineMatcher& matcher, const SearchOptions& options, SearchResponse& response)
      : checked_(checked), request_(checked.request), matcher_(matcher), options_(options), response_(response) {
    file_.path = options.show_as.value_or("");
  }

  // False if no more text is needed.
  bool Add(std::string_view piece) {
    file_.bytes += piece.size();
    if (!request_.text && piece.find('\0') != std::string_view::npos) binary_ = true;
    pending_ += piece;
    std::size_t begin = 0;
    for (std::size_t lf = pending_.find('\n'); lf != std::string::npos && !done_; lf = pending_.find('\n', begin)) {
      TakeLine(std::string_view(pending_).substr(begin, lf + 1 - begin));
      begin = lf + 1;
    }
    pending_.erase(0, begin);
    return !done_;
  }

  void Finish() {
    if (!done_ && !pending_.empty()) TakeLine(pending_);
    response_.files_scanned = 1;
    response_.bytes_searched = file_.bytes;
    const bool wanted = file_.matched_lines > 0 || (options_.on_any_file && response_.left_out.binary == 0);
    if (options_.on_file && wanted) options_.on_file(file_);
  }

 private:
  void TakeLine(std::string_view whole) {
    Event event;
    event.path = file_.path;
    event.line_number = ++number_;
    event.offset = offset_;
    offset_ += whole.size();
    const bool crlf = whole.ends_with("\r\n");
    const std::string_view line = whole.substr(0, whole.size() - (crlf ? 2 : whole.ends_with('\n') ? 1 : 0));
    event.ending = whole.substr(line.size());
    event.line = request_.exact_bytes ? std::string(line) : LossyUtf8(line);
    const MatchOutcome found = matcher_.Match(line);
    if (found.status == MatchStatus::kTooComplex) {
      response_.errors.push_back(
          {file_.path, "the pattern is too complex for line " + std::to_string(number_) + ", which was not searched"});
      return;
    }
    if ((found.status == MatchStatus::kMatch) == request_.invert) {
      TakeContext(std::move(event));
    } else {
      TakeMatch(line, found.span, std::move(event));
    }
  }

  void TakeContext(Event event) {
    event.type = Event::Type::kContext;
    if (request_.report != Report::kLines) return;
    if (request_.passthru || (last_match_ > 0 && event.line_number - last_match_ <= checked_.context.after)) {
      Emit(event);
    } else if (checked_.context.before > 0) {
      before_.push_back(std::move(event));
      if (before_.size() > checked_.context.before) before_.pop_front();
    }
    StopAfterContext();
  }

  void TakeMatch(std::string_view line, Span match, Event event) {
    if (binary_) {
      ++response_.left_out.binary;
      response_.left_out.binary_paths = {file_.path};
      file_.matched_lines = 0;
      done_ = true;
      return;
    }
    if (file_.matched_lines == Most()) {
      done_ = true;
      return;
    }
    ++file_.matched_lines;
    if (!request_.invert) Describe(line, match, event);
    file_.matches += std::max<std::uint64_t>(event.places.size(), 1);
    last_match_ = event.line_number;
    if (request_.report == Report::kFirst) done_ = true;
    if (request_.report != Report::kLines) return;
    for (const Event& before : before_) Emit(before);
    before_.clear();
    Emit(event);
    StopAfterContext();
  }

  std::uint64_t Most() const { return std::min(checked_.max_matches_per_file, checked_.max_matches); }

  // A reader need not wait for a text that adds nothing.
  void StopAfterContext() { done_ |= file_.matched_lines == Most() && number_ - last_match_ >= checked_.context.after; }

  void Describe(std::string_view line, Span match, Event& event) {
    const std::string_view text = line.substr(match.begin, match.size());
    event.column = match.begin + 1;
    event.match_text = request_.exact_bytes ? std::string(text) : LossyUtf8(text);
    if (!request_.every_match && !request_.replacement) return;
    Matches all(matcher_, line);
    for (Span place; all.Next(place);) {
      event.places.push_back({place.begin, place.end});
      if (request_.replacement) event.places.back().replacement = matcher_.Expand(*request_.replacement, line, place);
    }
  }

  void Emit(const Event& event) {
    if (done_) return;
    if (options_.on_event) options_.on_event(event);
    if (options_.keep_events) response_.matches.push_back(event);
    done_ |= options_.enough && options_.enough();
  }

  const CheckedRequest& checked_;
  const SearchRequest& request_;
  LineMatcher& matcher_;
  const SearchOptions& options_;
  SearchResponse& response_;
  FileReport file_;
  std::string pending_;  // a line whose end is not there yet
  std::deque<Event> before_;
  std::uint64_t number_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t last_match_ = 0;
  bool binary_ = false;
  bool done_ = false;
};

// What the text is, as far as its first bytes tell. UTF-16 and UTF-32 cannot be
// read in pieces.
class InputDecoder {
 public:
  // The text of the next piece.
  std::string Take(std::string_view piece, bool last) {
    held_ += piece;
    if (!started_ && held_.size() < kMarkBytes && !last) return "";
    if (!started_) wide_ = IsWide(SniffEncoding(held_));
    if (wide_ && !last) return "";
    std::string buffer;
    std::string out(started_ && !wide_ ? std::string_view(held_) : DecodeText(held_, buffer));
    started_ = true;
    held_.clear();
    return out;
  }

 private:
  std::string held_;
  bool started_ = false;
  bool wide_ = false;
};

bool ReadAll(const ReadInput& read, const Deadline& deadline, InputScan& scan) {
  InputDecoder decoder;
  std::string block(kBlock, '\0');
  while (!deadline.over()) {
    const std::size_t size = read(block.data(), block.size());
    const std::string text = decoder.Take(std::string_view(block).substr(0, size), size == 0);
    if (!scan.Add(text) || size == 0) return true;
  }
  return false;
}

}  // namespace

Result<SearchResponse> SearchInput(const SearchRequest& request, const SearchConfig& config, const ReadInput& read,
                                   const SearchOptions& options) {
  const auto checked = CheckRequest(request, config);
  if (!checked) return checked.error();
  const Deadline deadline = Deadline::After(checked->timeout_ms, options.cancel);
  const auto pattern = Pattern::Compile(SpecOf(request));
  if (!pattern) return pattern.error();
  std::optional<FuzzyPattern> fuzzy;
  std::unique_ptr<LineMatcher> matcher = std::make_unique<PatternMatcher>(*pattern, deadline);
  if (request.fuzzy) {
    fuzzy.emplace(request.pattern, static_cast<int>(*request.fuzzy), pattern->ignores_case(), request.word_regexp);
    matcher = std::make_unique<FuzzyMatcher>(*fuzzy, deadline);
  }
  SearchResponse response;
  response.pattern = request.pattern;
  InputScan scan(*checked, *matcher, options, response);
  const bool complete = ReadAll(read, deadline, scan);
  if (options.cancel.cancelled()) return Cancelled();
  scan.Finish();
  response.end = complete ? SearchEnd::kComplete : SearchEnd::kTimedOut;
  response.timed_out = !complete;
  response.notes = MakeNotes(response, *checked, response.left_out);
  return response;
}

}  // namespace forge
