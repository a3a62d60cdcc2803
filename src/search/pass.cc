#include "search/pass.h"

#include <algorithm>
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
  // We do not use the number of files that were handed out: a search that stops
  // early has handed out more or fewer, depending on its threads.
  stats.candidates_total = response.files_scanned;
  stats.candidates_scanned = stats.candidates_total - std::min(stats.candidates_excluded, stats.candidates_total);
}

}  // namespace forge
