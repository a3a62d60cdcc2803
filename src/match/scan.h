// Scans one text for one pattern: which lines are events of the answer.
//
// Rules: each matching line is one match event, with its leftmost match (C13);
// `context` lines around each, every line once, a match wins over context
// (D14); after max_matches no further match, and trailing context ends before
// the next line that would match, because a context line does not match (C12).
// A text with a NUL is binary and has no events; the scan looks for a NUL only
// after something matched (C11).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "match/lines.h"
#include "match/prefilter.h"
#include "pattern/pattern.h"

namespace forge {

struct ScanLimits {
  std::uint64_t max_matches = 0;
  std::uint64_t context = 0;
  std::uint64_t max_events = 0;  // more events than this would not be used
};

// How often we look at the clock (a cancel is noticed after each line). A short
// line takes less than ten milliseconds; in a long one the matcher looks itself.
inline constexpr std::uint64_t kLinesBetweenClockReads = 4;

// Decides about one line. Each thread has its own. At its deadline, kTooComplex.
class LineMatcher {
 public:
  virtual ~LineMatcher() = default;
  virtual MatchOutcome Match(std::string_view line) = 0;
};

class PatternMatcher final : public LineMatcher {
 public:
  explicit PatternMatcher(const Pattern& pattern, const Deadline& deadline = {}, const MatchTuning& tuning = {})
      : pattern_(pattern), scratch_(pattern, deadline, tuning) {}
  MatchOutcome Match(std::string_view line) override { return pattern_.Match(line, scratch_); }

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
};

// A line where an external searcher saw something. Fuzzy searchers report
// where; offsets count from the start of the text.
struct SeenLine {
  std::uint64_t line_number = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

struct ScanResult {
  std::vector<LineEvent> events;
  bool binary = false;
  bool capped = false;  // more lines match than max_matches
  // Lines that were too complex to decide: how many, and the first.
  std::uint64_t too_complex_lines = 0;
  std::uint64_t first_too_complex = 0;
  bool interrupted = false;  // the deadline passed
};

// Every line that the prefilter does not rule out.
ScanResult ScanText(std::string_view text, const Prefilter& prefilter, LineMatcher& matcher, const ScanLimits& limits,
                    const Deadline& deadline);

// Only the lines that were seen, in ascending order; all others are known not
// to match.
ScanResult ScanSeenLines(std::string_view text, std::span<const SeenLine> seen, LineMatcher& matcher,
                         const ScanLimits& limits, const Deadline& deadline);

// The seen lines are matches at the given places. Nothing if a place does not
// lie in its line: then this is not the text that was searched.
std::optional<ScanResult> TakeSeenLines(std::string_view text, std::span<const SeenLine> seen,
                                        const ScanLimits& limits);

}  // namespace forge
