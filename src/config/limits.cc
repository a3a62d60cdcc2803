#include "config/limits.h"

namespace forge::config {

AnswerLimits LimitsOf(const SearchConfig& config) {
  return {config.default_timeout, config.default_max_results, config.max_matches_per_file, config.max_files,
          config.max_file_size_bytes};
}

bool AreAllowed(const AnswerLimits& limits) {
  return limits.timeout.count() > 0 && limits.max_results > 0 && limits.max_matches_per_file > 0 &&
         limits.max_files > 0 && limits.max_file_size_bytes > 0;
}

}  // namespace forge::config
