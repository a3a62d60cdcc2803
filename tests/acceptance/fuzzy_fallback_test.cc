// The fuzzy fallback as a user meets it (FR-LSI-FUZ-01 to 04).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::string> kOn = {"--set", "tools.search.fuzzy_fallback=true", "--set",
                                      "tools.search.emit_stats=true"};
const std::string kLiteral = R"("fixed_strings":true)";

class FuzzyFallback : public ::testing::TestWithParam<std::string> {
 protected:
  FuzzyFallback() {
    tree_.Write("a.c", "int mutax_lokc(void);\n");
    tree_.Write("b.c", "nothing\n");
  }
  Answer AskFor(const std::string& pattern, const std::string& fields, const std::vector<std::string>& more = kOn) {
    return SearchWith(GetParam(), tree_, Ask(pattern, fields), more);
  }
  TempTree tree_;
};

INSTANTIATE_TEST_SUITE_P(T_LSI_FUZ_01, FuzzyFallback, ::testing::Values("ugrep", "native"));

TEST_P(FuzzyFallback, FindsATypingErrorAndSaysSo) {
  const Answer answer = AskFor("mutex_lock", kLiteral);
  ASSERT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.files(), ElementsAre("a.c"));
  EXPECT_EQ(answer.json().At("/count"), "1");
  EXPECT_EQ(answer.json().At("/pattern"), "\"mutex_lock\"");
  EXPECT_EQ(answer.files_scanned(), 2);
  EXPECT_THAT(answer.content(), HasSubstr("Note: no exact match; these are approximate"));
  EXPECT_EQ(answer.json().At("/stats/fallback_reason"), "\"LITERAL_NO_MATCHES\"");
}

TEST_P(FuzzyFallback, GivesTheMatchesOfTheLevelThatFoundThem) {
  const std::string level = AskFor("mutex_lock", kLiteral).json().At("/stats/fuzzy_levels_tried/1");
  ASSERT_EQ(level, "2");
  EXPECT_EQ(AskFor("mutex_lock", kLiteral).json().At("/matches"),
            AskFor("mutex_lock", kLiteral + ",\"fuzzy\":" + level).json().At("/matches"));
}

TEST_P(FuzzyFallback, ChangesNothingWhereThereIsAMatch) {
  const Answer with = AskFor("nothing", kLiteral, {"--set", "tools.search.fuzzy_fallback=true"});
  EXPECT_EQ(with.ended().out, AskFor("nothing", kLiteral, {}).ended().out);
}

TEST_P(FuzzyFallback, ChangesNothingWhereNoLevelFindsAny) {
  const Answer with = AskFor("completely different", kLiteral, {"--set", "tools.search.fuzzy_fallback=true"});
  EXPECT_EQ(with.ended().out, AskFor("completely different", kLiteral, {}).ended().out);
}

TEST_P(FuzzyFallback, IsOffByDefaultAndForOtherSearches) {  // FR-LSI-FUZ-01, -02
  EXPECT_THAT(AskFor("mutex_lock", kLiteral, {}).files(), IsEmpty());
  EXPECT_THAT(AskFor("mutex_lock", "").files(), IsEmpty());
  EXPECT_THAT(AskFor("mutex_lock", kLiteral + R"(,"word_regexp":true)").files(), IsEmpty());
  EXPECT_THAT(AskFor("mutex_lock", kLiteral + R"(,"fuzzy":1)").files(), IsEmpty());
}

TEST(T_LSI_FUZ_02, TheStatsSayWhyTheFallbackWasSkipped) {
  TempTree tree;
  tree.Write("a", "lokc\n");
  const Answer too_short = SearchWith("native", tree, Ask("lck", kLiteral), kOn);
  EXPECT_EQ(too_short.json().At("/stats/fallback_skip_reason"), "\"PATTERN_TOO_SHORT\"");
  const Answer ripgrep = SearchWith("rg", tree, Ask("lock", kLiteral), kOn);  // B18
  ASSERT_TRUE(ripgrep.ok()) << ripgrep.message();
  EXPECT_EQ(ripgrep.json().At("/stats/fallback_skip_reason"), "\"CAPABILITY_MISSING\"");
  EXPECT_EQ(ripgrep.json().At("/stats/fallback_reason"), "null");
  EXPECT_THAT(ripgrep.content(), Not(HasSubstr("Note")));
}

// G3: a searcher that fails only when it is asked for fuzzy matches.
TEST(T_LSI_EXIT_01, AFailingFuzzyPassLeavesTheLiteralAnswer) {
  TempTree tree;
  tree.Write("a", "lokc\n");
  TempTree tools;
  tools.Write("fake",
              "#!/bin/sh\ncase \" $* \" in *' -Z'*) echo broken >&2; exit 2;; esac\nexec /usr/bin/ugrep \"$@\"\n");
  chmod(tools.Path("fake").c_str(), 0755);
  EXPECT_FALSE(SearchWith(tools.Path("fake"), tree, Ask("lock", kLiteral + R"(,"fuzzy":2)")).ok()) << "it does fail";
  const Answer answer = SearchWith(tools.Path("fake"), tree, Ask("lock", kLiteral), kOn);
  ASSERT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.files(), IsEmpty());
  EXPECT_EQ(answer.json().At("/stats/fuzzy_levels_tried"), "[1]");
}

}  // namespace
}  // namespace forge::testing
