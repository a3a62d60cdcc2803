#include "search/fuzzy_fallback.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "search/content.h"

namespace forge {
namespace {

// FR-LSI-FUZ-02; whole words have no fuzzy meaning (G6).
bool IsLiteralSearch(const SearchRequest& request) {
  return request.fixed_strings && !request.fuzzy && !request.word_regexp;
}

// The class ok_no_matches (FR-LSI-FUZ-03, G1). Context without a match exists
// only in a truncated answer (D10), so we test for an answer without events.
bool FoundNothing(const Pass& pass) { return pass.response.end == SearchEnd::kComplete && pass.events == 0; }

// FR-LSI-FUZ-G-04
bool HasMatch(const Pass& pass) {
  return std::ranges::any_of(pass.response.matches, [](const Event& e) { return e.type == Event::Type::kMatch; });
}

// Counts Unicode scalars (G5). The pattern is valid UTF-8, so we count all
// bytes that do not continue a character.
std::int64_t Length(std::string_view pattern) {
  return std::ranges::count_if(pattern, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

// For the stats.
struct Progress {
  std::vector<std::int64_t> tried;
  std::size_t out_of_time = 0;  // levels
};

void Record(const Progress& progress, Pass& pass) {
  SearchStats& stats = *pass.response.stats;
  stats.fuzzy_levels_tried = progress.tried;
  stats.fallback_used = !progress.tried.empty();
  if (stats.fallback_used) stats.fallback_reason = FallbackReason::kLiteralNoMatches;
  if (progress.out_of_time == 0) return;
  stats.fallback_skip_reason = FallbackSkip::kBudgetExhausted;
  stats.fallback_passes_skipped = static_cast<std::int64_t>(progress.out_of_time);
}

Pass Skipped(FallbackSkip reason, Pass literal) {
  literal.response.stats->fallback_skip_reason = reason;
  return literal;
}

// This note comes first: without it, a reader would take the matches for exact
// ones.
void AddNote(const CheckedRequest& request, std::int64_t level, Pass& pass) {
  const std::string mistakes =
      Count(static_cast<std::uint64_t>(level), "mistake") + " (fuzzy " + std::to_string(level) + ")";
  SearchResponse& response = pass.response;
  response.fallback_note = HasMatch(pass) ? "no exact match; these are approximate, with up to " + mistakes + "."
                                          : "no exact match; the search with up to " + mistakes + " was not finished.";
  response.notes.insert(response.notes.begin(), response.fallback_note);
  response.content = BuildContent(response, request);
}

Result<Pass> TryLevels(const CheckedRequest& request, const std::vector<std::int64_t>& levels,
                       const FuzzyRunner& runner, Pass literal) {
  Progress progress;
  for (const std::int64_t level : levels) {
    const std::size_t left = levels.size() - progress.tried.size();
    if (runner.time_is_up()) {
      progress.out_of_time = left;
      break;
    }
    progress.tried.push_back(level);
    auto pass = runner.run(static_cast<int>(level));
    if (!pass && pass.error().kind == ErrorKind::kCancelled) return pass.error();
    if (!pass || IsFailure(pass->response.end)) break;  // G3
    if (!HasMatch(*pass) && !pass->response.timed_out) continue;
    if (!HasMatch(*pass)) progress.out_of_time = left - 1;
    AddNote(request, level, *pass);
    Record(progress, *pass);
    return pass;
  }
  Record(progress, literal);
  return literal;
}

}  // namespace

Result<Pass> FallBack(const CheckedRequest& request, const SearchConfig& config, const FuzzyRunner& runner,
                      Pass literal) {
  if (!config.fuzzy_fallback || !IsLiteralSearch(request.request) || !FoundNothing(literal)) return literal;
  if (Length(request.request.pattern) < config.fuzzy_min_pattern_len) {
    return Skipped(FallbackSkip::kPatternTooShort, std::move(literal));
  }
  if (!runner.supports_fuzzy) return Skipped(FallbackSkip::kCapabilityMissing, std::move(literal));  // B18
  return TryLevels(request, config.fuzzy_fallback_levels, runner, std::move(literal));
}

}  // namespace forge
