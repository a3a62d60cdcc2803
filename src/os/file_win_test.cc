#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/path.h"
#include "os/file.h"
#include "os/named_file.h"
#include "os/private_file.h"
#include "os/system_win.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

using ::testing::UnorderedElementsAre;

class FileWin : public ::testing::Test {
 protected:
  Fd Root() const {
    OsResult<Fd> place = OpenExactFolder(tree_.root());
    EXPECT_TRUE(place.ok()) << tree_.root() << ": " << place.error().message();
    OsResult<Fd> folder = OpenFolderBeneath(place->get(), "");
    EXPECT_TRUE(folder.ok()) << folder.error().message();
    return std::move(*folder);
  }
  std::string ReadBeneath(const std::string& relative) const {
    const OsResult<Fd> fd = OpenBeneath(Root().get(), relative);
    if (!fd.ok()) return "error " + std::to_string(fd.error().code);
    const OsResult<std::string> text = ReadSmall(fd->get(), 1 << 20);
    return text.ok() ? *text : "error " + std::to_string(text.error().code);
  }
  static std::string Error(int code) { return "error " + std::to_string(code); }

  testing::TempTree tree_;
};

TEST_F(FileWin, OpensFilesByFoldersAndNames) {
  tree_.Write("a/b/c.txt", "text");
  EXPECT_EQ(ReadBeneath("a/b/c.txt"), "text");
  EXPECT_EQ(ReadBeneath("a/./b//c.txt"), "text");
  EXPECT_EQ(ReadBeneath("a/none"), Error(ENOENT));
  EXPECT_EQ(ReadBeneath("a/../a/b/c.txt"), Error(EXDEV));
}

// "f.txt::$DATA" is f.txt to Windows, and would get past a rule for that name. The
// same goes for a backslash within one name.
TEST_F(FileWin, NoNameIsAPathOrAStream) {
  tree_.Write("a/f.txt", "text");
  for (const char* name : {"a/f.txt::$DATA", "a/f.txt:stream", "a\\f.txt"}) {
    EXPECT_EQ(ReadBeneath(name), Error(ENOENT)) << name;
  }
  const Fd root = Root();
  EXPECT_FALSE(OpenStep(root.get(), "a\\f.txt").ok());
  EXPECT_FALSE(OpenEntry(root.get(), "a\\f.txt").ok());
}

// Three bytes for a backslash or a colon, where one would do, are neither.
TEST_F(FileWin, LongFormsOfSeparatorsAreNone) {
  EXPECT_EQ(Wide("\xE0\x81\x9C"), std::wstring(3, L'\xFFFD'));
  EXPECT_EQ(Wide("\xF0\x80\x80\xBA"), std::wstring(4, L'\xFFFD'));
  EXPECT_EQ(Wide("\xF4\x90\x80\x80"), std::wstring(4, L'\xFFFD'));
  tree_.Write("a/f.txt", "text");
  EXPECT_EQ(ReadBeneath("a\xE0\x81\x9C"
                        "f.txt"),
            Error(ENOENT));
}

TEST_F(FileWin, ListsEntriesWithTheirKinds) {
  tree_.Write("file", "");
  tree_.Write("folder/inner", "");
  tree_.Write("\u00E9\U0001F600.txt", "");
  const Fd root = Root();
  for (int time = 0; time < 2; ++time) {
    std::vector<std::string> found;
    const auto entries = ListFolder(root.get());
    ASSERT_TRUE(entries.ok()) << entries.error().message();
    for (const DirEntry& entry : *entries) {
      found.push_back(entry.name + (entry.type == FileType::kDirectory ? "/" : ""));
    }
    EXPECT_THAT(found, UnorderedElementsAre("file", "folder/", "\u00E9\U0001F600.txt"));
  }
}

TEST_F(FileWin, AnEntryKeepsItsOwnSpelling) {
  tree_.Write("Folder/File.txt", "text");
  const Fd root = Root();
  const OsResult<Fd> step = OpenStep(root.get(), "fOLDER");
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(OwnName(step->get(), "fOLDER"), "Folder");
  EXPECT_EQ(*CanonicalPath(tree_.root() + "/FOLDER/file.TXT"), tree_.root() + "/Folder/File.txt");
}

TEST_F(FileWin, AChangeShowsInTheStamps) {
  tree_.Write("f", "one");
  const Fd root = Root();
  const FileInfo before = *StatEntry(root.get(), "f");
  EXPECT_EQ(before.type, FileType::kRegular);
  EXPECT_EQ(before.size, 3U);
  EXPECT_EQ(before.links, 1U);
  EXPECT_NE(before.inode, 0U);
  SetModified(tree_.Path("f"), 1'000'000'000'000'000'000);
  EXPECT_EQ(StatEntry(root.get(), "f")->mtime_ns, 1'000'000'000'000'000'000);
  tree_.Write("f", "longer");
  EXPECT_NE(*StatEntry(root.get(), "f"), before);
  EXPECT_EQ(StatEntry(root.get(), "f")->inode, before.inode);
}

// Another program holds it open: the name is still there, and nothing behind it.
TEST_F(FileWin, AFileThatIsBeingDeletedIsGone) {
  tree_.Write("f", "text");
  const OsResult<Fd> held = OpenNamed(tree_.Path("f"), DELETE | FILE_GENERIC_READ, OPEN_EXISTING, 0);
  ASSERT_TRUE(held.ok());
  FILE_DISPOSITION_INFO remove = {TRUE};
  ASSERT_NE(SetFileInformationByHandle(HandleOf(held->get()), FileDispositionInfo, &remove, sizeof remove), 0);
  EXPECT_EQ(ReadBeneath("f"), Error(ENOENT));
}

// To the system, these are devices when they stand in an ordinary path.
TEST_F(FileWin, ReservedNamesAreFilesLikeOthers) {
  for (const char* name : {"nul", "CON", "aux.txt", "com1"}) {
    ASSERT_TRUE(WriteDurably(tree_.root(), "t.tmp", name, name).ok()) << name;
    EXPECT_EQ(ReadBeneath(name), name);
    EXPECT_EQ(*ReadSmallFile(tree_.root() + "/" + name, 100), name);
    RemoveFile(tree_.root() + "/" + name);
    EXPECT_EQ(ReadBeneath(name), Error(ENOENT));
  }
}

TEST_F(FileWin, PathsMayBeLong) {
  std::string path;
  for (int i = 0; i < 12; ++i) {
    path += (i == 0 ? "" : "/") + std::string(30, static_cast<char>('a' + i));
    ASSERT_TRUE(MakePrivateFolder(tree_.root() + "/" + path).ok()) << path;
  }
  ASSERT_GT((tree_.root() + path).size(), 300U);
  ASSERT_TRUE(WriteDurably(tree_.root() + "/" + path, "t.tmp", "f.txt", "deep").ok());
  EXPECT_EQ(ReadBeneath(path + "/f.txt"), "deep");
  EXPECT_EQ(*ReadSmallFile(tree_.root() + "/" + path + "/f.txt", 100), "deep");
  // For the tree's own cleaning, which may not know long paths.
  for (RemoveFile(tree_.root() + "/" + path + "/f.txt"); !path.empty(); path = std::string(ParentPath(path))) {
    RemoveFile(tree_.root() + "/" + path);
  }
}

TEST_F(FileWin, WordsThatAreNoUtf16SurviveTheWayThereAndBack) {
  for (const std::wstring& word :
       {std::wstring(L"a\xD800"), std::wstring(L"\xDC00\xD83D\xDE00"), std::wstring(L"\xE9")}) {
    EXPECT_EQ(Wide(Bytes(word)), word);
  }
  EXPECT_EQ(Bytes(L"\xD83D\xDE00"), "\U0001F600");
}

TEST_F(FileWin, PathsForTheSystem) {
  EXPECT_EQ(ExtendedPath("C:/a/../b"), L"\\\\?\\C:\\b");
  EXPECT_EQ(ExtendedPath("//server/share/a"), L"\\\\?\\UNC\\server\\share\\a");
  EXPECT_EQ(ExtendedPath("c:\\a\\nul"), L"\\\\?\\C:\\a\\nul");
}

}  // namespace
}  // namespace forge::os
