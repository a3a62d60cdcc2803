// A second try that allows mistakes, for plain text without a match (LSI
// section 9).
//
//   literal pass: no match  ->  fuzzy 1: no match  ->  fuzzy 2: 3 matches, returned
//
// It must never take away what a user has: it begins only after a literal pass
// that looked at everything and found nothing; it shares that pass's deadline;
// and a pass that fails changes nothing. It returns one pass as a whole, with a
// note that the matches are approximate.
#pragma once

#include <functional>

#include "forge/config.h"
#include "forge/result.h"
#include "search/pass.h"
#include "search/request.h"

namespace forge {

// What the fallback needs from a search.
struct FuzzyRunner {
  bool supports_fuzzy = false;
  std::function<bool()> time_is_up;  // the request's whole time (FR-LSI-FUZ-G-03)
  // Runs the request at this level, in the time that is left.
  std::function<Result<Pass>(int level)> run;
};

// The pass to answer with: `literal`, or the first of the configured levels
// that has a match or runs out of time (G2). The only error is Cancelled.
//
// In the stats of what is returned: fallback_used, fallback_reason and
// fuzzy_levels_tried, or fallback_skip_reason.
Result<Pass> FallBack(const CheckedRequest& request, const SearchConfig& config, const FuzzyRunner& runner,
                      Pass literal);

}  // namespace forge
