#include <gtest/gtest.h>

#include "base/path.h"

namespace forge {
namespace {

TEST(Path, AnAbsolutePathBeginsWithADriveOrAShare) {
  EXPECT_EQ(PathRoot("C:/a/b"), "C:/");
  EXPECT_EQ(PathRoot("//server/share/a"), "//server/share/");
  EXPECT_EQ(PathRoot("//server/share"), "//server/share");
  for (const char* relative : {"a/b", "/a", "C:a", "C:", "//server", "//server/", "///a", ""}) {
    EXPECT_EQ(PathRoot(relative), "") << relative;
  }
}

TEST(Path, BackslashesBecomeSlashesAndDrivesCapitals) {
  EXPECT_EQ(OwnForm("c:\\a\\b"), "C:/a/b");
  EXPECT_EQ(OwnForm("c:"), "C:/");
  EXPECT_EQ(OwnForm("src\\main.cc"), "src/main.cc");
  EXPECT_EQ(OwnForm("\\\\?\\c:\\a"), "C:/a");
  EXPECT_EQ(OwnForm("\\\\?\\UNC\\server\\share\\a"), "//server/share/a");
}

TEST(Path, ASlashAloneIsTheTopOfTheDrive) {
  EXPECT_EQ(PathFrom("C:/a", "/b/c"), "C:/b/c");
  EXPECT_EQ(PathFrom("//server/share/a", "/b"), "//server/share/b");
  EXPECT_EQ(PathFrom(".", "/b"), "/b") << "the system knows the drive";
  EXPECT_EQ(PathFrom("C:/a", "b"), "C:/a/b");
  EXPECT_EQ(PathFrom("C:/a", "D:/b"), "D:/b");
}

TEST(Path, TheRootHasNoParent) {
  EXPECT_EQ(ParentPath("C:/a"), "C:/");
  EXPECT_EQ(ParentPath("C:/"), "C:/");
  EXPECT_EQ(ParentPath("//server/share/a"), "//server/share/");
  EXPECT_EQ(NormalPath("C:/a/../../b/./c/"), "C:/b/c");
  EXPECT_TRUE(IsWithin("C:/a", "C:/"));
}

}  // namespace
}  // namespace forge
