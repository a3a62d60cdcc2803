#include "os/file_posix.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "os/named_file.h"
#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge::os {
namespace {

// In memory, where the kernel keeps access times in any container. They lie
// before the files' last change, so that a read moves them under relatime, too.
class AccessTimes : public ::testing::Test {
 protected:
  AccessTimes() {
    setenv("TMPDIR", "/dev/shm", 1);
    tree_.emplace();
    unsetenv("TMPDIR");
    tree_->Write("sub/f", "text");
    for (const char* path : {"sub/f", "sub"}) Age(path);
  }

  void Age(const char* path) {
    const timespec times[] = {{kLongAgo, 0}, {0, UTIME_OMIT}};
    ASSERT_EQ(utimensat(AT_FDCWD, tree_->Path(path).c_str(), times, 0), 0);
  }

  time_t TimeOf(const char* path) {
    struct stat st = {};
    EXPECT_EQ(stat(tree_->Path(path).c_str(), &st), 0);
    return st.st_atime;
  }

  static constexpr time_t kLongAgo = 1'000'000'000;
  std::optional<testing::TempTree> tree_;
};

// I5
TEST_F(AccessTimes, StayWhenWeRead) {
  const auto root = OpenFolder(tree_->root());
  ASSERT_TRUE(root.ok());
  const auto folder = OpenFolderBeneath(root->get(), "sub");
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(ListFolder(folder->get()).ok());
  for (const auto& file : {OpenBeneath(root->get(), "sub/f").ok(), OpenEntry(folder->get(), "f").ok()})
    EXPECT_TRUE(file);
  const auto beneath = OpenBeneath(root->get(), "sub/f");
  EXPECT_EQ(*ReadSmall(beneath->get(), 100), "text");
  const auto entry = OpenEntry(folder->get(), "f");
  EXPECT_EQ(*ReadSmall(entry->get(), 100), "text");
  EXPECT_EQ(TimeOf("sub/f"), kLongAgo);
  EXPECT_EQ(TimeOf("sub"), kLongAgo);

  // Otherwise the test would prove nothing.
  EXPECT_EQ(*ReadSmallFile(tree_->Path("sub/f"), 100), "text");
  EXPECT_GT(TimeOf("sub/f"), kLongAgo) << "the file system keeps no access times";
}

TEST_F(AccessTimes, OfAnotherUserAreNoReasonToFail) {
  chmod(tree_->root().c_str(), 0755);
  const std::string text = testing::AsNobody([&] {
    const auto root = OpenFolder(tree_->root());
    std::string all;
    for (int i = 0; i < 3; ++i) {
      const auto file = OpenBeneath(root->get(), "sub/f");
      all += file.ok() ? *ReadSmall(file->get(), 100) : file.error().message();
    }
    return all;
  });
  EXPECT_EQ(text, "texttexttext");
}

// The way without openat2, for kernels before 5.6, knows a link as the other one does.
TEST(OpenByComponent, ALinkIsNotAFileInPlaceOfAFolder) {
  testing::TempTree tree;
  tree.Write("folder/f", "text");
  tree.Link("folder", "link");
  const auto root = OpenFolder(tree.root());
  ASSERT_TRUE(root.ok());
  const struct {
    const char* path;
    int flags;
    int error;
  } cases[] = {{"link/f", kReadFlags, ELOOP},
               {"link", kReadFlags, ELOOP},
               {"link", kReadFlags | O_DIRECTORY, ELOOP},
               {"folder/f/x", kReadFlags, ENOTDIR},
               {"folder/f", kReadFlags | O_DIRECTORY, ENOTDIR},
               {"folder/none", kReadFlags, ENOENT}};
  for (const auto& c : cases) {
    const auto opened = Wrap(OpenByComponent(root->get(), c.path, c.flags));
    ASSERT_FALSE(opened.ok()) << c.path;
    EXPECT_EQ(opened.error().code, c.error) << c.path;
  }
  EXPECT_TRUE(Wrap(OpenByComponent(root->get(), "folder/f", kReadFlags)).ok());
}

}  // namespace
}  // namespace forge::os
