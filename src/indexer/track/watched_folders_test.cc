#include "indexer/track/watched_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::indexer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WatchedFolders, AFolderIsForgottenWithAllBelowIt) {
  WatchedFolders folders;
  folders.Add("", 1);
  folders.Add("a", 2);
  folders.Add("a/b", 3);
  folders.Add("a-b", 4);
  folders.Add("ab", 5);
  const auto forgotten = folders.Forget("a");
  EXPECT_THAT(forgotten.folders, ElementsAre("a", "a/b"));
  EXPECT_THAT(forgotten.watches, ElementsAre(2, 3));
  EXPECT_EQ(folders.size(), 3U);
  EXPECT_TRUE(folders.Contains("a-b"));
  EXPECT_FALSE(folders.Contains("a/b"));
  EXPECT_EQ(folders.FolderOf(3), std::nullopt);
}

TEST(WatchedFolders, AFolderThatWasMovedKeepsItsWatch) {
  WatchedFolders folders;
  EXPECT_EQ(folders.Add("old", 1), std::nullopt);
  EXPECT_EQ(folders.Add("old", 1), std::nullopt);
  EXPECT_EQ(folders.Add("new", 1), "old");
  EXPECT_THAT(folders.Forget("old").watches, IsEmpty());
  EXPECT_EQ(folders.FolderOf(1), "new");
}

TEST(WatchedFolders, AScanEndsWatchesThatItDidNotSee) {
  WatchedFolders folders;
  folders.Add("a", 1);
  folders.Add("b", 2);
  auto before = folders.StartScan();
  EXPECT_EQ(folders.size(), 0U);
  folders.Add("a", 1);
  EXPECT_THAT(folders.Unseen(before), ElementsAre(2));
  folders.Restore(std::move(before));
  EXPECT_EQ(folders.size(), 2U) << "if it was cut short, the next scan decides";
  EXPECT_FALSE(folders.Contains("b")) << "a search of it is not covered meanwhile";
}

}  // namespace
}  // namespace forge::indexer
