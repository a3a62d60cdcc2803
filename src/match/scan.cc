#include "match/scan.h"

#include <algorithm>

#include "match/count_lines.h"
#include "pattern/format.h"

namespace forge {
namespace {

std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

// Turns matching lines, given in order, into events with their context.
class EventBuilder {
 public:
  EventBuilder(std::string_view text, const ScanLimits& limits) : text_(text), limits_(limits) {}

  // False once no later line can change the result.
  bool AddMatch(const Line& line, Span match) {
    if (matches_ == limits_.max_matches) {
      result_.capped = true;
      TrailingContext(line.number);
      done_ = true;
      return false;
    }
    if (matches_ == 0 && !limits_.as_text && text_.find('\0') != std::string_view::npos) {
      result_.binary = true;
      done_ = true;
      return false;
    }
    ++matches_;
    result_.matched_lines = matches_;
    if (limits_.report != ScanReport::kLines) return limits_.report == ScanReport::kCounts;
    TrailingContext(line.number);
    LeadingContext(line);
    Emit({true, line.number, line.text, match}, line);
    last_match_ = line.number;
    return !Full();
  }

  ScanResult Finish() {
    // Backends differ in which lines of a binary file they try. None of those
    // lines counts, so the answer is the same.
    if (result_.too_complex_lines > 0 && text_.find('\0') != std::string_view::npos) result_.too_complex_lines = 0;
    if (!done_ && last_match_ > 0) TrailingContext(UINT64_MAX);
    if (limits_.passthru && limits_.report == ScanReport::kLines && matches_ == 0 && !result_.binary) EveryLine();
    if (result_.events.size() > limits_.max_events) result_.events.resize(limits_.max_events);
    return std::move(result_);
  }

  ScanResult& result() { return result_; }

 private:
  bool Full() const { return result_.events.size() >= limits_.max_events; }

  void Emit(LineEvent event, const Line& line) {
    const std::size_t end = line.begin + line.text.size();
    event.offset = line.begin;
    event.ending = text_.substr(end, line.next - end);
    result_.events.push_back(event);
    last_ = line;
  }

  void EveryLine() {
    if (!limits_.as_text && text_.find('\0') != std::string_view::npos) return;
    LineReader reader(text_);
    Line line;
    while (!Full() && reader.Next(line)) Emit({false, line.number, line.text, {}}, line);
  }

  // The lines after the last event, up to the context's reach, the end of the
  // text, or the line numbered `before`.
  void TrailingContext(std::uint64_t before) {
    if (last_match_ == 0) return;
    const std::uint64_t reach = SaturatingAdd(last_match_, limits_.context.after);
    while (!Full() && last_.number < reach && last_.number + 1 < before && last_.next < text_.size()) {
      const Line line = LineAfter(last_);
      Emit({false, line.number, line.text, {}}, line);
    }
  }

  // The text must have a line after `line`.
  Line LineAfter(const Line& line) const {
    Line after = LineAround(text_, line.next, line.next);
    after.number = line.number + 1;
    return after;
  }

  void LeadingContext(const Line& match) {
    const std::uint64_t room = std::min(limits_.context.before, match.number - last_.number - 1);
    Line line = match;
    Line previous;
    // Goes back without keeping the lines on the way: only the first few lines
    // of a large context may fit.
    while (match.number - line.number < room && PreviousLine(text_, line, previous)) line = previous;
    for (; line.number < match.number && !Full(); line = LineAfter(line)) {
      Emit({false, line.number, line.text, {}}, line);
    }
  }

  const std::string_view text_;
  const ScanLimits limits_;
  ScanResult result_;
  Line last_;  // the last line emitted; number 0 before the first
  std::uint64_t last_match_ = 0;
  std::uint64_t matches_ = 0;
  bool done_ = false;
};

class Scanner {
 public:
  Scanner(std::string_view text, LineMatcher& matcher, const ScanLimits& limits, const Deadline& deadline)
      : text_(text),
        matcher_(matcher),
        deadline_(deadline),
        invert_(limits.invert),
        count_each_(limits.count_each && !limits.invert),
        builder_(text, limits) {}

  // False when the scan is over. `line` need not have its number yet.
  bool Take(Line line) {
    const MatchOutcome outcome = matcher_.Match(line.text);
    if (outcome.status == (invert_ ? MatchStatus::kMatch : MatchStatus::kNoMatch)) return GoOn(false);
    if (outcome.status != MatchStatus::kTooComplex) return TakeMatch(line, outcome.span);
    Number(line);
    if (builder_.result().too_complex_lines++ == 0) builder_.result().first_too_complex = line.number;
    return GoOn(true);  // giving up took long
  }

  bool TakeMatch(Line line, Span match) {
    Number(line);
    const std::uint64_t before = builder_.result().matched_lines;
    const bool more = builder_.AddMatch(line, match);
    if (builder_.result().matched_lines > before) CountMatches(line);
    return more && GoOn(false);
  }

  // The lines before this part are counted already.
  void Enter(const TextPart& part) {
    counted_bytes_ = part.begin;
    counted_lines_ = part.first_line - 1;
  }

  void Interrupt() { builder_.result().interrupted = true; }

  ScanResult Finish() { return builder_.Finish(); }

 private:
  void CountMatches(const Line& line) {
    if (!count_each_) return;
    Matches all(matcher_, line.text);
    for (Span match; all.Next(match);) ++builder_.result().matches;
  }

  bool GoOn(bool look_at_clock) {
    if (!look_at_clock && ++lines_ % kLinesBetweenClockReads != 0 && !deadline_.cancelled()) return true;
    builder_.result().interrupted = deadline_.over();
    return !builder_.result().interrupted;
  }

  // Lines are counted only up to those that matter: most files have none.
  void Number(Line& line) {
    if (line.number != 0) return;
    counted_lines_ += CountLineFeeds(text_.substr(counted_bytes_, line.begin - counted_bytes_));
    counted_bytes_ = line.begin;
    line.number = counted_lines_ + 1;
  }

  const std::string_view text_;
  LineMatcher& matcher_;
  const Deadline& deadline_;
  const bool invert_;
  const bool count_each_;
  EventBuilder builder_;
  std::uint64_t lines_ = 0;
  std::size_t counted_bytes_ = 0;
  std::uint64_t counted_lines_ = 0;
};

// A match must lie in its line. If a searcher counts the line's ending too, we cut
// that off.
std::optional<Span> PlaceInLine(const SeenLine& seen, const Line& line) {
  if (seen.offset < line.begin || seen.offset > line.begin + line.text.size()) return std::nullopt;
  const std::size_t begin = static_cast<std::size_t>(seen.offset) - line.begin;
  const std::uint64_t end = SaturatingAdd(begin, seen.length);
  return Span{begin, std::min<std::size_t>(static_cast<std::size_t>(end), line.text.size())};
}

// The lines that the pattern does not match. The prefilter shows which lines have
// to be tried; all others are among them.
ScanResult ScanOtherLines(std::string_view text, const Prefilter& prefilter, LineMatcher& matcher,
                          const ScanLimits& limits, const Deadline& deadline) {
  Scanner scanner(text, matcher, limits, deadline);
  Prefilter::Cursor cursor(prefilter, text, deadline);
  LineReader reader(text);
  std::size_t place = text.empty() ? std::string_view::npos : cursor.Next(0);
  for (Line line; reader.Next(line);) {
    const bool may_match = place != std::string_view::npos && place < line.next;
    if (!(may_match ? scanner.Take(line) : scanner.TakeMatch(line, {}))) break;
    if (may_match) place = line.next < text.size() ? cursor.Next(line.next) : std::string_view::npos;
  }
  if (cursor.interrupted()) scanner.Interrupt();
  return scanner.Finish();
}

// False when the scan is over. A line lies within its part, so what the prefilter
// finds in the part is all that it would find there in the whole text.
bool ScanPart(std::string_view text, const TextPart& part, const Prefilter& prefilter, Scanner& scanner,
              const Deadline& deadline) {
  scanner.Enter(part);
  Prefilter::Cursor cursor(prefilter, text.substr(part.begin, part.end - part.begin), deadline);
  const bool exact = prefilter.kind() == Prefilter::Kind::kExactLiteral;
  std::size_t from = part.begin;
  while (from < part.end) {
    const std::size_t found = cursor.Next(from - part.begin);
    if (found == std::string_view::npos) break;
    const std::size_t at = part.begin + found;
    const Line line = LineAround(text, at, from);
    from = line.next;
    const Span match{at - line.begin, at - line.begin + prefilter.literal_size()};
    // A literal that ends in CR may be found across the line's ending.
    const bool known = exact && match.end <= line.text.size();
    if (!(known ? scanner.TakeMatch(line, match) : scanner.Take(line))) return false;
  }
  if (cursor.interrupted()) scanner.Interrupt();
  return !cursor.interrupted();
}

// Where the next character begins.
std::size_t AfterCharacter(std::string_view line, std::size_t at) {
  ++at;
  while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80) ++at;
  return at;
}

}  // namespace

std::string LineMatcher::Expand(std::string_view format, std::string_view line, Span match) {
  return ExpandFormat(format, [&](std::string_view name) {
    return AsNumber(name) == 0U ? line.substr(match.begin, match.size()) : std::string_view();
  });
}

bool Matches::Next(Span& match) {
  while (from_ <= line_.size()) {
    const MatchOutcome found = matcher_.MatchFrom(line_, from_);
    if (found.status != MatchStatus::kMatch || found.span.end < from_) return false;
    const bool empty = found.span.size() == 0;
    from_ = empty ? AfterCharacter(line_, found.span.end) : found.span.end;
    if (empty && last_end_ == found.span.end) continue;
    last_end_ = found.span.end;
    match = found.span;
    return true;
  }
  return false;
}

ScanResult ScanText(std::string_view text, const Prefilter& prefilter, LineMatcher& matcher, const ScanLimits& limits,
                    const Deadline& deadline) {
  if (limits.invert) return ScanOtherLines(text, prefilter, matcher, limits, deadline);
  Scanner scanner(text, matcher, limits, deadline);
  ScanPart(text, {0, text.size(), 1}, prefilter, scanner, deadline);
  return scanner.Finish();
}

ScanResult ScanParts(std::string_view text, std::span<const TextPart> parts, const Prefilter& prefilter,
                     LineMatcher& matcher, const ScanLimits& limits, const Deadline& deadline) {
  Scanner scanner(text, matcher, limits, deadline);
  for (const TextPart& part : parts) {
    if (!ScanPart(text, part, prefilter, scanner, deadline)) break;
  }
  return scanner.Finish();
}

ScanResult ScanSeenLines(std::string_view text, std::span<const SeenLine> seen, LineMatcher& matcher,
                         const ScanLimits& limits, const Deadline& deadline) {
  Scanner scanner(text, matcher, limits, deadline);
  LineReader reader(text);
  Line line;
  for (const SeenLine& place : seen) {
    if (!reader.NextNumber(place.line_number, line) || !scanner.Take(line)) break;
  }
  return scanner.Finish();
}

std::optional<ScanResult> TakeSeenLines(std::string_view text, std::span<const SeenLine> seen,
                                        const ScanLimits& limits) {
  EventBuilder builder(text, limits);
  LineReader reader(text);
  Line line;
  for (const SeenLine& place : seen) {
    if (!reader.NextNumber(place.line_number, line)) return std::nullopt;
    const auto match = PlaceInLine(place, line);
    if (!match) return std::nullopt;
    if (!builder.AddMatch(line, *match)) break;
  }
  return builder.Finish();
}

}  // namespace forge
