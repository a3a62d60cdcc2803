// What one process stores for the next, and when.
#include <gtest/gtest.h>

#include <filesystem>

#include "indexer/index_set.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {
namespace {

using index::TokenStatus;

class Stored : public ::testing::Test {
 protected:
  // Like a new process: it knows only what is stored.
  void Open() {
    indexes_.reset();
    indexer::IndexSetOptions options;
    options.config.mode = IndexMode::kOn;
    options.config.path = cache_.Path("index");
    options.size_limit = {1 << 20};
    options.config.build_throttle = {};
    options.config.token_structure = structure_;
    options.config.idle_boost = std::chrono::milliseconds(idle_ms_);
    options.server = options.write = true;
    auto sandbox = Sandbox::Create({tree_.root()}, "", {});
    std::vector<std::string> diagnostics;
    indexes_ = indexer::IndexSet::Create(options, *sandbox, diagnostics);
    indexes_->OpenStored();
  }
  void Build() {
    root().Build(false);
    root().SettleNow();
  }
  indexer::RootIndex& root() { return *indexes_->roots()[0]; }
  TokenStatus StatusOf(const std::string& path) { return root().snapshot()->catalog.Find(path)->status; }

  // Bytes of SQLite's log.
  std::uintmax_t LogSize() const {
    for (const auto& file : std::filesystem::directory_iterator(cache_.Path("index"))) {
      if (file.path().string().ends_with(".db-wal")) return file.file_size();
    }
    return 0;
  }

  std::int64_t idle_ms_ = 0;
  TokenStructure structure_ = TokenStructure::kPostings;
  TempTree tree_;
  TempTree cache_;
  std::unique_ptr<indexer::IndexSet> indexes_;
};

// FR-LSI-BG-41: a changed file that waits to be indexed again still waits in the
// next process.
TEST_F(Stored, AFileThatWaitsToBeIndexedIsStoredAsSuch) {
  tree_.Write("a", "before\n");
  tree_.Write("b", "before\n");
  Open();
  Build();
  ASSERT_EQ(StatusOf("a"), TokenStatus::kFull);
  tree_.Write("a", "after\n");
  tree_.Write("new", "after\n");
  ASSERT_TRUE(root().Begin({.folder = tree_.root()}, Deadline::After(10'000)).trusted);
  ASSERT_EQ(StatusOf("a"), TokenStatus::kNone);
  root().Close();

  Open();
  EXPECT_EQ(StatusOf("a"), TokenStatus::kNone);
  EXPECT_EQ(StatusOf("new"), TokenStatus::kNone);
  EXPECT_EQ(StatusOf("b"), TokenStatus::kFull);
  EXPECT_TRUE(root().Reconcile());
  root().SettleNow();
  EXPECT_EQ(StatusOf("a"), TokenStatus::kFull);
  EXPECT_EQ(StatusOf("new"), TokenStatus::kFull);
}

// FR-LSI-IDX-STOR-03: no text of a file is stored, in no structure; only pieces of three
// bytes are, in the order of their bytes. A longer piece can come about by chance where
// such pieces stand side by side, so the test looks for twelve bytes.
TEST_F(Stored, NoTextOfAFileIsStored) {
  std::string text = "zqbegin ";
  for (int i = 0; i < 2000; ++i) text += "word" + std::to_string(i * 7919 % 100'003) + (i % 9 == 8 ? "\n" : " ");
  tree_.Write("a", text);
  for (const TokenStructure structure : {TokenStructure::kPostings, TokenStructure::kBloom}) {
    structure_ = structure;
    Open();
    Build();
    ASSERT_EQ(StatusOf("a"), TokenStatus::kFull);
    std::string stored;
    for (const auto& file : std::filesystem::directory_iterator(cache_.Path("index"))) {
      stored += cache_.Read("index/" + file.path().filename().string());
    }
    EXPECT_GT(stored.size(), 1000U);
    EXPECT_NE(stored.find(tree_.root()), std::string::npos) << "the path is stored";
    for (std::size_t at = 0; at + 12 <= text.size(); at += 5) {
      ASSERT_EQ(stored.find(text.substr(at, 12)), std::string::npos) << text.substr(at, 12);
    }
  }
}

// FR-LSI-BG-13.5.
TEST_F(Stored, TheLogIsMovedIntoTheDatabaseWhenThereIsNothingToDo) {
  tree_.Write("a", "before\n");
  Open();
  Build();
  EXPECT_GT(LogSize(), 0U);
  EXPECT_FALSE(root().Work(os::FileClockNow(), false));
  EXPECT_EQ(LogSize(), 0U);
}

TEST_F(Stored, TheLogStaysWhileThereAreSearches) {
  constexpr std::int64_t kHour = 3'600'000;
  idle_ms_ = kHour;
  tree_.Write("a", "before\n");
  Open();
  Build();
  const std::uintmax_t before = LogSize();
  EXPECT_GT(before, 0U);
  root().Begin({.folder = tree_.root()}, Deadline::After(10'000));
  EXPECT_FALSE(root().Work(os::FileClockNow(), false));
  EXPECT_EQ(LogSize(), before);
}

}  // namespace
}  // namespace forge::testing
