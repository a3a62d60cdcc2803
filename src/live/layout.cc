#include "live/layout.h"

#include <algorithm>

namespace forge::live {
namespace {

constexpr std::size_t kBesideColumns = 72;  // at least
constexpr std::size_t kBelowRows = 8;       // of list and preview together, at least

void PlacePreview(Area body, Layout& layout) {
  layout.list = body;
  layout.beside = body.columns >= kBesideColumns;
  if (layout.beside) {
    layout.list.columns = (body.columns - 1) / 2;
    const std::size_t column = layout.list.columns + 1;  // after the line between them
    layout.preview = {body.row, column, body.rows, body.columns - column};
  } else if (body.rows >= kBelowRows) {
    layout.list.rows = body.rows / 2;
    const std::size_t taken = layout.list.rows + 1;
    layout.preview = {body.row + taken, 0, body.rows - taken, body.columns};
  }
}

}  // namespace

Layout LayoutFor(Size size, Wanted wanted) {
  Layout layout;
  std::size_t top = 1;
  if (wanted.globs) layout.globs = top++;
  layout.status = top++;
  std::size_t bottom = size.rows;
  if (bottom > top + 3) layout.keys = --bottom;
  if (wanted.note && bottom > top + 3) layout.note = --bottom;
  PlacePreview({top, 0, bottom - std::min(top, bottom), size.columns}, layout);
  return layout;
}

}  // namespace forge::live
