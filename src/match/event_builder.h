// Turns matching lines, given in order, into events with their context.
//
// The text may be there as a whole, or come in pieces: then the builder sees a
// window of it, which slides on. The rules are those of match/scan.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "match/lines.h"
#include "match/scan.h"

namespace forge {

class EventBuilder {
 public:
  // Without `take`, the result holds the events.
  EventBuilder(std::string_view text, const ScanLimits& limits, TakeLine take = {})
      : text_(text), limits_(limits), take_(std::move(take)) {}

  // False once no later line can change the result.
  bool AddMatch(const Line& line, Span match);

  // No line after the last match matches, up to the end of the window: emits what
  // is context for certain.
  void Flush();

  // The text goes on: the window lost `dropped` bytes at its front, and has others
  // at its end. It still holds the lines that can become context.
  void Slide(std::string_view window, std::size_t dropped);

  // No later line is an event; one that matches makes the text `binary`.
  void EndEvents() { ended_ = true; }

  // How many lines before the window's end can still become context of a match
  // that follows, if `line` is the number of the line that begins there.
  std::uint64_t StillNeeded(std::uint64_t line) const;

  ScanResult Finish();
  ScanResult& result() { return result_; }
  const ScanResult& result() const { return result_; }
  bool done() const { return done_; }

  // Nothing but a match is missing, and another match would only be one too many.
  bool Satisfied() const;

 private:
  bool Full() const { return done_ || emitted_ >= limits_.max_events; }
  bool IsBinary() const { return !limits_.as_text && text_.find('\0') != std::string_view::npos; }
  void Emit(LineEvent event, const Line& line);
  void EmitContext(const Line& line) { Emit({false, line.number, line.text, {}}, line); }
  bool HasLineAfter(const Line& line) const { return line.next < text_.size(); }
  Line LineAfter(const Line& line) const;
  void TrailingContext(std::uint64_t before);
  void LeadingContext(const Line& match);

  std::string_view text_;
  std::size_t dropped_ = 0;  // bytes of the text before text_
  const ScanLimits limits_;
  const TakeLine take_;
  ScanResult result_;
  Line last_;  // the last line emitted; number 0 before the first
  std::uint64_t last_match_ = 0;
  std::uint64_t emitted_ = 0;
  bool ended_ = false;
  bool done_ = false;
};

}  // namespace forge
