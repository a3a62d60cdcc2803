#include "indexer/track/former_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::indexer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FormerNames, TheFilesThatHadAName) {
  FormerNames names;
  EXPECT_FALSE(names.Knows("a"));
  EXPECT_THAT(names.Of("a", std::nullopt), IsEmpty());
  names.Remember("a", 1);
  names.Remember("a", 2);
  names.Remember("a", 1);
  EXPECT_TRUE(names.Knows("a"));
  EXPECT_THAT(names.Of("a", std::nullopt), ElementsAre(1, 2));
  EXPECT_THAT(names.Of("a", 2), ElementsAre(1)) << "the file that has the name now";
  names.NotInCatalog(1);
  EXPECT_THAT(names.Of("a", 2), IsEmpty());
  names.InCatalog(1);
  EXPECT_THAT(names.Of("a", 2), ElementsAre(1));
}

TEST(FormerNames, AreBounded) {
  FormerNames names;
  for (std::size_t i = 0; i <= FormerNames::kMost; ++i) names.Remember(std::to_string(i), i);
  EXPECT_FALSE(names.Knows("0"));
  EXPECT_TRUE(names.Knows("1"));
  for (std::uint64_t inode = 1; inode <= 100; ++inode) names.Remember("saved again and again", inode);
  EXPECT_EQ(names.Of("saved again and again", std::nullopt).size(), 16U);
  EXPECT_EQ(names.Of("saved again and again", std::nullopt).back(), 100U);
}

TEST(FormerNames, TheKernelNamesAFileWithoutANameByItsInode) {
  EXPECT_EQ(NamelessInode("#4711"), 4711U);
  EXPECT_EQ(NamelessInode("d/#4711"), 4711U);
  for (const char* other : {"", "#", "4711", "#47a", "d/#", "#-1", "#4711/x"}) {
    EXPECT_EQ(NamelessInode(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace forge::indexer
