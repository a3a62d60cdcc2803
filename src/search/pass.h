// One run of a request over the eligible files. Most searches are one pass; the
// fuzzy fallback adds others.
#pragma once

#include "base/deadline.h"
#include "forge/search.h"

namespace forge {

struct Pass {
  SearchResponse response;  // always with stats; the configuration decides later
  // FR-LSI-EXIT-01: the class backend_error. The response holds what came
  // before the error. An error before any event is an Error, not a Pass.
  bool backend_failed = false;
  // on_event has not received its events.
  bool held = false;
};

// While a search runs, its response always has stats, and each part of the
// search fills in its own fields: the index index_*, storage_*, build_* and
// candidates_excluded; the fuzzy fallback its own. This adds the rest, or drops
// all of it where the configuration does not ask for it (`emit`). `elapsed` is
// the time of the whole search.
void FinishStats(bool emit, Clock::duration elapsed, SearchResponse& response);

}  // namespace forge
