// The verification tests of the specification that are about searching with an
// index, by their ids. "mode reported as fuzzy" of T-SFI-10 is replaced by stats
// and a note: a response has no mode (A3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "backend/select.h"
#include "base/names.h"
#include "indexer/index_set.h"
#include "search/service.h"
#include "tests/testing/temp_tree.h"
#include "tool/write.h"

namespace forge::testing {
namespace {

// A tree, a search without an index and one with: built, watched, in memory.
class IndexedSearch : public ::testing::Test {
 protected:
  IndexedSearch() {
    config_.binary = "native";
    config_.fallback_binary = "";
    config_.emit_stats = true;
    config_.index.mode = IndexMode::kOn;
    config_.index.storage = IndexStorage::kMemory;
  }

  void Open() {
    auto sandbox = Sandbox::Create({tree_.root()}, "", {});
    ASSERT_TRUE(sandbox.ok());
    const auto backend = SelectBackend(config_, "/usr/bin:/bin", false).backend;
    indexer::IndexSetOptions options;
    options.config = config_.index;
    options.size_limit = {static_cast<std::uint64_t>(config_.max_file_size_bytes)};
    options.server = true;
    options.write = true;
    options.full_speed = true;
    std::vector<std::string> diagnostics;
    indexes_ = indexer::IndexSet::Create(options, *sandbox, diagnostics);
    plain_ = std::make_unique<SearchService>(config_, *sandbox, backend, "");
    indexed_ = std::make_unique<SearchService>(config_, *sandbox, backend, "", indexes_.get());
  }

  void Build() {
    Open();
    root().Build(indexes_->automatic());
    root().SettleNow();
  }

  indexer::RootIndex& root() { return *indexes_->roots()[0]; }

  static std::string Text(SearchResponse response) {
    response.stats.reset();
    std::ostringstream out;
    tool::ToDocument(std::move(response)).Write(out);
    return out.str();
  }

  // The answer with the index, which must equal the one without.
  SearchResponse Both(const SearchRequest& request) {
    auto with = indexed_->Search(request, {});
    auto without = plain_->Search(request, {});
    EXPECT_TRUE(with.ok() && without.ok());
    EXPECT_EQ(Text(*with), Text(*without)) << request.pattern;
    return *with;
  }
  SearchResponse Find(const std::string& text) {
    SearchRequest request;
    request.pattern = text;
    request.fixed_strings = true;
    return Both(request);
  }
  SearchResponse FindSome(const std::string& text, std::int64_t most, std::int64_t context = 0) {
    SearchRequest request;
    request.pattern = text;
    request.max_results = most;
    request.context = context;
    return Both(request);
  }

  TempTree tree_;
  SearchConfig config_;
  std::unique_ptr<indexer::IndexSet> indexes_;
  std::unique_ptr<SearchService> plain_;
  std::unique_ptr<SearchService> indexed_;
};

using T_LSI_TRUNC_01 = IndexedSearch;
TEST_F(T_LSI_TRUNC_01, ExactlyMaxResultsEventsWithContext) {
  for (int i = 0; i < 30; ++i) tree_.Write("f" + std::to_string(i), i % 3 == 0 ? "one\nneedle\ntwo\n" : "nothing\n");
  Build();
  for (std::int64_t most = 1; most <= 31; ++most) {
    const SearchResponse answer = FindSome("needle", most, 1);
    EXPECT_EQ(answer.matches.size(), static_cast<std::size_t>(std::min<std::int64_t>(most, 30)));
    EXPECT_EQ(answer.truncated, most < 30) << most;
    EXPECT_TRUE(answer.stats->index_exclusion_used);
  }
}

using T_LSI_TRUNC_02 = IndexedSearch;
TEST_F(T_LSI_TRUNC_02, OverlappingContextIsTheSameInChunks) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 7 == 0 ? "needle\n" : "line\n";
  tree_.Write("large", text);
  for (int i = 0; i < 200; ++i) tree_.Write("many/" + std::to_string(i), "needle\nneedle\nline\n");
  // An external backend gets chunks of 32 and then 128 files; `native` has none.
  std::vector<std::string> answers;
  for (const char* backend : {"native", "ugrep", "rg"}) {
    config_.binary = backend;
    Build();
    std::string all;
    for (const std::int64_t most : {1, 49, 50, 51, 100, 333, 1000}) all += FindSome("needle", most, 5).content;
    answers.push_back(std::move(all));
  }
  EXPECT_EQ(answers[1], answers[0]);
  EXPECT_EQ(answers[2], answers[0]);
}

using T_LSI_TRUNC_03 = IndexedSearch;
TEST_F(T_LSI_TRUNC_03, AsManyAsThereAreIsNotTruncated) {
  for (int i = 0; i < 5; ++i) tree_.Write("f" + std::to_string(i), "needle\n");
  tree_.Write("z", "nothing\n");
  Build();
  EXPECT_FALSE(FindSome("needle", 5).truncated);
  EXPECT_TRUE(FindSome("needle", 4).truncated);
}

using T_LSI_DET_02 = IndexedSearch;
TEST_F(T_LSI_DET_02, TheOrderIsOursWithEveryBackend) {
  for (const char* name : {"a-b", "a/x", "a.c", "b", "A"}) tree_.Write(name, "needle\nneedle\n");
  for (const char* backend : {"native", "ugrep", "rg"}) {
    config_.binary = backend;
    Build();
    std::vector<std::string> paths;
    for (const Event& event : Find("needle").matches)
      paths.push_back(event.path + ":" + std::to_string(event.line_number));
    EXPECT_THAT(
        paths, ::testing::ElementsAre("A:1", "A:2", "a-b:1", "a-b:2", "a.c:1", "a.c:2", "a/x:1", "a/x:2", "b:1", "b:2"))
        << backend;
  }
}

using T_LSI_DET_03 = IndexedSearch;
TEST_F(T_LSI_DET_03, ComposedAndDecomposedNamesAndPatterns) {
  const std::string composed = "caf\u00E9";
  const std::string decomposed = "cafe\u0301";
  tree_.Write(composed + ".txt", composed + "\n");
  tree_.Write(decomposed + ".txt", decomposed + "\n");
  tree_.Write("x", "cafe and " + decomposed + "\n");
  for (const char* structure : {"postings", "bloom"}) {
    config_.index.token_structure = *FromName<TokenStructure>(structure);
    Build();
    EXPECT_EQ(Find(composed).matches.size(), 1U) << structure;
    EXPECT_EQ(Find(decomposed).matches.size(), 2U) << structure;
    EXPECT_EQ(Find("cafe").matches.size(), 2U) << structure;
  }
}

using T_LSI_DET_04 = IndexedSearch;
TEST_F(T_LSI_DET_04, SmartCaseLooksAtAsciiLettersOnly) {
  tree_.Write("lower", "\u00F1andu\n");
  tree_.Write("upper", "\u00D1ANDU\n");
  tree_.Write("mixed", "\u00D1andu\n");
  for (const char* structure : {"postings", "bloom"}) {
    config_.index.token_structure = *FromName<TokenStructure>(structure);
    Build();
    // An upper case letter beyond ASCII does not make a pattern sensitive.
    EXPECT_EQ(Find("\u00D1andu").matches.size(), 2U) << structure;
    EXPECT_EQ(Find("\u00F1andu").matches.size(), 1U) << structure;
    EXPECT_EQ(Find("ANDU").matches.size(), 1U) << structure;
  }
}

using T_LSI_PATH_03 = IndexedSearch;
TEST_F(T_LSI_PATH_03, TwoSpellingsOfANameAreTwoFilesHere) {
  tree_.Write("\u00E9", "needle one\n");
  tree_.Write("e\u0301", "needle two\n");
  Build();
  EXPECT_EQ(Find("needle").matches.size(), 2U);
  EXPECT_EQ(Find("needle").files_scanned, 2U);
}

using T_SFI_01 = IndexedSearch;
TEST_F(T_SFI_01, OffIsOff) {
  tree_.Write("a", "needle\n");
  config_.index.mode = IndexMode::kOff;
  Open();
  EXPECT_EQ(indexes_, nullptr);
  const SearchResponse answer = Find("needle");
  EXPECT_EQ(answer.matches.size(), 1U);
  EXPECT_FALSE(answer.stats->index_exclusion_used);
}

using T_SFI_02 = IndexedSearch;
TEST_F(T_SFI_02, BelowTheThresholdsThereIsNoIndex) {
  for (int i = 0; i < 10; ++i) tree_.Write("f" + std::to_string(i), "needle\n");
  config_.index.mode = IndexMode::kAuto;
  config_.index.auto_threshold_files = 10;  // equal is below (F22)
  Build();
  EXPECT_EQ(root().status().state, IndexState::kDisabled);
  EXPECT_EQ(root().status().reason, IndexReason::kBelowThreshold);
  EXPECT_FALSE(Find("needle").stats->index_exclusion_used);
}

using T_SFI_03 = IndexedSearch;
TEST_F(T_SFI_03, AboveTheThresholdsThereIsOne) {
  for (int i = 0; i < 11; ++i) tree_.Write("f" + std::to_string(i), i == 3 ? "needle\n" : "nothing\n");
  config_.index.mode = IndexMode::kAuto;
  config_.index.auto_threshold_files = 10;
  Build();
  EXPECT_EQ(root().status().state, IndexState::kComplete);
  const SearchResponse answer = Find("needle");
  EXPECT_EQ(answer.stats->candidates_excluded, 10U);
  EXPECT_EQ(answer.files_scanned, 11U);
}

using T_SFI_04 = IndexedSearch;
TEST_F(T_SFI_04, AChangedFileIsSeenAndIndexedAgain) {
  tree_.Write("a", "before\n");
  tree_.Write("b", "other\n");
  Build();
  tree_.Write("a", "after the change\n");
  EXPECT_EQ(Find("after the change").matches.size(), 1U);
  EXPECT_EQ(Find("before").matches.size(), 0U);
  EXPECT_EQ(root().status().pending_files, 1U);
  root().SettleNow();
  EXPECT_EQ(root().status().pending_files, 0U);
  EXPECT_EQ(Find("before").stats->candidates_excluded, 2U);
}

using T_SFI_05 = IndexedSearch;
TEST_F(T_SFI_05, ADeletedFileIsGone) {
  tree_.Write("a", "needle\n");
  tree_.Write("folder/b", "needle\n");
  Build();
  tree_.Remove("a");
  EXPECT_EQ(Find("needle").matches.size(), 1U);
  tree_.Remove("folder");
  const SearchResponse answer = Find("needle");
  EXPECT_EQ(answer.matches.size(), 0U);
  EXPECT_EQ(answer.files_scanned, 0U);
}

using T_SFI_07 = IndexedSearch;
TEST_F(T_SFI_07, ADamagedIndexIsGivenUpNotTheSearch) {
  tree_.Write("a", "needle\n");
  Build();
  root().ReportDamage(ExecutionFailed("the index is damaged: a test says so"));
  EXPECT_EQ(Find("needle").matches.size(), 1U);
  EXPECT_EQ(root().status().state, IndexState::kCorrupt);
  root().Build(false);
  EXPECT_EQ(root().status().state, IndexState::kComplete);
  EXPECT_EQ(Find("needle").matches.size(), 1U);
}

using T_SFI_08 = IndexedSearch;
TEST_F(T_SFI_08, WithoutTheFallbackOnlyExactText) {
  tree_.Write("a", "needle\n");
  Build();
  const SearchResponse answer = Find("neadle");
  EXPECT_EQ(answer.matches.size(), 0U);
  EXPECT_FALSE(answer.stats->fallback_used);
}

using T_SFI_09 = IndexedSearch;
TEST_F(T_SFI_09, NothingFoundTriesEveryLevel) {
  tree_.Write("a", "nothing of the kind\n");
  config_.fuzzy_fallback = true;
  Build();
  const SearchResponse answer = Find("abcdefghijkl");
  EXPECT_THAT(answer.stats->fuzzy_levels_tried, ::testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(answer.stats->fallback_reason, FallbackReason::kLiteralNoMatches);
}

using T_SFI_10 = IndexedSearch;
TEST_F(T_SFI_10, TheFirstLevelThatFindsSomethingEnds) {
  tree_.Write("a", "kmalloc_array\n");
  tree_.Write("b", "something else\n");
  config_.fuzzy_fallback = true;
  Build();
  const SearchResponse answer = Find("kmaloc_aray");
  EXPECT_EQ(answer.matches.size(), 1U);
  EXPECT_THAT(answer.stats->fuzzy_levels_tried, ::testing::ElementsAre(1, 2));
  EXPECT_TRUE(answer.stats->index_exclusion_used);
}

}  // namespace
}  // namespace forge::testing
