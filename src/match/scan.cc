#include "match/scan.h"

#include <algorithm>
#include <utility>

#include "match/event_builder.h"
#include "match/line_scanner.h"
#include "pattern/format.h"

namespace forge {
namespace {

std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

// A match must lie in its line. If a searcher counts the line's ending too, we cut
// that off.
std::optional<Span> PlaceInLine(const SeenLine& seen, const Line& line) {
  if (seen.offset < line.begin || seen.offset > line.begin + line.text.size()) return std::nullopt;
  const std::size_t begin = static_cast<std::size_t>(seen.offset) - line.begin;
  const std::uint64_t end = SaturatingAdd(begin, seen.length);
  return Span{begin, std::min<std::size_t>(static_cast<std::size_t>(end), line.text.size())};
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
                    const Deadline& deadline, std::vector<LineEvent> room) {
  const TextPart all{0, text.size(), 1};
  return ScanParts(text, {&all, 1}, prefilter, matcher, limits, deadline, std::move(room));
}

ScanResult ScanParts(std::string_view text, std::span<const TextPart> parts, const Prefilter& prefilter,
                     LineMatcher& matcher, const ScanLimits& limits, const Deadline& deadline,
                     std::vector<LineEvent> room) {
  LineScanner scanner(text, matcher, limits, deadline);
  scanner.builder().result().events = std::move(room);
  for (const TextPart& part : parts) {
    if (!scanner.ScanPart(part, prefilter)) break;
  }
  return scanner.Finish();
}

ScanResult ScanSeenLines(std::string_view text, std::span<const SeenLine> seen, LineMatcher& matcher,
                         const ScanLimits& limits, const Deadline& deadline) {
  LineScanner scanner(text, matcher, limits, deadline);
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
