#include "tree/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/temp_tree.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LeftOut, AWalkNotesWhatOneChangeOfTheRequestWouldAdd) {
  const testing::TempTree tree;
  tree.Write(".ignore", "out\n*.log\n");
  for (const char* path : {"a", ".h", ".d/x", ".git/config", "out/x", "src/b.log", "src/.i/y", "src/.c.log", ".env"}) {
    tree.Write(path, "");
  }
  LeftOutList list;
  testing::WalkAll(tree.root(), {.left_out = &list});
  const auto hidden = [](std::string path, bool folder) {
    return LeftOutEntry{std::move(path), folder, LeftOutBy::kHidden};
  };
  const auto ignored = [](std::string path, bool folder) {
    return LeftOutEntry{std::move(path), folder, LeftOutBy::kIgnored};
  };
  EXPECT_THAT(list.Below("", LeftOutBy::kHidden),
              ::testing::UnorderedElementsAre(hidden(".h", false), hidden(".d", true), hidden(".ignore", false),
                                              hidden("src/.i", true)));
  EXPECT_THAT(list.Below("", LeftOutBy::kIgnored),
              ::testing::UnorderedElementsAre(ignored("out", true), ignored("src/b.log", false)));
  EXPECT_THAT(list.Below("src", LeftOutBy::kIgnored), ElementsAre(ignored("b.log", false)));
}

TEST(LeftOut, TheNextListingReplacesThatOfTheFolder) {
  LeftOutList list;
  list.Replace("a", {{"a/.x", false, LeftOutBy::kHidden}});
  list.Replace("ab", {{"ab/.y", false, LeftOutBy::kHidden}});
  list.Replace("a", {{"a/.z", false, LeftOutBy::kHidden}});
  EXPECT_THAT(list.Below("a", LeftOutBy::kHidden), ElementsAre(LeftOutEntry{".z", false, LeftOutBy::kHidden}));
  list.Replace("a", {});
  EXPECT_THAT(list.Below("a", LeftOutBy::kHidden), IsEmpty());
  EXPECT_EQ(list.Below("", LeftOutBy::kHidden).size(), 1U);
}

TEST(LeftOut, IsBounded) {
  LeftOutList list;
  const std::vector<LeftOutEntry> many(LeftOutList::kMost - 1, {"x", false, LeftOutBy::kIgnored});
  list.Replace("a", many);
  list.Replace("b", many);
  EXPECT_EQ(list.Below("", LeftOutBy::kIgnored).size(), LeftOutList::kMost);
  list.Replace("a", {});
  list.Replace("c", many);
  EXPECT_EQ(list.Below("", LeftOutBy::kIgnored).size(), LeftOutList::kMost);
}

}  // namespace
}  // namespace forge
