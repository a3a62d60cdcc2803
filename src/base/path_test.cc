#include "base/path.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

TEST(Path, NormalMeansNoDotsAndNoSlashTooMany) {
  EXPECT_EQ(NormalPath("a//b/./c/"), "a/b/c");
  EXPECT_EQ(NormalPath("a/../b"), "b");
  EXPECT_EQ(NormalPath("../a"), "../a");
  EXPECT_EQ(NormalPath("a/../../b"), "../b");
  EXPECT_EQ(NormalPath("."), "");
  EXPECT_EQ(NormalPath(""), "");
}

TEST(Path, NamesAndFolders) {
  EXPECT_EQ(LastName("a/b"), "b");
  EXPECT_EQ(LastName("b"), "b");
  EXPECT_EQ(ParentPath("a/b"), "a");
  EXPECT_EQ(ParentPath("b"), "");
}

}  // namespace
}  // namespace forge
