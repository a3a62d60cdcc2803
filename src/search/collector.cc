#include "search/collector.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace forge {

Collector::Collector(const CheckedRequest& request, const Sandbox& sandbox, std::string folder,
                     const SearchOptions& options, bool named_file)
    : request_(request), sandbox_(sandbox), folder_(std::move(folder)), named_file_(named_file), options_(options) {
  // All paths are shown with one beginning, unless some lie in the working folder
  // and some beside it.
  const bool around = IsWithin(sandbox.working_dir(), folder_) && sandbox.working_dir() != folder_;
  if (around && !options.show_as) return;
  shown_folder_ = Display("x");
  shown_folder_->pop_back();
}

bool Collector::Take(FileOutcome&& outcome) {
  TakeAsides(std::move(outcome.asides));
  taken_ = outcome.position;
  ++reported_;
  bytes_ += outcome.bytes;
  if (!outcome.events.empty()) Enter(outcome.position, outcome.path);
  for (Event& event : outcome.events) {
    if (!Add(std::move(event))) return false;
  }
  whole_ = events_.size();
  AddFile(outcome);
  if (!outcome.error.empty()) AddError(outcome.path, std::move(outcome.error));
  NoteLeftOut(outcome);
  if (options_.on_progress) options_.on_progress({.done = taken_, .what = "files searched"});
  return !cut_;
}

void Collector::AddFile(const FileOutcome& outcome) {
  if (!options_.on_file) return;
  const bool searched = outcome.error.empty() && !outcome.too_large && !outcome.binary;
  if (outcome.matched_lines == 0 && !(options_.on_any_file && searched)) return;
  options_.on_file({Shown(outcome.path), outcome.matched_lines, outcome.matches, outcome.bytes});
  StopIfEnough();
}

void Collector::NoteLeftOut(const FileOutcome& outcome) {
  const auto note = [&](bool applies, std::uint64_t& count, std::vector<std::string>& paths) {
    if (!applies) return;
    ++count;
    if (paths.size() < Asides::kMostNamed) paths.push_back(Shown(outcome.path));
  };
  note(outcome.too_large, left_out_.too_large, left_out_.too_large_paths);
  note(outcome.binary, left_out_.binary, left_out_.binary_paths);
  note(outcome.capped, left_out_.capped, left_out_.capped_paths);
}

bool Collector::StopIfEnough() {
  if (options_.enough && options_.enough()) cut_ = SearchEnd::kStopped;
  return cut_.has_value();
}

void Collector::Enter(std::uint64_t position, const std::string& path) {
  if (position == position_) return;
  position_ = position;
  shown_ = SharedName(path);
  last_match_ = 0;
}

bool Collector::TakeEvent(const FileItem& file, Event&& event) {
  Enter(file.position, file.path);
  if (Add(std::move(event))) return true;
  taken_ = file.position;  // no outcome follows
  ++reported_;
  return false;
}

// After the last match there is room for its context, and for no other line.
bool Collector::HasRoomFor(const Event& event) {
  if (count_ == request_.max_results) return false;
  if (matches_ < request_.max_matches) return true;
  if (event.type == Event::Type::kMatch || last_match_ == 0) return false;
  return event.line_number - last_match_ <= request_.context.after;
}

// What an answer holds is bounded: a line may have megabytes, and a request may
// ask for millions of context lines. One line always has room.
bool Collector::Add(Event&& event) {
  event.path = shown_;
  const std::uint64_t bytes = kEventBytes + event.path.size() + event.line.size() + event.match_text.size();
  if (!HasRoomFor(event)) {
    cut_ = SearchEnd::kFull;
  } else if (options_.keep_events && count_ > 0 && text_bytes_ + bytes > request_.max_answer_bytes) {
    cut_ = SearchEnd::kTooMuchText;
  } else {
    ++count_;
    if (event.type == Event::Type::kMatch) {
      ++matches_;
      last_match_ = event.line_number;
    }
    if (options_.on_event) options_.on_event(event);
    StopIfEnough();
    text_bytes_ += bytes;
    if (options_.keep_events) events_.push_back(std::move(event));
  }
  return !cut_;
}

void Collector::TakeAsides(Asides asides) {
  left_out_.denied += asides.denied;
  for (const std::string& path : asides.denied_paths) {
    if (left_out_.denied_paths.size() < Asides::kMostNamed) left_out_.denied_paths.push_back(Shown(path));
  }
  for (Asides::Failure& failure : asides.failures) AddError(failure.path, std::move(failure.error));
}

void Collector::AddError(const std::string& path, std::string error) {
  errors_.push_back({SortKey(path), path, std::move(error)});
}

std::string Collector::Display(const std::string& path) const {
  return options_.show_as ? JoinPath(*options_.show_as, path) : sandbox_.Display(JoinPath(folder_, path));
}

// As Shown(), in memory that the events of a file share.
SharedText Collector::SharedName(const std::string& path) {
  const bool as_it_is = shown_folder_ && shown_folder_->empty() && !path.empty() && !named_file_;
  if (as_it_is && (request_.request.exact_bytes || IsValidUtf8(path))) return names_.Add(path);
  return names_.Add(Shown(path));
}

std::string Collector::Shown(const std::string& path) const {
  const bool is_named_file = named_file_ && options_.show_as;
  std::string shown = is_named_file                    ? *options_.show_as
                      : shown_folder_ && !path.empty() ? *shown_folder_ + path
                                                       : Display(path);
  return request_.request.exact_bytes || IsValidUtf8(shown) ? shown : LossyUtf8(shown);
}

void Collector::Finish(SearchResponse& response) {
  if (!cut_) events_.resize(whole_);  // D5: the deadline ended the search within a file
  response.matches = std::move(events_);
  response.bytes_searched = bytes_;
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
