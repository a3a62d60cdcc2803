// One run of a request over the eligible files. Most searches are one pass; the
// fuzzy fallback adds others.
#pragma once

#include <cstdint>

#include "base/deadline.h"
#include "forge/search.h"

namespace forge {

struct Pass {
  // Always with stats; the configuration decides later. After a failure
  // (FR-LSI-EXIT-01: backend_error) it holds what came before. A failure before
  // any event is an Error, not a Pass.
  SearchResponse response;
  std::uint64_t events = 0;  // also if the response does not keep them
  // on_event has not received its events.
  bool held = false;
};

// While a search runs, its response always has stats, and each part of the
// search fills in its own fields: the index index_*, storage_* and build_*; the
// pass candidates_*; the fuzzy fallback its own. This adds the rest, or drops all
// of it where the configuration does not ask for it (`emit`). `elapsed` is the
// time of the whole search.
void FinishStats(bool emit, Clock::duration elapsed, SearchResponse& response);

}  // namespace forge
