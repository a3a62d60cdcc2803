// A text as numbered lines.
//
// A line ends at LF; the LF and one CR before it are not part of it. A text
// that does not end in LF has a last line without an ending, whose trailing CR,
// if any, is content (C9).
#pragma once

#include <cstdint>
#include <string_view>

namespace forge {

struct Line {
  std::uint64_t number = 0;  // 1-based
  std::size_t begin = 0;     // offset in the text
  std::size_t next = 0;      // offset of the following line
  std::string_view text;     // without its ending
};

// Walks forward.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}
  // From the line that begins at `begin`, which has this number.
  LineReader(std::string_view text, std::size_t begin, std::uint64_t number)
      : text_(text), pos_(begin), next_number_(number) {}

  // The line after the last one returned; false at the end.
  bool Next(Line& line);

  // The line with that number, which must be after the last one returned.
  bool NextNumber(std::uint64_t number, Line& line);

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::size_t pos_ = 0;
  std::uint64_t next_number_ = 1;
};

// The line around `offset`, without its number. `start` is where some line at
// or before it begins.
Line LineAround(std::string_view text, std::size_t offset, std::size_t start);

// The lines before `line`, nearest first; false at the start of the text.
bool PreviousLine(std::string_view text, const Line& line, Line& previous);

}  // namespace forge
