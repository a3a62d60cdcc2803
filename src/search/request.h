// A request with every default decided and every limit checked.
#pragma once

#include <cstdint>

#include "backend/event.h"
#include "base/size_limit.h"
#include "forge/config.h"
#include "forge/result.h"
#include "forge/search.h"
#include "match/scan.h"
#include "tree/eligibility.h"
#include "tree/git_config.h"

namespace forge {

// What an event costs in an answer, beside its text: in memory and as JSON.
inline constexpr std::uint64_t kEventBytes = 256;

struct CheckedRequest {
  SearchRequest request;  // as given
  Context context;
  std::uint64_t max_results = 0;           // events
  std::uint64_t max_matches = UINT64_MAX;  // matching lines
  std::uint64_t max_matches_per_file = 0;
  std::uint64_t max_files = 0;
  SizeLimit size_limit;
  std::int64_t timeout_ms = 0;
  std::uint64_t content_max_bytes = static_cast<std::uint64_t>(SearchConfig().content_max_bytes);
  std::uint64_t max_answer_bytes = static_cast<std::uint64_t>(SearchConfig().max_answer_bytes);
  EligibilityRules rules;
  std::shared_ptr<const GitEnvironment> git = {};  // null: the process environment
};

// BadArgs that names the field (FR-LS-VAL-02, -06, -08). The pattern and the
// path are judged by Pattern and Sandbox.
Result<CheckedRequest> CheckRequest(const SearchRequest& request, const SearchConfig& config);

PatternSpec SpecOf(const SearchRequest& request);
ScanLimits LimitsOf(const CheckedRequest& checked);
EventDetail DetailOf(const SearchRequest& request);

}  // namespace forge
