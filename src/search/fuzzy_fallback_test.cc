// The rules of the fallback, tested with invented passes. Each letter stands
// for one pass: see Made().
#include "search/fuzzy_fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Event Of(Event::Type type) { return {type, "a", 1, 1, "some text", "text"}; }

// n nothing, m a match, c context cut off at max_results, t timed out with
// nothing, T timed out with a match, e error of the backend, E such an error
// after a match, x truncated with a match, q cancelled.
Result<Pass> Made(char what, std::uint64_t files_scanned) {
  if (what == 'e') return ExecutionFailed("broken");
  if (what == 'q') return Cancelled();
  Pass pass;
  SearchResponse& response = pass.response;
  if (what == 'm' || what == 'T' || what == 'E' || what == 'x') response.matches = {Of(Event::Type::kMatch)};
  if (what == 'c') response.matches = {Of(Event::Type::kContext)};
  response.truncated = what == 'c' || what == 'x';
  response.timed_out = what == 't' || what == 'T';
  response.files_scanned = files_scanned;
  response.stats.emplace();
  response.end = what == 'E'          ? SearchEnd::kBackendFailed
                 : response.timed_out ? SearchEnd::kTimedOut
                 : response.truncated ? SearchEnd::kFull
                                      : SearchEnd::kComplete;
  pass.events = response.matches.size();
  return pass;
}

struct World {
  World() {
    config.fuzzy_fallback = true;
    request.request.pattern = "some text";
    request.request.fixed_strings = true;
  }

  // `literal` is the first pass; `script` has a letter for each further pass.
  // There is time for only so many passes.
  Result<Pass> Run(char literal, const std::string& script, std::size_t time_for = 9) {
    levels_run.clear();
    const FuzzyRunner runner = {supports_fuzzy, [&, time_for] { return levels_run.size() >= time_for; },
                                [&](int level) {
                                  levels_run.push_back(level);
                                  EXPECT_LE(levels_run.size(), script.size()) << "a pass too many";
                                  return Made(script.at(levels_run.size() - 1), 100 + levels_run.size());
                                }};
    return FallBack(request, config, runner, *Made(literal, 100));
  }

  SearchConfig config;
  CheckedRequest request;
  bool supports_fuzzy = true;
  std::vector<int> levels_run;
};

TEST(T_LSI_FUZ_01, LevelsAreTriedInOrderUpToTheFirstMatch) {
  const struct {
    std::string script;
    std::vector<std::int64_t> levels;
    std::vector<int> run;
    std::uint64_t files_scanned;  // 100 + the number of the returned pass
  } cases[] = {
      {"m", {1, 2, 3}, {1}, 101},
      {"nm", {1, 2, 3}, {1, 2}, 102},
      {"nnm", {1, 2, 3}, {1, 2, 3}, 103},
      {"nnn", {1, 2, 3}, {1, 2, 3}, 100},
      {"nm", {3, 1}, {3, 1}, 102},
      {"x", {2, 4}, {2}, 101},
      {"", {}, {}, 100},
      {"n", {4}, {4}, 100},
  };
  for (const auto& c : cases) {
    World world;
    world.config.fuzzy_fallback_levels = c.levels;
    const auto pass = world.Run('n', c.script);
    ASSERT_TRUE(pass);
    EXPECT_EQ(world.levels_run, c.run) << c.script;
    EXPECT_EQ(pass->response.files_scanned, c.files_scanned) << c.script;
    const SearchStats& stats = *pass->response.stats;
    EXPECT_EQ(stats.fuzzy_levels_tried, std::vector<std::int64_t>(c.run.begin(), c.run.end()));
    EXPECT_EQ(stats.fallback_used, !c.run.empty());
    EXPECT_EQ(stats.fallback_reason, c.run.empty() ? std::nullopt : std::optional(FallbackReason::kLiteralNoMatches));
    EXPECT_EQ(stats.fallback_skip_reason, std::nullopt);
    EXPECT_EQ(stats.fallback_passes_skipped, std::nullopt);
  }
}

TEST(T_LSI_FUZ_01, TheReaderLearnsThatMatchesAreApproximate) {
  World world;
  const auto pass = world.Run('n', "nm");
  EXPECT_THAT(pass->response.notes,
              ElementsAre("no exact match; these are approximate, with up to 2 mistakes (fuzzy 2)."));
  EXPECT_THAT(pass->response.content, HasSubstr("Note: no exact match; these are approximate"));
  EXPECT_THAT(world.Run('n', "nnn")->response.notes, IsEmpty());
}

// FR-LSI-FUZ-01, -02; G6
TEST(T_LSI_FUZ_01, OnlyALiteralSearchIsTriedAgainAndOnlyIfConfigured) {
  const std::map<std::string, std::function<void(World&)>> changes = {
      {"not configured", [](World& w) { w.config.fuzzy_fallback = false; }},
      {"regular expression", [](World& w) { w.request.request.fixed_strings = false; }},
      {"whole words", [](World& w) { w.request.request.word_regexp = true; }},
      {"fuzzy by request", [](World& w) { w.request.request.fuzzy = 1; }},
  };
  for (const auto& [name, change] : changes) {
    World world;
    change(world);
    const auto pass = world.Run('n', "");
    EXPECT_THAT(world.levels_run, IsEmpty()) << name;
    EXPECT_EQ(pass->response.stats->fallback_skip_reason, std::nullopt) << name;
  }
}

// G5: characters, not bytes.
TEST(T_LSI_FUZ_02, AShortPatternIsNotTriedAgainAndTheStatsSaySo) {
  const struct {
    std::string pattern;
    std::int64_t min;
    bool tried;
  } cases[] = {{"abcd", 4, true}, {"abc", 4, false},         {"\u00E9\u00E9\u00E9", 4, false},
               {"a", 0, true},    {"\u4E2D\u6587", 2, true}, {"\U0001F600", 2, false}};
  for (const auto& c : cases) {
    World world;
    world.request.request.pattern = c.pattern;
    world.config.fuzzy_min_pattern_len = c.min;
    const auto pass = world.Run('n', "m");
    EXPECT_EQ(!world.levels_run.empty(), c.tried) << c.pattern;
    EXPECT_EQ(pass->response.stats->fallback_skip_reason,
              c.tried ? std::nullopt : std::optional(FallbackSkip::kPatternTooShort));
    EXPECT_EQ(pass->response.stats->fallback_used, c.tried);
  }
}

// B18
TEST(T_LSI_FUZ_02, ABackendWithoutFuzzySearchIsNotAsked) {
  World world;
  world.supports_fuzzy = false;
  const auto pass = world.Run('n', "");
  EXPECT_THAT(pass->response.notes, IsEmpty());
  EXPECT_FALSE(pass->response.stats->fallback_used);
  EXPECT_EQ(pass->response.stats->fallback_reason, std::nullopt);
  EXPECT_EQ(pass->response.stats->fallback_skip_reason, FallbackSkip::kCapabilityMissing);
}

// G2
TEST(T_LSI_FUZ_03, PassesThatFindNoTimeAreSkipped) {
  const struct {
    std::string script;
    std::size_t time_for;
    bool timed_out;
    std::size_t matches;
    std::uint64_t files_scanned;
    std::optional<std::int64_t> skipped;
  } cases[] = {
      {"", 0, false, 0, 100, 3},                // none was started
      {"n", 1, false, 0, 100, 2},               // nor was the second
      {"nnn", 3, false, 0, 100, std::nullopt},  // just enough
      {"t", 9, true, 0, 101, 2},                // a pass that ends early has no answer
      {"nT", 9, true, 1, 102, std::nullopt},    // unless it has found something
      {"nnt", 9, true, 0, 103, std::nullopt},   // and nothing was left to skip
  };
  for (const auto& c : cases) {
    World world;
    const auto pass = world.Run('n', c.script, c.time_for);
    ASSERT_TRUE(pass);
    EXPECT_EQ(world.levels_run.size(), c.script.size());
    EXPECT_EQ(pass->response.timed_out, c.timed_out) << c.script;
    EXPECT_EQ(pass->response.matches.size(), c.matches) << c.script;
    EXPECT_EQ(pass->response.files_scanned, c.files_scanned) << c.script;
    EXPECT_EQ(pass->response.stats->fallback_passes_skipped, c.skipped) << c.script;
    EXPECT_EQ(pass->response.stats->fallback_skip_reason,
              c.skipped ? std::optional(FallbackSkip::kBudgetExhausted) : std::nullopt);
    EXPECT_EQ(pass->response.stats->fallback_used, !c.script.empty());
  }
}

TEST(T_LSI_FUZ_03, AnUnfinishedPassIsNotTakenForAnAnswer) {
  World world;
  EXPECT_THAT(world.Run('n', "t")->response.notes,
              ElementsAre("no exact match; the search with up to 1 mistake (fuzzy 1) was not finished."));
}

// G4
TEST(T_LSI_FUZ_04, ContextWithoutAMatchDoesNotEndTheFallback) {
  World world;
  EXPECT_EQ(world.Run('n', "cm")->response.files_scanned, 102U);
  const auto none = world.Run('n', "ccc");
  EXPECT_EQ(none->response.files_scanned, 100U) << "the literal answer";
  EXPECT_THAT(none->response.matches, IsEmpty());
  EXPECT_FALSE(none->response.truncated);
}

// G1, FR-LSI-EXIT-03
TEST(T_LSI_EXIT_01, OnlyASearchThatFoundNothingIsTriedAgain) {
  for (const char literal : {'m', 'c', 't', 'T', 'E', 'x'}) {
    World world;
    const auto pass = world.Run(literal, "");
    ASSERT_TRUE(pass);
    EXPECT_THAT(world.levels_run, IsEmpty()) << literal;
    EXPECT_EQ(pass->response.files_scanned, 100U);
    EXPECT_FALSE(pass->response.stats->fallback_used) << literal;
  }
}

// G3
TEST(T_LSI_EXIT_01, APassThatFailsLeavesTheLiteralAnswer) {
  for (const std::string script : {"e", "E", "ne", "nE"}) {
    World world;
    const auto pass = world.Run('n', script);
    ASSERT_TRUE(pass) << script;
    EXPECT_EQ(world.levels_run.size(), script.size()) << "and ends the fallback";
    EXPECT_EQ(pass->response.files_scanned, 100U) << script;
    EXPECT_THAT(pass->response.matches, IsEmpty());
    EXPECT_FALSE(IsFailure(pass->response.end));
    EXPECT_TRUE(pass->response.stats->fallback_used);
  }
}

TEST(T_LSI_EXIT_01, WhoHasGivenUpGetsNoAnswer) {
  World world;
  const auto pass = world.Run('n', "nq");
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace forge
