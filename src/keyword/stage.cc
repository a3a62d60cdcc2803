#include "keyword/stage.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/path.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "keyword/grep_text.h"

namespace forge::keyword {
namespace {

constexpr std::int64_t kContext = 10;

// "p:1:" and a line end.
constexpr std::size_t kShortestLine = 5;

// A term with more lines than this has more than kMaxTermBytes.
constexpr auto kMaxLines = static_cast<std::int64_t>(kMaxTermBytes / kShortestLine + 1);

std::string Quoted(std::string_view text) { return "\"" + Echo(text) + "\""; }

SearchRequest RequestFor(const std::string& term, const std::string& path, const Deadline& deadline) {
  SearchRequest request;
  request.pattern = term;
  request.path = path;
  request.case_mode = CaseMode::kInsensitive;
  request.context = kContext;
  request.max_results = kMaxLines;
  if (const int left = deadline.PollTimeout(); left >= 0)
    request.timeout = std::chrono::milliseconds(std::max(left, 1));
  return request;
}

// Runs the terms one after the other and merges what they found.
class Gatherer {
 public:
  Gatherer(const SearchFunction& search, const std::string& root, const std::string& working_dir,
           const Deadline& deadline)
      : search_(search),
        path_(WayTo(root, working_dir)),
        shown_root_(LossyUtf8(root)),
        shown_working_dir_(LossyUtf8(working_dir)),
        deadline_(deadline) {}

  Result<Gathered> Run(const std::vector<std::string>& terms) {
    for (const std::string& term : terms) {
      if (!seen_.insert(term).second) continue;
      if (deadline_.cancelled()) return Cancelled();
      if (full_) {
        SkipForRoom(term);
      } else if (deadline_.expired()) {
        Skip(term, "not searched, the time was up");
        ++late_;
      } else if (Status status = Probe(term); !status) {
        return status.error();
      }
    }
    if (gathered_.used.empty()) return NothingUsable();
    gathered_.files = hits_.Paths();
    return std::move(gathered_);
  }

 private:
  void Skip(const std::string& term, std::string reason) { gathered_.skipped.push_back({term, std::move(reason)}); }

  void SkipForRoom(const std::string& term) {
    Skip(term, "left out: with it there would be " + std::to_string(kMaxTotalBytes / 1024) + " KiB of results or more");
  }

  // Returns an error only if the whole search must end.
  Status Probe(const std::string& term) {
    GrepText text;
    SearchOptions options{.cancel = deadline_.cancel()};
    options.on_event = [&](const Event& event) {
      text.Add(Relative(event.path), event.line_number, event.type == Event::Type::kMatch, event.line);
    };
    options.enough = [&] { return text.text().size() > kMaxTermBytes; };
    auto response = search_(RequestFor(term, path_, deadline_), options);
    if (!response) {
      if (response.error().kind == ErrorKind::kCancelled) return response.error();
      TakeFailure(term, response.error());
      return {};
    }
    if (text.text().size() > kMaxTermBytes) {
      Skip(term, "too broad: more than " + std::to_string(kMaxTermBytes / 1024) + " KiB of results");
      ++broad_;
      return {};
    }
    TakeResponse(term, std::move(*response));
    return {};
  }

  void TakeFailure(const std::string& term, const Error& error) {
    Skip(term, error.message);
    if (error.kind != ErrorKind::kBadArgs) failure_ = error;
  }

  void TakeResponse(const std::string& term, SearchResponse response) {
    for (Event& event : response.matches) event.path = Relative(event.path);
    for (std::string& note : response.notes) AddNote(std::move(note));
    for (FileError& error : response.errors) {
      if (said_.insert(error.path + '\0' + error.error).second) gathered_.errors.push_back(std::move(error));
    }
    if (response.stderr_text) AddNote("the search backend said: " + Sanitize(*response.stderr_text));
    Merge(term, response.matches);
  }

  void AddNote(std::string note) {
    if (said_.insert(note).second) gathered_.notes.push_back(std::move(note));
  }

  // Adding a term only adds text. So the longest beginning of the list that
  // fits is the same as removing terms from the end until the rest fits, and
  // after the first term that does not fit none does. One term alone always
  // fits (H5).
  void Merge(const std::string& term, const std::vector<Event>& events) {
    if (!events.empty()) {
      MergedHits more = hits_;
      more.Add(events);
      std::string text = more.Text();
      full_ = text.size() >= kMaxTotalBytes;
      if (full_) return SkipForRoom(term);
      hits_ = std::move(more);
      gathered_.text = std::move(text);
    }
    gathered_.used.push_back(term);
  }

  Error NothingUsable() const {
    std::string list;
    for (const SkippedTerm& skipped : gathered_.skipped) {
      list += (list.empty() ? ": " : "; ") + Quoted(skipped.term) + " (" + skipped.reason + ")";
    }
    if (late_ == gathered_.skipped.size()) {
      return Error{.kind = ErrorKind::kTimeout, .message = "no search term could be searched in time" + list};
    }
    if (failure_) return *failure_;
    if (broad_ == 0) return BadArgs("search_terms: none of them can be searched" + list);
    return BadArgs("each of those search terms yielded too many results" + list + ". Use more specific terms.");
  }

  // The path of an event is relative to the working folder if it lies inside
  // it. ripgrep, run in the root, prints paths relative to the root.
  std::string Relative(std::string_view path) const {
    const std::string absolute = PathFrom(shown_working_dir_, path);
    return IsWithin(absolute, shown_root_) ? std::string(RelativeTo(absolute, shown_root_)) : absolute;
  }

  const SearchFunction& search_;
  const std::string path_;  // path of the root, as a request names it
  const std::string shown_root_;
  const std::string shown_working_dir_;
  const Deadline& deadline_;
  MergedHits hits_;
  bool full_ = false;
  std::set<std::string> seen_;  // terms
  std::set<std::string> said_;  // notes and errors
  std::size_t broad_ = 0;
  std::size_t late_ = 0;
  std::optional<Error> failure_;
  Gathered gathered_;
};

}  // namespace

SearchConfig ForTerms(SearchConfig config) {
  constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
  config.max_matches_per_file = kNone;
  config.max_files = kNone;
  config.max_file_size_bytes = std::max(config.max_file_size_bytes, kMaxFileBytes);
  config.fuzzy_fallback = false;
  return config;
}

std::string WayTo(const std::string& root, const std::string& working_dir) {
  std::string way;
  for (const std::string_view part : Split(RelativeTo(working_dir, root), '/')) {
    if (!part.empty()) way += way.empty() ? ".." : "/..";
  }
  return way;
}

Result<Gathered> Gather(const SearchFunction& search, const std::vector<std::string>& terms, const std::string& root,
                        const std::string& working_dir, const Deadline& deadline) {
  return Gatherer(search, root, working_dir, deadline).Run(terms);
}

}  // namespace forge::keyword
