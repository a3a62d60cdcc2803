// How a searcher finds the lines of a pattern: by a byte string where possible.
#pragma once

#include <string>

#include "pattern/pattern.h"

namespace forge {

struct LineFinder {
  enum class Kind { kEveryLine, kLiteral, kRegex };
  Kind kind = Kind::kEveryLine;
  std::string text;
  bool ignore_case = false;  // kLiteral only; may find more than ASCII does
  bool exact = false;        // finds exactly the lines that match
};

LineFinder FinderFor(const Pattern& pattern);

}  // namespace forge
