// The plainest search that we could write: read every file, look at every line.
//
// It knows neither patterns nor globs nor ignore rules nor links, and shares no code
// with the program. So it answers only requests for plain words with everything
// in view, and says nothing about files whose text is not plain.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "forge/search.h"

namespace forge::testing {

struct NaiveAnswer {
  std::set<std::pair<std::string, std::uint64_t>> lines;  // path and line
  std::set<std::string> unknown;                          // paths that it says nothing about
};

// Whether NaiveSearch() can answer it.
bool IsPlain(const SearchRequest& request);

// `denied`: the end of names that may not be read, beside the usual ones that
// MakeTree() uses.
NaiveAnswer NaiveSearch(const std::string& root, const SearchRequest& request, const std::string& denied,
                        std::uint64_t max_file_size);

}  // namespace forge::testing
