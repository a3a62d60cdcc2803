#include "match/event_builder.h"

#include <algorithm>
#include <utility>

namespace forge {
namespace {

// Room for the first events of a text: few have more.
constexpr std::size_t kFirstEvents = 8;

LineEnding EndingOf(const Line& line) {
  const std::size_t bytes = line.next - line.begin - line.text.size();
  return bytes == 0 ? LineEnding::kNone : bytes == 1 ? LineEnding::kLf : LineEnding::kCrLf;
}

std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

}  // namespace

bool EventBuilder::AddMatch(const Line& line, Span match) {
  if (result_.matched_lines == limits_.max_matches && !ended_) {
    result_.capped = true;
    TrailingContext(line.number);
    done_ = true;
    return false;
  }
  if (ended_ || (result_.matched_lines == 0 && IsBinary())) {
    result_.binary = true;
    done_ = true;
    return false;
  }
  ++result_.matched_lines;
  if (limits_.report != ScanReport::kLines) return limits_.report == ScanReport::kCounts;
  TrailingContext(line.number);
  LeadingContext(line);
  if (!Full()) Emit({true, line.number, line.text, match}, line);
  last_match_ = line.number;
  return !Full();
}

void EventBuilder::Flush() {
  if (limits_.report != ScanReport::kLines || result_.interrupted || ended_) return;
  if (limits_.passthru && result_.matched_lines == 0 && IsBinary()) return;
  if (!limits_.passthru) return TrailingContext(UINT64_MAX);
  while (!Full() && HasLineAfter(last_)) EmitContext(LineAfter(last_));
}

void EventBuilder::Slide(std::string_view window, std::size_t dropped) {
  text_ = window;
  dropped_ += dropped;
  last_.next = last_.next > dropped ? last_.next - dropped : 0;
}

std::uint64_t EventBuilder::StillNeeded(std::uint64_t line) const {
  return limits_.report == ScanReport::kLines ? std::min(limits_.context.before, line - 1 - last_.number) : 0;
}

bool EventBuilder::Satisfied() const {
  if (result_.matched_lines < limits_.max_matches) return false;
  return limits_.report != ScanReport::kLines || last_.number - last_match_ >= limits_.context.after;
}

ScanResult EventBuilder::Finish() {
  // Backends differ in which lines of a binary file they try. None of those
  // lines counts, so the answer is the same.
  if (result_.too_complex_lines > 0 && IsBinary()) result_.too_complex_lines = 0;
  Flush();
  return std::move(result_);
}

void EventBuilder::Emit(LineEvent event, const Line& line) {
  event.offset = dropped_ + line.begin;
  event.ending = EndingOf(line);
  last_ = line;
  ++emitted_;
  if (!take_) {
    if (result_.events.capacity() == 0) result_.events.reserve(kFirstEvents);
    result_.events.push_back(event);
  } else if (!take_(event)) {
    done_ = true;
  }
}

// The lines after the last event, up to the context's reach, the end of the
// window, or the line numbered `before`.
void EventBuilder::TrailingContext(std::uint64_t before) {
  if (last_match_ == 0) return;
  const std::uint64_t reach = SaturatingAdd(last_match_, limits_.context.after);
  while (!Full() && last_.number < reach && last_.number + 1 < before && HasLineAfter(last_)) {
    EmitContext(LineAfter(last_));
  }
}

Line EventBuilder::LineAfter(const Line& line) const {
  Line after = LineAround(text_, line.next, line.next);
  after.number = line.number + 1;
  return after;
}

void EventBuilder::LeadingContext(const Line& match) {
  const std::uint64_t room = StillNeeded(match.number);
  Line line = match;
  Line previous;
  // Goes back without keeping the lines on the way: only the first few lines
  // of a large context may fit.
  while (match.number - line.number < room && PreviousLine(text_, line, previous)) line = previous;
  for (; line.number < match.number && !Full(); line = LineAfter(line)) EmitContext(line);
}

}  // namespace forge
