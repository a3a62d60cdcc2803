#include "match/fuzzy.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

namespace forge {
namespace {

std::string Find(std::string_view pattern, int level, std::string_view line, bool fold = false, bool word = false) {
  const FuzzyPattern fuzzy(pattern, level, fold, word);
  FuzzyMatcher matcher(fuzzy);
  const MatchOutcome outcome = matcher.Match(line);
  if (outcome.status != MatchStatus::kMatch) return "(none)";
  return std::to_string(outcome.span.begin + 1) + ":" +
         std::string(line.substr(outcome.span.begin, outcome.span.size()));
}

TEST(Fuzzy, TheBestThenTheFirstThenTheLongest) {
  EXPECT_EQ(Find("memory_hotplg", 1, "x memory_hotplug y"), "3:memory_hotplug");
  EXPECT_EQ(Find("abc", 1, "ab abc"), "4:abc");
  EXPECT_EQ(Find("abc", 1, "axc abx"), "1:axc");
  EXPECT_EQ(Find("abcd", 1, "abd"), "1:abd");
  EXPECT_EQ(Find("abc", 1, "xyz"), "(none)");
  EXPECT_EQ(Find("nemory", 1, "the memory"), "5:memory");  // the first character may differ
}

TEST(Fuzzy, ATranspositionIsTwoEdits) {
  EXPECT_EQ(Find("search_index", 1, "serach_index"), "(none)");
  EXPECT_EQ(Find("search_index", 2, "serach_index"), "1:serach_index");
}

TEST(Fuzzy, CharactersCountNotBytes) {
  EXPECT_EQ(Find("caf\u00E9s", 1, "cafes"), "1:cafes");
  EXPECT_EQ(Find("cafes", 1, "un caf\u00E9s"), "4:caf\u00E9s");
  EXPECT_EQ(Find("cafes", 1, "caf\xE9s"), "1:caf\xE9s");
}

TEST(Fuzzy, CaseAndWords) {
  EXPECT_EQ(Find("abcdef", 1, "ABCxEF"), "(none)");
  EXPECT_EQ(Find("abcdef", 1, "ABCxEF", true), "1:ABCxEF");
  EXPECT_EQ(Find("probe", 1, "myprobed probes", false, true), "10:probes");
  EXPECT_EQ(Find("probe", 1, "myprobed", false, true), "(none)");
}

TEST(Fuzzy, OneCharacterMustBeRight) {
  EXPECT_EQ(Find("ab", 4, "xyz"), "(none)");
  EXPECT_EQ(Find("ab", 4, "xaz"), "2:az");
  EXPECT_EQ(Find("a", 3, "xyz"), "(none)");
}

TEST(Fuzzy, TheClockIsReadWithinALine) {
  CancelSource cancelled;
  cancelled.Cancel();
  const Deadline deadline(Clock::time_point::max(), cancelled.token());
  for (const bool word : {false, true}) {
    const FuzzyPattern fuzzy("abcdef", 1, false, word);
    FuzzyMatcher matcher(fuzzy, deadline);
    EXPECT_EQ(matcher.Match(std::string(100'000, 'x')).status, MatchStatus::kTooComplex) << word;
    EXPECT_EQ(matcher.Match("abcdef").status, MatchStatus::kMatch) << word;  // too short to look
  }
}

// Each of its characters is work for the whole pattern.
TEST(Fuzzy, TheClockIsReadEarlierForALongPattern) {
  CancelSource cancelled;
  cancelled.Cancel();
  const FuzzyPattern fuzzy(std::string(40'000, 'a'), 1, false, false);
  FuzzyMatcher matcher(fuzzy, Deadline(Clock::time_point::max(), cancelled.token()));
  EXPECT_EQ(matcher.Match(std::string(1000, 'a')).status, MatchStatus::kTooComplex);
}

// The textbook table, over all parts of the line.
std::size_t Least(std::string_view pattern, std::string_view line) {
  std::size_t best = pattern.size();
  for (std::size_t begin = 0; begin < line.size(); ++begin) {
    std::vector<std::size_t> row(pattern.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = begin; i < line.size(); ++i) {
      std::vector<std::size_t> next{row[0] + 1};
      for (std::size_t j = 1; j < row.size(); ++j) {
        next.push_back(std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (pattern[j - 1] == line[i] ? 0 : 1)}));
      }
      row = next;
      best = std::min(best, row.back());
    }
  }
  return best;
}

TEST(FuzzyProperty, FindsExactlyTheLinesWithinTheLevel) {
  EXPECT_TRUE(rc::check([] {
    const auto letter = rc::gen::element('a', 'b', 'c');
    std::string pattern = *rc::gen::nonEmpty(rc::gen::resize(8, rc::gen::container<std::string>(letter)));
    // Long patterns use other code. The filler is long enough that no match
    // ignores it.
    const bool is_long = *rc::gen::arbitrary<bool>();
    std::string line = *rc::gen::resize(12, rc::gen::container<std::string>(letter));
    if (is_long) pattern += std::string(70, 'x'), line += std::string(70, 'x');
    const int level = *rc::gen::inRange(1, 5);
    const std::size_t allowed = std::min<std::size_t>(static_cast<std::size_t>(level), pattern.size() - 1);
    RC_ASSERT((Find(pattern, level, line) != "(none)") == (Least(pattern, line) <= allowed));
  }));
}

TEST(FuzzyProperty, ThePiecesMissNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto letter = rc::gen::element('a', 'b', 'c', '\n');
    const auto pattern = *rc::gen::resize(16, rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c')));
    RC_PRE(pattern.size() >= 6);
    const FuzzyPattern fuzzy(pattern, *rc::gen::inRange(1, 5), false, false);
    const auto text = *rc::gen::resize(300, rc::gen::container<std::string>(letter));
    FuzzyMatcher matcher(fuzzy);
    const ScanLimits limits{1000, 0, 1000};
    RC_ASSERT(ScanText(text, fuzzy.MakePrefilter(), matcher, limits, Deadline()).events.size() ==
              ScanText(text, Prefilter(), matcher, limits, Deadline()).events.size());
  }));
}

}  // namespace
}  // namespace forge
