// Scans a text that comes in pieces: a file too large to be held, or a pipe.
//
//   StreamScan scan(prefilter, matcher, limits, deadline, [&](const LineEvent& event) { ... });
//   while (Read(piece) && scan.Add(piece)) continue;
//   ScanResult result = scan.Finish();
//
// The events are those of ScanText for the whole text, whatever the pieces are;
// `take` gets them when the piece is there that makes them certain. It holds the
// line that is not complete, and as many lines as a match may need as context
// before it.
//
// Only its end shows that a text has no NUL, and events are out before that. So
// here a NUL ends the events, and no more: the lines before its line count, and
// if a later one matches, the text is `binary`. For a file, where a NUL anywhere
// means no events, the caller looks for it first, and then says as_text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "match/line_scanner.h"

namespace forge {

class StreamScan {
 public:
  StreamScan(const Prefilter& prefilter, LineMatcher& matcher, const ScanLimits& limits, const Deadline& deadline,
             TakeLine take)
      : prefilter_(prefilter),
        looks_for_nul_(!limits.as_text),
        scanner_({}, matcher, AsText(limits), deadline, std::move(take)) {}

  // False once no later piece can change the result.
  bool Add(std::string_view piece);

  // Takes what is left as the last line. Without events: `take` has them.
  ScanResult Finish();

  const ScanResult& result() const { return scanner_.builder().result(); }
  std::size_t held() const { return window_.size(); }  // bytes
  // Later pieces can only show that there are more matches than were asked for.
  bool Satisfied() const { return scanner_.builder().Satisfied(); }

 private:
  static ScanLimits AsText(ScanLimits limits) {
    limits.as_text = true;
    return limits;
  }
  void LookForNul(std::size_t from);
  void ScanTo(std::size_t end);
  void DropBefore(std::size_t begin);
  std::size_t StartOfNeeded();

  const Prefilter& prefilter_;
  bool looks_for_nul_;
  LineScanner scanner_;
  std::string window_;
  std::size_t begin_ = 0;         // of what is still needed, in the window; before it is room to be freed
  std::uint64_t begin_line_ = 1;  // its line
  std::size_t scanned_ = 0;       // up to here; the beginning of a line
  std::uint64_t next_line_ = 1;   // its number
  bool over_ = false;
};

}  // namespace forge
