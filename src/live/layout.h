// Where everything stands on the screen.
//
//   80 x 24                              40 x 24
//   > pattern                            > pattern
//   in: globs          (if there are any)
//   [smart] 12 matches in 3 files        [smart] 12 matches in 3 files
//   src/a.cc       |  11 before          src/a.cc
//     12: the match|  12 the match         12: the match
//                  |  13 after           --------------------
//                  |                       11 before
//   a note             (if there is one)
//   Enter open  F1 keys  ^C quit         Enter open  F1 keys  ^C quit
#pragma once

#include <cstddef>
#include <optional>

#include "live/grid.h"

namespace forge::live {

struct Area {
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::size_t end() const { return column + columns; }
  friend bool operator==(const Area&, const Area&) = default;
};

struct Layout {
  std::size_t pattern = 0;  // rows
  std::optional<std::size_t> globs;
  std::size_t status = 0;
  Area list;
  Area preview;  // no rows: it does not fit
  bool beside = false;
  std::optional<std::size_t> note;
  std::optional<std::size_t> keys;
};

struct Wanted {
  bool globs = false;
  bool note = false;
};

Layout LayoutFor(Size size, Wanted wanted);

}  // namespace forge::live
