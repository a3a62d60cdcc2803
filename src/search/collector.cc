#include "search/collector.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace forge {

Collector::Collector(const CheckedRequest& request, const Sandbox& sandbox, std::string folder,
                     const SearchOptions& options)
    : request_(request), sandbox_(sandbox), folder_(std::move(folder)), options_(options) {}

bool Collector::Take(FileOutcome outcome) {
  TakeAsides(std::move(outcome.asides));
  taken_ = outcome.position;
  ++reported_;
  if (!AddEvents(std::move(outcome.events), outcome.path)) return false;
  if (!outcome.error.empty()) AddError(outcome.path, std::move(outcome.error));
  left_out_.too_large += outcome.too_large ? 1 : 0;
  left_out_.binary += outcome.binary ? 1 : 0;
  left_out_.capped += outcome.capped ? 1 : 0;
  if (options_.on_progress) options_.on_progress({.done = taken_, .what = "files searched"});
  return true;
}

bool Collector::AddEvents(std::vector<Event> events, const std::string& path) {
  const std::string shown = events.empty() ? std::string() : Shown(path);
  for (Event& event : events) {
    event.path = shown;
    if (!Add(std::move(event))) return false;
  }
  return true;
}

// What an answer holds is bounded: a line may have megabytes, and a request may
// ask for millions of context lines. One line always has room.
bool Collector::Add(Event event) {
  const std::uint64_t bytes = kEventBytes + event.path.size() + event.line.size() + event.match_text.size();
  if (count_ == request_.max_results) {
    cut_ = SearchEnd::kFull;
  } else if (options_.keep_events && count_ > 0 && text_bytes_ + bytes > request_.max_answer_bytes) {
    cut_ = SearchEnd::kTooMuchText;
  } else {
    ++count_;
    if (options_.on_event) options_.on_event(event);
    if (options_.enough && options_.enough()) cut_ = SearchEnd::kStopped;
    text_bytes_ += bytes;
    if (options_.keep_events) events_.push_back(std::move(event));
  }
  return !cut_;
}

void Collector::TakeAsides(Asides asides) {
  left_out_.denied += asides.denied;
  for (Asides::Failure& failure : asides.failures) AddError(failure.path, std::move(failure.error));
}

void Collector::AddError(const std::string& path, std::string error) {
  errors_.push_back({SortKey(path), path, std::move(error)});
}

std::string Collector::Shown(const std::string& path) const {
  return LossyUtf8(sandbox_.Display(JoinPath(folder_, path)));
}

void Collector::Finish(SearchResponse& response) {
  response.matches = std::move(events_);
  // A folder's error is met where its files would be, after "folder-x". Stable: of
  // two errors of one path the first is said, however many others there are.
  std::stable_sort(errors_.begin(), errors_.end(), [](const RawError& a, const RawError& b) {
    return std::tie(a.key, a.path) < std::tie(b.key, b.path);
  });
  for (RawError& e : errors_) {
    const bool again = !response.errors.empty() && &e != errors_.data() && (&e)[-1].path == e.path;
    if (!again) response.errors.push_back({ShownName(Shown(e.path)), Sanitize(LossyUtf8(e.error))});
  }
}

}  // namespace forge
