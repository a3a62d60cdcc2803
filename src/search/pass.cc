#include "search/pass.h"

#include <chrono>

namespace forge {

void FinishStats(bool emit, Clock::duration elapsed, SearchResponse& response) {
  if (!emit) {
    response.stats.reset();
    return;
  }
  if (!response.stats) response.stats.emplace();
  SearchStats& stats = *response.stats;
  stats.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed);
}

}  // namespace forge
