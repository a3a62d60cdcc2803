#include "indexer/index_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class IndexSetTest : public ::testing::Test {
 protected:
  IndexSetTest() {
    tree_.MakeFolder("sub/deep/er");
    tree_.MakeFolder("subject");
    tree_.MakeFolder("other");
    options_.config.mode = IndexMode::kOn;
    options_.config.storage = IndexStorage::kMemory;
    options_.config.path = cache_.Path("index");
  }
  std::unique_ptr<IndexSet> Create() {
    diagnostics_.clear();
    return IndexSet::Create(options_, *Sandbox::Create({tree_.root()}, "", {}), diagnostics_);
  }

  testing::TempTree tree_;
  testing::TempTree cache_;
  IndexSetOptions options_;
  std::vector<std::string> diagnostics_;
};

// FR-LSI-IDX-ROOT-02
TEST_F(IndexSetTest, ARequestUsesTheDeepestRootThatHoldsItsFolder) {
  options_.config.roots = {".", "sub", "sub/deep"};
  const auto set = Create();
  ASSERT_NE(set, nullptr);
  const std::pair<const char*, const char*> cases[] = {
      {"", ""}, {"other", ""}, {"subject", ""}, {"sub", "sub"}, {"sub/deep", "sub/deep"}, {"sub/deep/er", "sub/deep"},
  };
  for (const auto& [folder, root] : cases) {
    const RootIndex* found = set->Find(tree_.Path(folder));
    ASSERT_NE(found, nullptr) << folder;
    EXPECT_EQ(found->root(), *root == '\0' ? tree_.root() : tree_.Path(root)) << folder;
  }
  EXPECT_EQ(set->Find(cache_.root()), nullptr);
}

TEST_F(IndexSetTest, OutsideItsRootsThereIsNoIndex) {
  options_.config.roots = {"sub"};
  const auto set = Create();
  EXPECT_EQ(set->Find(tree_.root()), nullptr);
  EXPECT_NE(set->Find(tree_.Path("sub/deep")), nullptr);
}

// FR-LSI-IDX-CONC-02
TEST_F(IndexSetTest, AStoreThatAnotherWriterHasIsWaitedForAsLongAsConfiguredAndThenRead) {
  tree_.Write("a", "text\n");
  options_.config.storage = IndexStorage::kSqlite;
  options_.write = true;
  options_.full_speed = true;
  const auto first = Create();
  ASSERT_EQ(diagnostics_, std::vector<std::string>());
  first->roots()[0]->Build(false);
  for (const int ms : {0, 60}) {
    options_.config.lock_timeout = std::chrono::milliseconds(ms);
    const auto begin = std::chrono::steady_clock::now();
    const auto second = Create();
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(ms));
    second->OpenStored();
    EXPECT_EQ(second->roots()[0]->status().files, 1U) << "it reads";
    EXPECT_FALSE(second->roots()[0]->Clear().ok()) << "and does not write";
  }
}

// FR-LSI-IDX-03: `auto` uses no index of a small tree, even if a command built one.
TEST_F(IndexSetTest, InAutoModeAStoredIndexOfASmallTreeIsNotUsed) {
  tree_.Write("a", "text\n");
  options_.config.storage = IndexStorage::kSqlite;
  options_.write = true;
  options_.full_speed = true;
  Create()->roots()[0]->Build(false);
  options_.config.mode = IndexMode::kAuto;
  const auto state = [&](const IndexSet& set) { return const_cast<IndexSet&>(set).roots()[0]->status(); };
  {
    const auto one_shot = Create();
    one_shot->OpenStored();
    EXPECT_EQ(state(*one_shot).reason, IndexReason::kBelowThreshold);
    EXPECT_NE(state(*one_shot).problem, "") << "and says why";
  }
  options_.config.auto_threshold_files = 0;
  {
    const auto large = Create();
    large->OpenStored();
    EXPECT_EQ(state(*large).reason, IndexReason::kOpenRequiresValidation);
  }
}

// FR-LSI-BG-06: a start always measures anew. FR-LSI-IDX-03: an index of a tree
// that has become small is dropped.
TEST_F(IndexSetTest, InAutoModeAServerMeasuresATreeWhoseStoredIndexIsSmall) {
  options_.config.storage = IndexStorage::kSqlite;
  options_.config.mode = IndexMode::kAuto;
  options_.config.auto_threshold_files = 3;
  options_.write = options_.server = options_.full_speed = true;
  for (int i = 0; i < 5; ++i) tree_.Write(std::to_string(i), "text\n");
  constexpr std::int64_t kLater = 60'000'000'000;
  const auto work = [&](RootIndex& root) {
    root.Open();
    for (int i = 0; i < 5 && root.Work(os::FileClockNow() + kLater, true); ++i) continue;
    return std::string(Name(root.status().state));
  };
  EXPECT_EQ(work(*Create()->roots()[0]), "COMPLETE");
  for (int i = 0; i < 3; ++i) tree_.Remove(std::to_string(i));
  {
    const auto set = Create();
    EXPECT_EQ(work(*set->roots()[0]), "DISABLED") << "it has become small";
  }
  for (int i = 0; i < 3; ++i) tree_.Write(std::to_string(i), "text\n");
  EXPECT_EQ(work(*Create()->roots()[0]), "COMPLETE") << "it has grown";
}

// FR-LSI-BG-03, FR-LSI-IDX-ROOT-02.
class IndexRootsTest : public ::testing::Test {
 protected:
  IndexRootsTest() {
    for (const char* folder : {"a/b", "c"}) tree_.MakeFolder(folder);
    tree_.Write("file", "");
    options_.config.mode = IndexMode::kOn;
    options_.config.storage = IndexStorage::kMemory;
  }
  std::vector<std::string> Roots(const std::vector<std::string>& configured) {
    options_.config.roots = configured;
    diagnostics_.clear();
    const Sandbox sandbox = *Sandbox::Create({tree_.root()}, "", {});
    set_ = IndexSet::Create(options_, sandbox, diagnostics_);
    std::vector<std::string> roots;
    for (const auto& root : set_->roots()) roots.push_back(root->root());
    return roots;
  }

  testing::TempTree tree_;
  testing::TempTree outside_;
  IndexSetOptions options_;
  std::vector<std::string> diagnostics_;
  std::unique_ptr<IndexSet> set_;
};

TEST_F(IndexRootsTest, WithoutConfiguredRootsItIsTheWorkingFolder) {
  EXPECT_THAT(Roots({}), ElementsAre(tree_.root()));
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(IndexRootsTest, ConfiguredRootsCountDeepestFirst) {
  EXPECT_THAT(Roots({"a", tree_.Path("a/b"), "c/../a"}), ElementsAre(tree_.Path("a/b"), tree_.Path("a")));
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(set_->Find(tree_.Path("a/b/x"))->root(), tree_.Path("a/b"));
  EXPECT_EQ(set_->Find(tree_.Path("a"))->root(), tree_.Path("a"));
  EXPECT_EQ(set_->Find(tree_.Path("ab")), nullptr) << "not by the first letters of a name";
  EXPECT_EQ(set_->Find(tree_.root()), nullptr);
}

TEST_F(IndexRootsTest, ARootThatMayNotBeIndexedIsLeftOutWithADiagnostic) {
  EXPECT_THAT(Roots({outside_.root(), "missing", "file", "c"}), ElementsAre(tree_.Path("c")));
  ASSERT_EQ(diagnostics_.size(), 3U);
  for (const std::string& diagnostic : diagnostics_) EXPECT_THAT(diagnostic, HasSubstr("index_roots"));
}

TEST_F(IndexRootsTest, WithTheModeOffThereIsNone) {
  options_.config.mode = IndexMode::kOff;
  EXPECT_EQ(IndexSet::Create(options_, *Sandbox::Create({tree_.root()}, "", {}), diagnostics_), nullptr);
}

}  // namespace
}  // namespace forge::indexer
