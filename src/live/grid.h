// What a terminal shows, as a grid of cells.
//
//   Grid grid({80, 24});
//   grid.Write({.row = 0, .column = 2, .end = 80}, "text", Style::kPlain);
//   grid.Text(0);   // "  text"
//
// Pure data: a screen copies it to a terminal, a test reads it. A character that
// is two columns wide takes its cell and an empty one after it. Characters
// without a width (combining marks, control characters) are left out, so no text
// of a file can drive the terminal or shift what stands beside it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace forge::live {

struct Size {
  std::size_t columns = 80;
  std::size_t rows = 24;

  friend bool operator==(const Size&, const Size&) = default;
};

enum class Style { kPlain, kDim, kPath, kNumber, kMatch, kError, kField, kOn };

struct Cell {
  char32_t character = U' ';  // 0: the second half of the character before it
  Style style = Style::kPlain;
  bool chosen = false;  // on the line that the user has chosen

  friend bool operator==(const Cell&, const Cell&) = default;
};

// Where to write: from `column` up to, not including, `end`.
struct Span {
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t end = 0;
};

// A part of a text.
struct Bytes {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Bytes&, const Bytes&) = default;
};

struct Position {
  std::size_t row = 0;
  std::size_t column = 0;
};

class Grid {
 public:
  explicit Grid(Size size) : size_(size), cells_(size.columns * size.rows) {}

  Size size() const { return size_; }
  const Cell& at(std::size_t row, std::size_t column) const { return cells_[row * size_.columns + column]; }
  std::string Text(std::size_t row) const;  // without blanks at its end

  // Writes what fits of `text` (any bytes); a tab goes to the next multiple of
  // four from the start of the span. Bytes in one of `matches` get the style of a
  // match. Returns the column after the text.
  std::size_t Write(Span span, std::string_view text, Style style, const std::vector<Bytes>& matches = {});
  void Choose(Span span);  // marks its cells

  Position cursor = {};

 private:
  bool Put(std::size_t row, std::size_t& column, std::size_t end, char32_t character, Style style);

  const Size size_;
  std::vector<Cell> cells_;
};

// The columns that `text` takes, by the rules of Grid::Write.
std::size_t Width(std::string_view text);

}  // namespace forge::live
