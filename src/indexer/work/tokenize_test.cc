#include "indexer/work/tokenize.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "indexer/work/testing/noisy_builder.h"
#include "scope/sandbox.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

using index::CatalogRow;
using index::TokenStatus;

// FR-LSI-BUD-INIT-01: the limits of a build hold to the file.
class TokenizeTest : public ::testing::Test {
 protected:
  static constexpr int kFiles = 20;
  static constexpr std::uint64_t kSize = 100;

  TokenizeTest() : rows_(kFiles) {
    for (int i = 0; i < kFiles; ++i) {
      rows_[static_cast<std::size_t>(i)].path = "f" + std::to_string(100 + i);
      rows_[static_cast<std::size_t>(i)].info.size = kSize;
      tree_.Write(rows_[static_cast<std::size_t>(i)].path, std::string(kSize - 1, 'x') + "\n");
    }
    options_.size_limit = {1 << 20};
    options_.make_builder = [this] { return std::make_unique<NoisyBuilder>([this] { AfterFile(); }); };
  }

  void AfterFile() {
    ++read_;
    if (after_file_) after_file_();
  }
  TokenizeEnd Run() {
    std::vector<CatalogRow*> rows;
    for (CatalogRow& row : rows_) rows.push_back(&row);
    const Sandbox sandbox = *Sandbox::Create({tree_.root()}, "", {});
    const auto root = SearchRoot::Open(sandbox, tree_.root(), false);
    Error error;
    return TokenizeRows(
        *root, rows, options_, throttle_, [](const std::string&) { return index::SegmentId{1}; }, progress_, error);
  }
  std::size_t Indexed() const {
    return static_cast<std::size_t>(std::count_if(
        rows_.begin(), rows_.end(), [](const CatalogRow& row) { return row.status == TokenStatus::kFull; }));
  }

  testing::TempTree tree_;
  std::vector<CatalogRow> rows_;
  TokenizeOptions options_;
  Throttle throttle_{{}};
  TokenizeProgress progress_;
  std::function<void()> after_file_;
  std::atomic<std::size_t> read_ = 0;
};

TEST_F(TokenizeTest, ReadsEverything) {
  EXPECT_EQ(Run(), TokenizeEnd::kFinished);
  EXPECT_EQ(Indexed(), static_cast<std::size_t>(kFiles));
}

TEST_F(TokenizeTest, NoFileIsReadAfterTheTime) {
  CancelSource time;
  options_.deadline = Deadline(Clock::time_point::max(), time.token());
  after_file_ = [&] {
    if (read_ == 3) time.Cancel();
  };
  EXPECT_EQ(Run(), TokenizeEnd::kOutOfTime);
  EXPECT_EQ(Indexed(), 3U);
}

TEST_F(TokenizeTest, NoFileIsReadAfterAStop) {
  after_file_ = [&] {
    if (read_ == 3) throttle_.Stop();
  };
  EXPECT_EQ(Run(), TokenizeEnd::kStopped);
  EXPECT_EQ(Indexed(), 3U);
}

TEST_F(TokenizeTest, NoByteIsReadBeyondTheLimit) {
  for (const unsigned threads : {1U, 4U}) {
    for (CatalogRow& row : rows_) row.status = TokenStatus::kNone;
    options_.threads = threads;
    options_.max_bytes = 5 * kSize + kSize / 2;
    EXPECT_EQ(Run(), TokenizeEnd::kBudget);
    EXPECT_EQ(Indexed(), 5U);
  }
  options_.max_bytes = kFiles * kSize;
  EXPECT_EQ(Run(), TokenizeEnd::kFinished) << "exactly as much as is allowed";
}

TEST_F(TokenizeTest, AFileThatIsTooLargeIsNotReadAndDoesNotCount) {
  options_.size_limit = {kSize};
  options_.max_bytes = (kFiles - 1) * kSize;
  tree_.Write(rows_[0].path, std::string(1000, 'x'));
  rows_[0].info.size = 1000;
  EXPECT_EQ(Run(), TokenizeEnd::kFinished);
  EXPECT_EQ(rows_[0].status, TokenStatus::kTooLarge);
}

}  // namespace
}  // namespace forge::indexer
