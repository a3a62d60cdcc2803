// How an answer was found, for `stats` (LSI 10.2).
//
// While a search runs, its response always has stats, and each part of the
// search fills in its own fields: the index index_*, storage_*, build_* and
// candidates_excluded; the fuzzy fallback its own. FinishStats() adds the rest,
// or drops all of it where the configuration does not ask for it.
#pragma once

#include "base/deadline.h"
#include "forge/search.h"

namespace forge {

// `emit` is emit_stats of the configuration, `elapsed` the time of the whole
// search.
void FinishStats(bool emit, Clock::duration elapsed, SearchResponse& response);

}  // namespace forge
