#include "indexer/work/sweeper.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "indexer/work/testing/root_parts.h"
#include "os/named_file.h"

namespace forge::indexer {
namespace {

// A watcher that tells nothing: each change here is one without an event.
class SweeperTest : public ::testing::Test {
 protected:
  explicit SweeperTest(bool no_ignore = true) : parts_({}, nullptr, no_ignore) {
    for (int i = 0; i < 40; ++i) parts_.tree.Write("d" + std::to_string(i % 4) + "/" + std::to_string(i), "text\n");
    parts_.tree.Write("top", "text\n");
    parts_.builder().Build(false);
    parts_.Begin();
  }
  // The background thread for a while; how often it swept.
  int Pass(std::chrono::seconds time) {
    int sweeps = 0;
    for (std::chrono::milliseconds t{}; t < time; t += std::chrono::milliseconds(100)) {
      parts_.clocks.Advance(std::chrono::milliseconds(100));
      if (parts_.NextNeed() == Need::kMaintain) parts_.updater().Maintain(parts_.clocks.FileNs());
      if (parts_.NextNeed() != Need::kSweep) continue;
      sweeper_.Sweep(parts_.clocks.FileNs());
      ++sweeps;
    }
    return sweeps;
  }
  // Whether the row has the state of the file.
  bool IsUpToDate(const std::string& path) {
    return parts_.published->snapshot()->catalog.Find(path)->info == *os::StatPath(parts_.tree.Path(path));
  }

  RootParts parts_;
  Sweeper sweeper_{parts_.setup, *parts_.published};
};

TEST_F(SweeperTest, FindsAChangeWithoutAnEventWithinAMinute) {
  for (const std::string path : {"d0/0", "d3/39", "top"}) {
    parts_.tree.Write(path, "another text\n");
    EXPECT_FALSE(IsUpToDate(path)) << path;
    Pass(std::chrono::seconds(60));
    EXPECT_TRUE(IsUpToDate(path)) << path;
    parts_.Begin();  // so that it goes on
  }
  EXPECT_EQ(parts_.Status().unreported_changes, 3U);
  EXPECT_EQ(parts_.Status().pending_files, 0U) << "they have been indexed again";
  EXPECT_EQ(parts_.State(), "COMPLETE");
  EXPECT_TRUE(parts_.Begin().trusted);
}

TEST_F(SweeperTest, FindsAFileThatIsGoneWithoutAnEvent) {
  parts_.tree.Remove("d1/1");
  parts_.tree.Remove("d2");
  Pass(std::chrono::seconds(60));
  EXPECT_EQ(parts_.published->snapshot()->catalog.Find("d1/1"), nullptr);
  EXPECT_EQ(parts_.published->snapshot()->catalog.Find("d2/2"), nullptr);
}

// The row gets the new number of links, and each search stats such files.
TEST_F(SweeperTest, FindsALinkThatWasMadeOutside) {
  const testing::TempTree outside;
  std::filesystem::create_hard_link(parts_.tree.Path("d1/1"), outside.Path("link"));
  Pass(std::chrono::seconds(60));
  EXPECT_EQ(parts_.Status().unreported_changes, 1U);
  EXPECT_EQ(parts_.State(), "UNCERTAIN/RENAME_UNCERTAIN") << "it may have another name in the tree";
  parts_.builder().Build(false);
  EXPECT_EQ(parts_.published->snapshot()->catalog.Find("d1/1")->info.links, 2U);
}

class SweeperWithRules : public SweeperTest {
 protected:
  SweeperWithRules() : SweeperTest(false) {}
};

TEST_F(SweeperWithRules, FindsAnIgnoreFileThatChangedWithoutAnEvent) {
  parts_.tree.Write("d1/.ignore", "1\n");
  parts_.builder().Build(false);
  ASSERT_EQ(parts_.published->snapshot()->catalog.Find("d1/1"), nullptr);
  parts_.tree.Write("d1/.ignore", "5\n");
  EXPECT_TRUE(parts_.Begin().trusted);
  Pass(std::chrono::seconds(60));
  EXPECT_EQ(parts_.Status().unreported_changes, 1U);
  EXPECT_FALSE(parts_.Begin().trusted);
  parts_.builder().Build(false);
  EXPECT_NE(parts_.published->snapshot()->catalog.Find("d1/1"), nullptr);
  EXPECT_EQ(parts_.published->snapshot()->catalog.Find("d1/5"), nullptr);
}

TEST_F(SweeperTest, AChangeThatHasAnEventIsNotCounted) {
  parts_.tree.Write("d1/1", "another text\n");
  parts_.watcher->Push(parts_.tree.Path("d1"), os::WatchEvent::Kind::kChanged, "1");
  Pass(std::chrono::seconds(60));
  EXPECT_TRUE(IsUpToDate("d1/1"));
  EXPECT_EQ(parts_.Status().unreported_changes, 0U);
}

TEST_F(SweeperTest, NothingHappensWhenNobodyAsks) {
  EXPECT_NEAR(Pass(std::chrono::seconds(120)), 238, 4);
  EXPECT_EQ(Pass(std::chrono::seconds(3600)), 0);
  parts_.Begin();
  EXPECT_GT(Pass(std::chrono::seconds(2)), 0);
}

TEST_F(SweeperTest, GoesOnWhereItWasAlthoughTheCatalogIsAnother) {
  Pass(std::chrono::seconds(20));
  parts_.tree.Write("a_new_file", "text\n");
  parts_.watcher->Push(parts_.tree.root(), os::WatchEvent::Kind::kCreated, "a_new_file");
  parts_.Begin();
  parts_.tree.Write("d3/39", "another text\n");
  Pass(std::chrono::seconds(60));
  EXPECT_TRUE(IsUpToDate("d3/39"));
}

}  // namespace
}  // namespace forge::indexer
