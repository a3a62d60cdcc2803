#include "live/grid.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"

namespace forge::live {
namespace {

constexpr std::size_t kTab = 4;

// Calls take(character, offset) for each one until it returns false.
template <typename Take>
void ForEach(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = DecodeOne(text.substr(at));
    if (!take(decoded.code, at)) return;
    at += decoded.size;
  }
}

bool IsIn(std::size_t offset, const std::vector<Bytes>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Bytes& part) { return part.begin <= offset && offset < part.end; });
}

}  // namespace

std::string Grid::Text(std::size_t row) const {
  std::string out;
  for (std::size_t column = 0; column < size_.columns; ++column) {
    if (const char32_t c = at(row, column).character; c != 0) AppendUtf8(c, out);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::size_t Grid::Write(Span span, std::string_view text, Style style, const std::vector<Bytes>& matches) {
  const std::size_t end = std::min(span.end, size_.columns);
  std::size_t column = span.column;
  if (span.row >= size_.rows) return column;
  ForEach(text, [&](char32_t c, std::size_t offset) {
    const Style with = IsIn(offset, matches) ? Style::kMatch : style;
    if (c != U'\t') return Put(span.row, column, end, c, with);
    do {
      if (!Put(span.row, column, end, U' ', with)) return false;
    } while ((column - span.column) % kTab != 0);
    return true;
  });
  return column;
}

bool Grid::Put(std::size_t row, std::size_t& column, std::size_t end, char32_t character, Style style) {
  const std::size_t width = CellWidth(character);
  if (column + width > end) return false;
  for (std::size_t i = 0; i < width; ++i) {
    cells_[row * size_.columns + column++] = {i == 0 ? character : U'\0', style};
  }
  return true;
}

void Grid::Choose(Span span) {
  if (span.row >= size_.rows) return;
  for (std::size_t column = span.column; column < std::min(span.end, size_.columns); ++column) {
    cells_[span.row * size_.columns + column].chosen = true;
  }
}

std::size_t Width(std::string_view text) {
  std::size_t width = 0;
  ForEach(text, [&](char32_t c, std::size_t /*offset*/) {
    width += c == U'\t' ? kTab - width % kTab : CellWidth(c);
    return true;
  });
  return width;
}

}  // namespace forge::live
