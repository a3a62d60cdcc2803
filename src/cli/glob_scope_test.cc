#include "cli/glob_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Globs = std::vector<std::string>;

Globs Included(const std::string& folder, const std::string& glob) {
  SearchRequest request{.include_glob = {glob}};
  const bool useful = MoveGlobs(folder, request);
  EXPECT_EQ(useful, !request.include_glob.empty()) << folder << " " << glob;
  return request.include_glob;
}

TEST(GlobScope, AGlobWithoutASlashCountsAnywhere) {
  EXPECT_THAT(Included("src", "*.h"), ElementsAre("*.h"));
  EXPECT_THAT(Included("src/cli", "base/"), ElementsAre("base/"));
  EXPECT_THAT(Included("src", "*.{h,cc}"), ElementsAre("*.h", "*.cc"));
}

TEST(GlobScope, AnAnchoredGlobCountsFromTheWorkingFolder) {
  EXPECT_THAT(Included("", "src/cli/*"), ElementsAre("src/cli/*"));
  EXPECT_THAT(Included("src", "src/cli/*"), ElementsAre("/cli/*"));
  EXPECT_THAT(Included("src", "/src/*.h"), ElementsAre("/*.h"));
  EXPECT_THAT(Included("src/cli", "s*/[c]li/a?c"), ElementsAre("/a?c"));
  EXPECT_THAT(Included("src", "{src,docs}/{a,b}/x"), ElementsAre("/a/x", "/b/x"));
  EXPECT_THAT(Included("src", "docs/*"), IsEmpty());
  EXPECT_THAT(Included("src/cli", "src/*.h"), IsEmpty());
}

TEST(GlobScope, TwoStarsAreAnyFoldersOrNone) {
  EXPECT_THAT(Included("src", "**/cli/*.h"), ElementsAre("**/cli/*.h"));
  EXPECT_THAT(Included("cli", "**/cli/*.h"), ElementsAre("**/cli/*.h", "/*.h"));
  EXPECT_THAT(Included("src", "src/**"), ElementsAre("**"));
  EXPECT_THAT(Included("src/a/b", "src/**/*.h"), ElementsAre("**/*.h"));
  EXPECT_THAT(Included("src/cli", "/src/cli/"), ElementsAre("**"));
}

TEST(GlobScope, WhatIsWrongIsLeftToTheSearch) { EXPECT_THAT(Included("src", "src/[a"), ElementsAre("src/[a")); }

// The user named the folder, so it is searched.
TEST(GlobScope, AnExcludedFolderThatIsNamedIsSearched) {
  SearchRequest request{.exclude_glob = {"/src", "/src/", "src/old/", "*.o"}};
  EXPECT_TRUE(MoveGlobs("src", request));
  EXPECT_THAT(request.exclude_glob, ElementsAre("/old/", "*.o"));
}

TEST(GlobScope, CaseIsFoldedWhereItIsAskedFor) {
  SearchRequest request{.include_iglob = {"SRC/*.H"}};
  EXPECT_TRUE(MoveGlobs("src", request));
  EXPECT_THAT(request.include_iglob, ElementsAre("/*.H"));
  EXPECT_THAT(Included("src", "SRC/*.H"), IsEmpty());
}

}  // namespace
}  // namespace forge::cli
