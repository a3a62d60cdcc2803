// One run of a request over the eligible files. Most searches are one pass; the
// fuzzy fallback adds others.
#pragma once

#include "forge/search.h"

namespace forge {

struct Pass {
  SearchResponse response;  // with stats, whatever the configuration says
  // FR-LSI-EXIT-01: the class backend_error, whose response holds what came
  // before the error. An error before any event is no Pass but an Error.
  bool backend_failed = false;
  // Its events have not been given to on_event.
  bool held = false;
};

}  // namespace forge
