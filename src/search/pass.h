// One run of a request over the eligible files. Most searches are one pass; the
// fuzzy fallback adds others.
#pragma once

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

}  // namespace forge
