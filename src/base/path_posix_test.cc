#include <gtest/gtest.h>

#include "base/path.h"

namespace forge {
namespace {

TEST(Path, AnAbsolutePathBeginsWithASlash) {
  EXPECT_EQ(PathRoot("/a/b"), "/");
  EXPECT_EQ(PathRoot("a/b"), "");
  EXPECT_EQ(PathRoot("C:/a"), "");
  EXPECT_EQ(BelowRoot("/a/b"), "a/b");
  EXPECT_EQ(BelowRoot("/"), "");
  EXPECT_EQ(NormalPath("/../a/../b"), "/b");
  EXPECT_EQ(NormalPath("/"), "/");
}

TEST(Path, AreComparedByComponents) {
  EXPECT_TRUE(IsWithin("/a/b", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/"));
  EXPECT_FALSE(IsWithin("/ab", "/a"));
  EXPECT_FALSE(IsWithin("/", "/a"));
  EXPECT_EQ(JoinPath("/", "a"), "/a");
  EXPECT_EQ(JoinPath("/a", ""), "/a");
  EXPECT_EQ(JoinPath("", "a"), "a");
  EXPECT_EQ(ParentPath("/a/b"), "/a");
  EXPECT_EQ(ParentPath("/a"), "/");
  EXPECT_EQ(RelativeTo("/a/b", "/a"), "b");
  EXPECT_EQ(RelativeTo("/a/b", "/"), "a/b");
}

TEST(Path, ABackslashIsALetter) { EXPECT_EQ(OwnForm("a\\b"), "a\\b"); }

}  // namespace
}  // namespace forge
