// The limits of answers in a configuration, for callers that pass them with each
// search.
#pragma once

#include "forge/config.h"
#include "forge/search.h"

namespace forge::config {

AnswerLimits LimitsOf(const SearchConfig& config);

// Whether a configuration may have them.
bool AreAllowed(const AnswerLimits& limits);

}  // namespace forge::config
