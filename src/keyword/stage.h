// The search stage: terms in, text for a model out (REQ-KWS-001).
//
//   each term is searched by itself         case-insensitive, 10 lines around
//     more than 64 KiB of text              too broad: the search stops there
//     not a regular expression              skipped, the others go on (H2)
//   what it found is merged with the terms before it while that stays under
//   128 KiB; the terms after that are left out, and not searched
//
// Every search goes through SearchService, so the sandbox, the deny list and
// ignore rules apply (H8, H9). The caps of Search do not: they would hide from
// the count of bytes how broad a term is. We search each term once: from what
// each search found we know what a merged search would print.
//
// Memory: we hold no more than 128 KiB of merged results and 64 KiB of one term.
// A line of results has five bytes or more, so a search ends after some 13,000
// lines at the latest, also within one file.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "forge/config.h"
#include "forge/keyword.h"
#include "forge/result.h"
#include "forge/search.h"

namespace forge::keyword {

inline constexpr std::size_t kMaxTermBytes = 64 * 1024;    // most text of one term (H13)
inline constexpr std::size_t kMaxTotalBytes = 128 * 1024;  // all together must have less

// Files are held in memory while they are searched, so their size has a limit. A
// larger tools.search.max_file_size_bytes wins.
inline constexpr std::int64_t kMaxFileBytes = std::int64_t{32} << 20;

// The configuration of Search for terms: without its caps, and without fuzzy
// searches of its own accord.
SearchConfig ForTerms(SearchConfig config);

struct Gathered {
  std::string text;                          // "" if nothing matches
  std::set<std::string, std::less<>> files;  // with a hit in `text`, relative to the root
  std::vector<std::string> used;
  std::vector<SkippedTerm> skipped;
  std::vector<FileError> errors;
  std::vector<std::string> notes;  // what was not searched
};

using SearchFunction = std::function<Result<SearchResponse>(const SearchRequest&, const SearchOptions&)>;

// The way from the working folder up to the root, which is `working_dir` or
// around it: "../..". Requests use it because absolute paths may be forbidden.
std::string WayTo(const std::string& root, const std::string& working_dir);

// Searches `root`, which is `working_dir` or around it; both are absolute. Fails
// if no term can be used, and says why for each.
Result<Gathered> Gather(const SearchFunction& search, const std::vector<std::string>& terms, const std::string& root,
                        const std::string& working_dir, const Deadline& deadline);

}  // namespace forge::keyword
