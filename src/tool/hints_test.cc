#include "tool/hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::tool {
namespace {

using ::testing::ElementsAre;
using Change = Hint::Change;

TEST(HintLines, SayWhatWouldHaveMatchedAndWhere) {
  const std::vector<Hint> hints = {{Change::kOneEdit, "src/a\x1B.c", 12, "abx\n", 0},
                                   {Change::kHidden, ".ci/x", 3, "abc", 0},
                                   {Change::kNoIgnore, "build/", 0, "", 3},
                                   {Change::kHidden, ".x", 0, "", 1}};
  EXPECT_THAT(HintLines(hints),
              ElementsAre("with fuzzy = 1 there is a match: \"abx\\n\" in src/a\\u001b.c line 12.",
                          "with hidden = true there is a match: .ci/x line 3.",
                          "with no_ignore = true build/ and 2 more would be searched, too; they were not tried.",
                          "with hidden = true .x would be searched, too; it was not tried."));
  EXPECT_THAT(HintLines({hints[0]}, HintWords::kOptions),
              ElementsAre("with --fuzzy 1 there is a match: \"abx\\n\" in src/a\\u001b.c line 12."));
}

TEST(HintLines, EveryChangeHasWords) {
  for (int change = 0; change <= static_cast<int>(Change::kNoIgnore); ++change) {
    const Hint hint{static_cast<Change>(change), "a", 1, "x", 0};
    EXPECT_THAT(HintLines({hint})[0], ::testing::StartsWith("with"));
    EXPECT_THAT(HintLines({hint}, HintWords::kOptions)[0], ::testing::StartsWith("with"));
  }
}

}  // namespace
}  // namespace forge::tool
