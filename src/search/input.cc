#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "backend/event.h"
#include "forge/search_input.h"
#include "match/fuzzy.h"
#include "match/prefilter.h"
#include "match/stream_scan.h"
#include "match/text.h"
#include "search/content.h"
#include "search/request.h"

namespace forge {
namespace {

constexpr std::size_t kBlock = 64 * 1024;

// Standard input as the one file of an answer.
class InputScan {
 public:
  InputScan(const CheckedRequest& checked, const Prefilter& prefilter, LineMatcher& matcher, const Deadline& deadline,
            const SearchOptions& options, SearchResponse& response)
      : detail_(DetailOf(checked.request)),
        matcher_(matcher),
        deadline_(deadline),
        options_(options),
        response_(response),
        scan_(prefilter, matcher, InputLimits(checked), deadline,
              [this](const LineEvent& line) { return Take(line); }) {
    file_.path = options.show_as.value_or("");
  }

  // False if no more text is needed. A reader need not wait for a text that adds
  // nothing.
  bool Add(std::string_view piece) {
    file_.bytes += piece.size();
    return scan_.Add(piece) && !scan_.Satisfied();
  }

  bool interrupted() const { return interrupted_ || scan_.result().interrupted; }

  void Finish() {
    const ScanResult result = scan_.Finish();
    file_.matched_lines = result.matched_lines;
    file_.matches = result.matches > 0 ? result.matches : result.matched_lines;
    if (detail_.every_match && any_) file_.matches = matches_;
    response_.files_scanned = 1;
    response_.bytes_searched = file_.bytes;
    if (result.binary) response_.left_out.binary_paths = {file_.path};
    response_.left_out.binary = result.binary ? 1 : 0;
    if (std::string problem = ProblemOf(result); !problem.empty()) {
      response_.errors.push_back({file_.path, std::move(problem)});
    }
    const bool wanted = file_.matched_lines > 0 || (options_.on_any_file && !result.binary);
    if (options_.on_file && wanted) options_.on_file(file_);
  }

 private:
  static ScanLimits InputLimits(const CheckedRequest& checked) {
    ScanLimits limits = LimitsOf(checked);
    limits.max_matches = std::min(limits.max_matches, checked.max_matches);
    return limits;
  }

  bool Take(const LineEvent& line) {
    Event event;
    TextRoom own;
    interrupted_ = !ToEvent(line, detail_, matcher_, deadline_, own, event);
    if (interrupted_) return false;
    event.path = file_.path;
    matches_ += MatchesIn(event);
    any_ = true;
    if (options_.on_event) options_.on_event(event);
    if (options_.keep_events) response_.matches.push_back(std::move(event));
    return !(options_.enough && options_.enough());
  }

  const EventDetail detail_;
  LineMatcher& matcher_;
  const Deadline& deadline_;
  const SearchOptions& options_;
  SearchResponse& response_;
  StreamScan scan_;
  FileReport file_;
  std::uint64_t matches_ = 0;
  bool any_ = false;
  bool interrupted_ = false;
};

// False at the deadline.
bool ReadAll(const ReadInput& read, const Deadline& deadline, InputScan& scan) {
  TextDecoder decoder;
  std::string block(kBlock, '\0');
  while (!deadline.over()) {
    const std::size_t size = read(block.data(), block.size());
    const bool more = scan.Add(decoder.Take(std::string_view(block).substr(0, size), size == 0));
    if (!more || size == 0) return !scan.interrupted();
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
  Prefilter prefilter = Prefilter::For(*pattern);
  std::optional<FuzzyPattern> fuzzy;
  std::unique_ptr<LineMatcher> matcher = std::make_unique<PatternMatcher>(*pattern, deadline);
  if (request.fuzzy) {
    fuzzy.emplace(request.pattern, static_cast<int>(*request.fuzzy), pattern->ignores_case(), request.word_regexp);
    matcher = std::make_unique<FuzzyMatcher>(*fuzzy, deadline);
    prefilter = fuzzy->MakePrefilter();
  }
  SearchResponse response;
  response.pattern = request.pattern;
  InputScan scan(*checked, prefilter, *matcher, deadline, options, response);
  const bool complete = ReadAll(read, deadline, scan);
  if (options.cancel.cancelled()) return Cancelled();
  scan.Finish();
  response.end = complete ? SearchEnd::kComplete : SearchEnd::kTimedOut;
  response.timed_out = !complete;
  response.notes = MakeNotes(response, *checked, response.left_out);
  return response;
}

}  // namespace forge
