// Tries the lines of a text, or of parts of it, in order. See match/scan.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "match/event_builder.h"
#include "match/prefilter.h"
#include "match/scan.h"

namespace forge {

class LineScanner {
 public:
  LineScanner(std::string_view text, LineMatcher& matcher, const ScanLimits& limits, const Deadline& deadline,
              TakeLine take = {});

  // Every line of the part that the prefilter does not rule out. False when the
  // scan is over.
  bool ScanPart(const TextPart& part, const Prefilter& prefilter);

  // One line, which need not have its number yet. False when the scan is over.
  bool Take(Line line);

  // The text goes on, as for EventBuilder.
  void Slide(std::string_view window, std::size_t dropped);

  EventBuilder& builder() { return builder_; }
  const EventBuilder& builder() const { return builder_; }
  ScanResult Finish() { return builder_.Finish(); }

 private:
  bool TakeMatch(Line line, Span match);
  bool ScanOtherLines(const TextPart& part, const Prefilter& prefilter);
  bool EndOf(const Prefilter::Cursor& cursor);
  void CountMatches(const Line& line);
  bool GoOn(bool look_at_clock);
  void Number(Line& line);

  std::string_view text_;
  LineMatcher& matcher_;
  const Deadline& deadline_;
  const bool invert_;
  const bool count_each_;
  EventBuilder builder_;
  std::uint64_t lines_ = 0;
  // Lines are counted only up to those that matter: most files have none.
  std::size_t counted_bytes_ = 0;
  std::uint64_t counted_lines_ = 0;
};

}  // namespace forge
