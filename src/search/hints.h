// What would have matched, when a search found nothing.
//
//   kmallc_array      one wrong character: kmalloc_array, include/linux/slab.h line 650
//
// A model that gets "no matches" gives up or guesses; usually its pattern was
// nearly right. So we try the request with one thing changed at a time, in the order
// of what helps most, each for a single match:
//
//   one wrong character, other case, plain text or expression, parts of words,
//   without path, globs, types; below the folder; hidden files, ignored files
//
// A try must not cost what a search costs. It takes the index as the search left
// it, and reads only what the index cannot exclude. Hidden and ignored files are
// not in the index: the listings have noted them (tree/left_out.h), and only they
// are read. All tries together have a budget, and each a share of it: the first
// half, the others what is left in equal parts. What there was no time for is not
// claimed.
//
// Rejected: a second of searching as for a request. On 78,000 files `hidden` alone
// used it up, and one wrong character, which comes last there, was never tried.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "forge/search.h"

namespace forge {

// With a catalog in place of a walk, and without.
inline constexpr std::chrono::milliseconds kWarmHintTime{14};
inline constexpr std::chrono::milliseconds kHintTime{80};

struct HintTry {
  Hint::Change change;
  SearchRequest request;
};

// What one change leads to, in order. `names_file`: the request names a file, to
// which rules for folders do not apply. `fuzzy_tried`: the search was one with
// mistakes, too.
std::vector<HintTry> HintTries(const SearchRequest& request, bool names_file, bool fuzzy_tried);

struct TryResult {
  std::optional<Event> match = {};
  // Only for kHidden and kNoIgnore: how many entries there was no time for, and the
  // first of them.
  std::uint64_t untried = 0;
  std::string first_untried = {};
};

// Tries them all. `look` ends at its deadline; when there is no time left at all,
// it is asked only what it can say without looking.
std::vector<Hint> FindHints(const std::vector<HintTry>& tries, const Deadline& deadline,
                            const std::function<TryResult(const HintTry&, const Deadline&)>& look);

}  // namespace forge
