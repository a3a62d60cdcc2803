#include "match/line_scanner.h"

#include <utility>

#include "match/count_lines.h"

namespace forge {

LineScanner::LineScanner(std::string_view text, LineMatcher& matcher, const ScanLimits& limits,
                         const Deadline& deadline, TakeLine take)
    : text_(text),
      matcher_(matcher),
      deadline_(deadline),
      invert_(limits.invert),
      count_each_(limits.count_each && !limits.invert),
      builder_(text, limits, std::move(take)) {}

// A line lies within its part, so what the prefilter finds in the part is all that
// it would find there in the whole text.
bool LineScanner::ScanPart(const TextPart& part, const Prefilter& prefilter) {
  if (invert_) return ScanOtherLines(part, prefilter);
  counted_bytes_ = part.begin;
  counted_lines_ = part.first_line - 1;
  Prefilter::Cursor cursor(prefilter, text_.substr(part.begin, part.end - part.begin), deadline_);
  const bool exact = prefilter.kind() == Prefilter::Kind::kExactLiteral;
  std::size_t from = part.begin;
  while (from < part.end) {
    const std::size_t found = cursor.Next(from - part.begin);
    if (found == std::string_view::npos) break;
    const std::size_t at = part.begin + found;
    const Line line = LineAround(text_, at, from);
    from = line.next;
    const Span match{at - line.begin, at - line.begin + prefilter.literal_size()};
    // A literal that ends in CR may be found across the line's ending.
    const bool known = exact && match.end <= line.text.size();
    if (!(known ? TakeMatch(line, match) : Take(line))) return false;
  }
  return EndOf(cursor);
}

// The lines that the pattern does not match. The prefilter shows which lines have
// to be tried; all others are among them.
bool LineScanner::ScanOtherLines(const TextPart& part, const Prefilter& prefilter) {
  const std::string_view inside = text_.substr(part.begin, part.end - part.begin);
  Prefilter::Cursor cursor(prefilter, inside, deadline_);
  const auto next = [&](std::size_t from) {
    return from < part.end ? cursor.Next(from - part.begin) : std::string_view::npos;
  };
  LineReader reader(text_.substr(0, part.end), part.begin, part.first_line);
  std::size_t place = next(part.begin);
  for (Line line; reader.Next(line);) {
    if (cursor.interrupted()) break;  // then nothing is known about the lines that follow
    const bool may_match = place != std::string_view::npos && part.begin + place < line.next;
    if (!(may_match ? Take(line) : TakeMatch(line, {}))) return false;
    if (may_match) place = next(line.next);
  }
  return EndOf(cursor);
}

bool LineScanner::EndOf(const Prefilter::Cursor& cursor) {
  if (cursor.interrupted()) builder_.result().interrupted = true;
  return !cursor.interrupted();
}

bool LineScanner::Take(Line line) {
  const MatchOutcome outcome = matcher_.Match(line.text);
  if (outcome.status == (invert_ ? MatchStatus::kMatch : MatchStatus::kNoMatch)) return GoOn(false);
  if (outcome.status != MatchStatus::kTooComplex) return TakeMatch(line, outcome.span);
  Number(line);
  if (builder_.result().too_complex_lines++ == 0) builder_.result().first_too_complex = line.number;
  return GoOn(true);  // giving up took long
}

bool LineScanner::TakeMatch(Line line, Span match) {
  Number(line);
  const std::uint64_t before = builder_.result().matched_lines;
  const bool more = builder_.AddMatch(line, match);
  if (builder_.result().matched_lines > before) CountMatches(line);
  return more && GoOn(false);
}

void LineScanner::Slide(std::string_view window, std::size_t dropped) {
  text_ = window;
  builder_.Slide(window, dropped);
}

void LineScanner::CountMatches(const Line& line) {
  if (!count_each_) return;
  Matches all(matcher_, line.text);
  for (Span match; all.Next(match);) ++builder_.result().matches;
}

bool LineScanner::GoOn(bool look_at_clock) {
  if (!look_at_clock && ++lines_ % kLinesBetweenClockReads != 0 && !deadline_.cancelled()) return true;
  builder_.result().interrupted = deadline_.over();
  return !builder_.result().interrupted;
}

void LineScanner::Number(Line& line) {
  if (line.number != 0) return;
  counted_lines_ += CountLineFeeds(text_.substr(counted_bytes_, line.begin - counted_bytes_));
  counted_bytes_ = line.begin;
  line.number = counted_lines_ + 1;
}

}  // namespace forge
