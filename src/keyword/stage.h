// The search stage: terms in, text for a model out (REQ-KWS-001).
//
//   each term is searched by itself         case-insensitive, 10 lines around
//     more than 64 KiB of text              too broad: the search stops there
//     not a regular expression              skipped, the others go on (H2)
//   the rest is merged, most important first, while under 128 KiB; the terms
//   after that are left out
//
// Every search goes through SearchService, so the sandbox, the deny list,
// ignore rules and caps apply (H8, H9). We search each term once: from what
// each search found we know what a merged search would print.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "forge/keyword.h"
#include "forge/result.h"
#include "forge/search.h"

namespace forge::keyword {

inline constexpr std::size_t kMaxTermBytes = 64 * 1024;    // most text of one term (H13)
inline constexpr std::size_t kMaxTotalBytes = 128 * 1024;  // all together must have less

struct Gathered {
  std::string text;                          // "" if nothing matches
  std::set<std::string, std::less<>> files;  // with a hit in `text`, relative to the root
  std::vector<std::string> used;
  std::vector<SkippedTerm> skipped;
  std::vector<FileError> errors;
  std::vector<std::string> notes;  // what was not searched
};

using SearchFunction = std::function<Result<SearchResponse>(const SearchRequest&, const SearchOptions&)>;

// Searches `root`, which is `working_dir` or around it; both are absolute. Fails
// if no term can be used, and says why for each.
Result<Gathered> Gather(const SearchFunction& search, const std::vector<std::string>& terms, const std::string& root,
                        const std::string& working_dir, const Deadline& deadline);

}  // namespace forge::keyword
