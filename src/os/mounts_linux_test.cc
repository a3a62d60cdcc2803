#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "os/mounts.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kTable =
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
    "30 22 0:25 / /home/me/tree/a\\040b\\134 rw - tmpfs tmpfs rw\n"
    "31 22 0:26 / /home/me/treetop rw - tmpfs tmpfs rw\n"
    "32 22 254:0 /srv /home/me/tree/a rw,relatime - ext4 /dev/vda rw\n"
    "33 22 0:27 / /home/me/tree rw - tmpfs tmpfs rw\n";

TEST(Mounts, OnlyThoseBelowAFolderInOrder) {
  EXPECT_THAT(ParseMounts(kTable, "/home/me/tree"), ElementsAre(Mount{"/home/me/tree/a", "32 22 254:0 /srv "},
                                                                Mount{"/home/me/tree/a b\\", "30 22 0:25 / "}));
  EXPECT_EQ(ParseMounts(kTable, "/").size(), 5U);
  for (const char* odd : {"", "\n\n", "1 2 3", "x", "1 2 3 4 /home/me/tree\\04"}) {
    EXPECT_THAT(ParseMounts(odd, "/home/me/tree"), IsEmpty()) << odd;
  }
}

TEST(Mounts, AChangeIsReportedOnce) {
  const forge::testing::TempTree tree;
  tree.MakeFolder("sub");
  auto mounts = OpenMounts();
  ASSERT_TRUE(mounts.ok()) << mounts.error().message();
  (*mounts)->Changed();
  EXPECT_FALSE((*mounts)->Changed());
  EXPECT_THAT((*mounts)->Below(tree.root()), IsEmpty());
  if (mount("none", tree.Path("sub").c_str(), "tmpfs", 0, nullptr) != 0) {
    std::printf("nothing can be mounted here: %s\n", std::strerror(errno));
    return;
  }
  EXPECT_TRUE((*mounts)->Changed());
  EXPECT_FALSE((*mounts)->Changed());
  const auto below = (*mounts)->Below(tree.root());
  ASSERT_EQ(below.size(), 1U);
  EXPECT_EQ(below[0].point, tree.Path("sub"));
  ASSERT_EQ(umount(tree.Path("sub").c_str()), 0);
  EXPECT_TRUE((*mounts)->Changed());
  EXPECT_THAT((*mounts)->Below(tree.root()), IsEmpty());
}

}  // namespace
}  // namespace forge::os
