#include "live/results.h"

#include <algorithm>
#include <utility>

namespace forge::live {
namespace {

constexpr std::size_t kMostBefore = 200;  // bytes before the first match
constexpr std::size_t kMostBytes = 2000;

}  // namespace

ShortLine Shorten(const Event& event) {
  const std::size_t first = event.places.empty() ? 0 : event.places.front().begin;
  const std::size_t begin = event.line.size() > kMostBytes && first > kMostBefore ? first - kMostBefore : 0;
  ShortLine line{event.line.Part(std::min(begin, event.line.size()), kMostBytes).str(), {}};
  for (const Place& place : event.places) {
    if (place.begin < begin || place.begin - begin >= line.text.size()) continue;
    line.matches.push_back({place.begin - begin, std::min<std::size_t>(place.end - begin, line.text.size())});
  }
  return line;
}

void Results::Add(Match match) {
  const bool new_file = matches_.empty() || matches_.back().path != match.path || matches_.back().place != match.place;
  if (new_file) rows_.push_back({true, matches_.size()});
  row_of_.push_back(rows_.size());
  rows_.push_back({false, matches_.size()});
  matches_.push_back(std::move(match));
}

void Results::Clear() {
  matches_.clear();
  rows_.clear();
  row_of_.clear();
}

}  // namespace forge::live
