// What the user asks for: the pattern, the globs, and how they are meant.
#pragma once

#include <string>

#include "forge/search.h"
#include "live/line_editor.h"

namespace forge::live {

struct Query {
  LineEditor pattern;
  LineEditor globs;  // separated by blanks; with a leading '!', what to leave out
  CaseMode case_mode = CaseMode::kSmart;
  bool word = false;
  bool literal = false;
  std::int64_t fuzzy = 0;  // wrong characters; 0: none

  // From the command line.
  static Query Of(const SearchRequest& request);

  // `base` has everything else.
  SearchRequest Over(SearchRequest base) const;

  void ChangeCase();   // smart, respect, ignore, smart
  void ChangeFuzzy();  // 0, 1, 2, 0
};

}  // namespace forge::live
