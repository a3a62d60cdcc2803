// Scans one text for one pattern: which lines are events of the answer.
//
// Rules: each matching line is one match event, with its leftmost match (C13);
// `context` lines around each, every line once, a match wins over context
// (D14); after max_matches no further match, and trailing context ends before
// the next line that would match, because a context line does not match (C12).
// A text with a NUL is binary and has no events; the scan looks for a NUL only
// after something matched (C11).
//
// With `invert`, a line "matches" if the pattern does not match it; it has no
// place of a match. A line that is too complex to decide is neither.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "forge/search.h"
#include "match/lines.h"
#include "match/prefilter.h"
#include "pattern/pattern.h"

namespace forge {

// How many lines around a match are shown.
struct Context {
  // NOLINTNEXTLINE(google-explicit-constructor): one number means both, as in -C N
  constexpr Context(std::uint64_t both = 0) : before(both), after(both) {}
  constexpr Context(std::uint64_t lines_before, std::uint64_t lines_after) : before(lines_before), after(lines_after) {}

  std::uint64_t before;
  std::uint64_t after;
};

// What a scan is to find out about a text.
enum class ScanReport {
  kLines,
  kCounts,  // how many lines match: no events
  kFirst,   // whether a line matches: no events, and the scan ends there
};

struct ScanLimits {
  std::uint64_t max_matches = 0;
  Context context = 0;
  std::uint64_t max_events = 0;  // more events than this would not be used
  ScanReport report = ScanReport::kLines;
  bool invert = false;
  bool passthru = false;    // every other line is context, even where no line matches
  bool count_each = false;  // counts matches, not only lines
  bool as_text = false;     // a NUL is a character like any other

  // Whether a line counts that a searcher for the pattern would not report.
  bool takes_other_lines() const { return invert || passthru; }
};

// How often we look at the clock (a cancel is noticed after each line). A short
// line takes less than ten milliseconds; in a long one the matcher looks itself.
inline constexpr std::uint64_t kLinesBetweenClockReads = 4;

// Decides about one line. Each thread has its own. At its deadline, kTooComplex.
class LineMatcher {
 public:
  virtual ~LineMatcher() = default;
  virtual MatchOutcome Match(std::string_view line) = 0;
  // The first match that begins at or after `from`. A matcher that knows only one
  // match of a line finds none after the start.
  virtual MatchOutcome MatchFrom(std::string_view line, std::size_t from) {
    return from == 0 ? Match(line) : MatchOutcome{};
  }
  // The text that replaces the match that was found last (pattern/format.h).
  virtual std::string Expand(std::string_view format, std::string_view line, Span match);
};

// The matches of one line, one after the other, as ripgrep counts them: an empty
// match where another match ends is none.
class Matches {
 public:
  Matches(LineMatcher& matcher, std::string_view line) : matcher_(matcher), line_(line) {}

  bool Next(Span& match);

 private:
  LineMatcher& matcher_;
  const std::string_view line_;
  std::size_t from_ = 0;
  std::optional<std::size_t> last_end_;
};

class PatternMatcher final : public LineMatcher {
 public:
  explicit PatternMatcher(const Pattern& pattern, const Deadline& deadline = {}, const MatchTuning& tuning = {})
      : pattern_(pattern), scratch_(pattern, deadline, tuning) {}
  MatchOutcome Match(std::string_view line) override { return pattern_.Match(line, scratch_); }
  MatchOutcome MatchFrom(std::string_view line, std::size_t from) override {
    return pattern_.MatchFrom(line, from, scratch_);
  }
  std::string Expand(std::string_view format, std::string_view line, Span match) override {
    return pattern_.Expand(format, line, match, scratch_);
  }

 private:
  const Pattern& pattern_;
  Pattern::Scratch scratch_;
};

// A line of the answer; the views point into the scanned text.
struct LineEvent {
  bool is_match = false;
  std::uint64_t line_number = 0;
  std::string_view line;
  Span match;
  std::size_t offset = 0;  // of the line, in the text
  LineEnding ending = LineEnding::kNone;
};

// Gets events in order, each as soon as it is certain. The views live until it
// returns. False: no more of them are wanted.
using TakeLine = std::function<bool(const LineEvent&)>;

// A line where an external searcher saw something. Fuzzy searchers report
// where; offsets count from the start of the text.
struct SeenLine {
  std::uint64_t line_number = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

struct ScanResult {
  std::vector<LineEvent> events;
  std::uint64_t matched_lines = 0;  // up to max_matches
  std::uint64_t matches = 0;        // in those lines, with count_each
  bool binary = false;
  bool capped = false;  // more lines match than max_matches
  // Lines that were too complex to decide: how many, and the first.
  std::uint64_t too_complex_lines = 0;
  std::uint64_t first_too_complex = 0;
  bool interrupted = false;  // the deadline passed
};

// Every line that the prefilter does not rule out. `room` is memory for the events, here
// and below: an empty list that was used before.
ScanResult ScanText(std::string_view text, const Prefilter& prefilter, LineMatcher& matcher, const ScanLimits& limits,
                    const Deadline& deadline, std::vector<LineEvent> room = {});

// A part of a text that consists of whole lines.
struct TextPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t first_line = 1;  // its number

  friend bool operator==(const TextPart&, const TextPart&) = default;
};

// As ScanText, for a text of which no other line matches. The parts are in order;
// between two of them nothing is looked at but context. Not for `invert`.
ScanResult ScanParts(std::string_view text, std::span<const TextPart> parts, const Prefilter& prefilter,
                     LineMatcher& matcher, const ScanLimits& limits, const Deadline& deadline,
                     std::vector<LineEvent> room = {});

// Only the lines that were seen, in ascending order; all others are known not
// to match.
ScanResult ScanSeenLines(std::string_view text, std::span<const SeenLine> seen, LineMatcher& matcher,
                         const ScanLimits& limits, const Deadline& deadline);

// The seen lines are matches at the given places. Nothing if a place does not
// lie in its line: then this is not the text that was searched.
std::optional<ScanResult> TakeSeenLines(std::string_view text, std::span<const SeenLine> seen,
                                        const ScanLimits& limits);

}  // namespace forge
