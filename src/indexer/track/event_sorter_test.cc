#include "indexer/track/event_sorter.h"

#include <gtest/gtest.h>

namespace forge::indexer {
namespace {

using Kind = os::WatchEvent::Kind;

constexpr os::WatchId kRoot = 1;
constexpr os::WatchId kFolder = 2;

// The root, and a folder "a" with the file "x".
class EventSorterTest : public ::testing::Test {
 protected:
  EventSorterTest() : catalog_({FileRow("a/x", {})}) {
    watched_.Add("", kRoot);
    watched_.Add("a", kFolder);
  }

  void Push(Kind kind, os::WatchId watch, const std::string& name, bool is_folder = false) {
    backlog_.events.push_back({.kind = kind, .watch = watch, .name = name, .is_folder = is_folder});
  }
  TurnEnd Sort(const Turn& turn = {}) {
    CatalogEdits edits(catalog_, changes_, former_);
    const TurnEnd end = sorter_.Sort(turn, backlog_, edits);
    edits.Finish();
    return end;
  }
  // "relist a: new x; written a/y"
  std::string Shown() const {
    std::string out;
    for (const auto& [folder, names] : backlog_.relist) {
      out += "relist " + folder + ":";
      for (const std::string& name : names) out += " " + name;
      out += "; ";
    }
    for (const auto& [path, certain] : backlog_.written) out += "written " + path + (certain ? " (gone); " : "; ");
    for (const index::CatalogRow& row : changes_.rows) out += "changed " + row.path + "; ";
    return out;
  }

  index::Catalog catalog_;
  WatchedFolders watched_;
  FormerNames former_;
  EventSorter sorter_{watched_, former_, false};
  Backlog backlog_;
  TreeChanges changes_;
};

TEST_F(EventSorterTest, AWriteToAKnownFileNeedsNoListing) {
  Push(Kind::kChanged, kFolder, "x");
  EXPECT_EQ(Sort(), TurnEnd::kDone);
  EXPECT_EQ(Shown(), "changed a/x; ");
}

TEST_F(EventSorterTest, WhatCameOrWentIsListedOnceForItsFolder) {
  Push(Kind::kCreated, kFolder, "new");
  Push(Kind::kRemoved, kFolder, "x");
  Push(Kind::kCreated, kRoot, "b", true);
  Sort();
  EXPECT_EQ(Shown(), "relist : b; relist a: new x; ");
}

TEST_F(EventSorterTest, AWriteUnderANameThatIsGoneIsKeptForLater) {
  Push(Kind::kRemoved, kFolder, "y");
  Push(Kind::kChanged, kFolder, "y");
  Sort();
  EXPECT_EQ(Shown(), "relist a: y; written a/y (gone); ");
}

TEST_F(EventSorterTest, ARuleFileIsMoreThanAFile) {
  Push(Kind::kCreated, kFolder, ".gitignore");
  Sort();
  EXPECT_TRUE(changes_.rules_changed);
}

TEST_F(EventSorterTest, AnOverflowLeavesNothingToTrust) {
  Push(Kind::kOverflow, -1, "");
  Sort();
  EXPECT_TRUE(changes_.overflow);
}

TEST_F(EventSorterTest, AnEventOfAFolderThatIsNoLongerWatchedSaysNothing) {
  Push(Kind::kCreated, 99, "new");
  Sort();
  EXPECT_EQ(Shown(), "");
}

TEST_F(EventSorterTest, ATurnThatIsOverLeavesTheRestOfTheEvents) {
  for (int i = 0; i < 100; ++i) Push(Kind::kCreated, kFolder, std::to_string(i));
  EXPECT_EQ(Sort({Deadline::After(0), nullptr}), TurnEnd::kTooShort);
  EXPECT_FALSE(backlog_.events.empty());
  EXPECT_EQ(Sort(), TurnEnd::kDone);
  EXPECT_EQ(backlog_.relist["a"].size(), 100U);
}

}  // namespace
}  // namespace forge::indexer
