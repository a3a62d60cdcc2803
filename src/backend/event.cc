#include "backend/event.h"

#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace forge {
namespace {

// A longer line is converted in blocks, with a look at the clock between two of them.
constexpr std::size_t kBlock = 256 * 1024;

// Where a block of about that size may end: before a byte that begins a
// character, or one that can belong to none. So each block is converted by
// itself.
std::size_t EndOfBlock(std::string_view text, std::size_t size) {
  std::size_t end = size;
  while (end < text.size() && end < size + 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) ++end;
  return end;
}

// As LossyUtf8. False if the deadline has passed: one line may be many megabytes
// of bytes that are not UTF-8.
bool ToText(std::string_view bytes, const Deadline& deadline, std::string& text) {
  while (bytes.size() > kBlock) {
    const std::size_t end = EndOfBlock(bytes, kBlock);
    text += LossyUtf8(bytes.substr(0, end));
    bytes.remove_prefix(end);
    if (deadline.over()) return false;
  }
  text = text.empty() ? LossyUtf8(bytes) : std::move(text) + LossyUtf8(bytes);
  return true;
}

// As ToText, or the bytes as they are.
bool ToShown(std::string_view bytes, bool exact, const Deadline& deadline, TextRoom& room, SharedText& shown) {
  if (exact || (bytes.size() <= kBlock && IsValidUtf8(bytes))) {
    shown = room.Copy(bytes);
    return true;
  }
  std::string text;
  if (!ToText(bytes, deadline, text)) return false;
  shown = text;
  return true;
}

// Whether no character of the line, which is UTF-8, is cut there.
bool IsBorder(std::string_view line, std::size_t at) {
  return at >= line.size() || (static_cast<unsigned char>(line[at]) & 0xC0U) != 0x80;
}

// The match in the line. Mostly it is a part of the line as it is shown.
bool ToMatchText(const LineEvent& line, bool exact, const Deadline& deadline, TextRoom& room, Event& event) {
  const Span match = line.match;
  const bool same = event.line == line.line;
  if (same && (exact || (IsBorder(line.line, match.begin) && IsBorder(line.line, match.end)))) {
    event.match_text = event.line.Part(match.begin, match.size());
    return true;
  }
  return ToShown(line.line.substr(match.begin, match.size()), exact, deadline, room, event.match_text);
}

// False at the deadline: a line may have millions of matches.
bool ToPlaces(const LineEvent& line, LineMatcher& matcher, const EventDetail& detail, const Deadline& deadline,
              Places& places) {
  constexpr std::size_t kMatchesBetweenClockReads = 256;
  Matches all(matcher, line.line);
  for (Span match; all.Next(match);) {
    if (detail.replacement) {
      places.Add(match.begin, match.end, matcher.Expand(*detail.replacement, line.line, match));
    } else {
      places.Add(match.begin, match.end);
    }
    if (places.size() % kMatchesBetweenClockReads == 0 && deadline.over()) return false;
  }
  // A matcher may know less than the searcher that found the line.
  if (!places.empty() || !line.is_match) return true;
  if (detail.replacement) {
    places.Add(line.match.begin, line.match.end, *detail.replacement);
  } else {
    places.Add(line.match.begin, line.match.end);
  }
  return true;
}

}  // namespace

bool ToEvent(const LineEvent& line, const EventDetail& detail, LineMatcher& matcher, const Deadline& deadline,
             TextRoom& room, Event& event) {
  event.type = line.is_match ? Event::Type::kMatch : Event::Type::kContext;
  event.line_number = line.line_number;
  event.offset = line.offset;
  event.ending = line.ending;
  if (!ToShown(line.line, detail.exact_bytes, deadline, room, event.line)) return false;
  if (line.is_match == detail.inverted) return true;  // the pattern does not match it
  if (detail.every_match && !ToPlaces(line, matcher, detail, deadline, event.places)) return false;
  if (!line.is_match) {
    event.column = event.places.empty() ? 0 : event.places.front().begin + 1;
    return true;
  }
  event.column = line.match.begin + 1;
  return ToMatchText(line, detail.exact_bytes, deadline, room, event);
}

std::uint64_t MatchesIn(const Event& event) { return event.type == Event::Type::kMatch ? event.places.size() : 0; }

std::string ProblemOf(const ScanResult& result) {
  const std::string first = "line " + std::to_string(result.first_too_complex);
  if (result.too_complex_lines == 0) return "";
  if (result.too_complex_lines == 1) return "the pattern is too complex for " + first + ", which was not searched";
  return "the pattern is too complex for " + std::to_string(result.too_complex_lines) + " lines (the first is " +
         first + "), which were not searched";
}

std::size_t BytesOf(const Event& event) {
  return sizeof(Event) + event.line.size() + event.match_text.size() + event.places.bytes();
}

}  // namespace forge
