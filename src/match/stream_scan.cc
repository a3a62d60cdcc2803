#include "match/stream_scan.h"

#include "match/count_lines.h"

namespace forge {

bool StreamScan::Add(std::string_view piece) {
  if (over_) return false;
  const std::size_t before = window_.size();
  window_ += piece;
  if (looks_for_nul_) LookForNul(before);
  const std::size_t last = piece.rfind('\n');
  if (last != std::string_view::npos && !over_) ScanTo(window_.size() - piece.size() + last + 1);
  return !over_;
}

// The lines before that of the first NUL are a text.
void StreamScan::LookForNul(std::size_t from) {
  const std::size_t nul = window_.find('\0', from);
  if (nul == std::string::npos) return;
  looks_for_nul_ = false;
  const std::size_t line = window_.rfind('\n', nul) + 1;  // npos + 1 is 0
  if (line > scanned_) ScanTo(line);
  scanner_.builder().EndEvents();
}

ScanResult StreamScan::Finish() {
  if (!over_ && scanned_ < window_.size()) ScanTo(window_.size());
  return scanner_.Finish();
}

// The window's lines up to `end`. Each has its ending, or is the last of the text.
void StreamScan::ScanTo(std::size_t end) {
  const std::string_view lines = std::string_view(window_).substr(0, end);
  scanner_.Slide(lines, 0);
  over_ = !scanner_.ScanPart({scanned_, end, next_line_}, prefilter_);
  if (over_) return;
  scanner_.builder().Flush();
  over_ = scanner_.builder().done();
  next_line_ += CountLineFeeds(lines.substr(scanned_));
  scanned_ = end;
  DropBefore(StartOfNeeded());
}

// Where the lines begin that may become context. What we skip or go back over has
// never more lines than the last piece, so the whole takes linear time.
std::size_t StreamScan::StartOfNeeded() {
  const std::uint64_t held = next_line_ - begin_line_;
  const std::uint64_t needed = scanner_.builder().StillNeeded(next_line_);
  if (needed == 0) return scanned_;
  std::size_t at = begin_;
  if (held - needed <= needed) {
    for (std::uint64_t i = needed; i < held; ++i) at = window_.find('\n', at) + 1;
    return at;
  }
  at = scanned_;
  for (std::uint64_t i = 0; i < needed; ++i) at = at < 2 ? 0 : window_.rfind('\n', at - 2) + 1;
  return at;
}

// Frees the room only if it is worth moving what follows.
void StreamScan::DropBefore(std::size_t begin) {
  begin_line_ = next_line_ - (begin == scanned_ ? 0 : scanner_.builder().StillNeeded(next_line_));
  begin_ = begin;
  if (begin_ < window_.size() - begin_) return;
  window_.erase(0, begin_);
  scanner_.Slide(std::string_view(window_).substr(0, scanned_ - begin_), begin_);
  scanned_ -= begin_;
  begin_ = 0;
}

}  // namespace forge
