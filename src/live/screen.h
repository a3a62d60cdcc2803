// A terminal that shows a grid of cells and reports keys. The terminal library is
// behind it, in one file: screen_ncurses.cc. Where that library is missing, CMake
// takes screen_none.cc, and `live` says so.
//
// ncurses, because it is kept since 1993, is on every Unix, sends only what has
// changed (so nothing flickers, and a slow line is enough), knows the terminals,
// and PDCurses has its interface for Windows. We looked at notcurses (graphics and
// video that nobody needs here) and termbox2 (not in Debian).
#pragma once

#include <memory>
#include <optional>

#include "forge/result.h"
#include "live/grid.h"
#include "live/key.h"

namespace forge::live {

class Screen {
 public:
  virtual ~Screen() = default;

  // The size now; what is drawn next must have it.
  virtual Size size() = 0;
  virtual void Show(const Grid& grid) = 0;
  // A key that was pressed and not taken; does not wait.
  virtual std::optional<Key> NextKey() = 0;
  // Gives the terminal to another program; Return() takes it back.
  virtual void Leave() = 0;
  virtual void Return() = 0;
  virtual void Suspend() = 0;  // as ^Z
};

struct ScreenOptions {
  bool color = true;
};

// Takes the terminal behind standard input and output until it is destroyed.
// There may be only one. Fails where there is no terminal, or none that can
// place a cursor.
Result<std::unique_ptr<Screen>> OpenScreen(const ScreenOptions& options);

}  // namespace forge::live
