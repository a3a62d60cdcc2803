#include "search/collector.h"

#include <algorithm>
#include <tuple>
#include <utility>

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
  if (!AddEvents(std::move(outcome.events), outcome.path)) {
    truncated_ = true;
    return false;
  }
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
    if (events_.size() == request_.max_results) return false;
    event.path = shown;
    events_.push_back(std::move(event));
    if (options_.on_event) options_.on_event(events_.back());
    left_out_.stopped = options_.enough && options_.enough();
    if (left_out_.stopped) return false;
  }
  return true;
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
    if (!again) response.errors.push_back({Shown(e.path), LossyUtf8(e.error)});
  }
}

}  // namespace forge
