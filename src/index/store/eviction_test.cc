#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "index/store/store.h"
#include "index/store/testing/random_store.h"
#include "tests/testing/temp_tree.h"

namespace forge::index {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

class EvictionTest : public ::testing::Test {
 protected:
  EvictionTest() { options_.folder = tree_.root(); }

  // Returns its hash.
  std::string Make(const std::string& root, std::int64_t accessed_ms, std::size_t segment_size = 10) {
    const IndexKey key = KeyOf(root);
    const auto store = MustOpen(tree_.root(), key, true);
    Must(store->WriteSegment(1, std::string(segment_size, 'x')));
    StoreChange change = NumberedChange(key, 2);
    change.meta.accessed_ms = accessed_ms;
    change.new_segments = {1};
    Must(store->Commit(change));
    store->Touch(accessed_ms);
    return HashOf(key);
  }
  std::vector<std::string> Left() const {
    std::vector<std::string> hashes;
    for (const StoredSummary& summary : ListStored(options_)) hashes.push_back(summary.hash);
    return hashes;
  }

  testing::TempTree tree_;
  StoreOptions options_;
};

TEST_F(EvictionTest, TheListSaysWhatIsStored) {
  const std::string good = Make("/a", 7, 1000);
  const std::string bad = Make("/b", 8);
  tree_.Write(bad + ".db", "not a database, but long enough to be looked at as one");
  tree_.Write("notes.db", "not ours");
  const std::vector<StoredSummary> stored = ListStored(options_);
  ASSERT_EQ(stored.size(), 2U);
  const StoredSummary& a = stored[stored[0].hash == good ? 0 : 1];
  const StoredSummary& b = stored[stored[0].hash == good ? 1 : 0];
  EXPECT_EQ(a.meta.key, KeyOf("/a"));
  EXPECT_EQ(a.files, NumberedRows(2).size());
  EXPECT_EQ(a.problem, "");
  EXPECT_GT(a.bytes, 1000U);
  EXPECT_EQ(b.hash, bad);
  EXPECT_NE(b.problem, "");
}

TEST_F(EvictionTest, TheLeastRecentlyUsedGoesFirst) {
  const std::string b = Make("/b", 20);
  const std::string a = Make("/a", 10);
  const std::string c = Make("/c", 30);
  EXPECT_THAT(Evict(options_, kNoLimit, 3, ""), IsEmpty());
  EXPECT_THAT(Evict(options_, kNoLimit, 1, ""), ElementsAre(a, b));
  EXPECT_THAT(Left(), ElementsAre(c));
  for (const auto& entry : std::filesystem::directory_iterator(tree_.root())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name.starts_with(c) || name.ends_with(".lock") || name.ends_with(".use")) << name;
  }
}

// FR-LSI-IDX-RM-02: a search that only reads is a use.
TEST_F(EvictionTest, AReaderIsAUse) {
  const std::string a = Make("/a", 10);
  const std::string b = Make("/b", 20);
  MustOpen(tree_.root(), KeyOf("/a"), false)->Touch(30);
  EXPECT_THAT(Evict(options_, kNoLimit, 1, ""), ElementsAre(b));
}

TEST_F(EvictionTest, WhatIsStoredIsCounted) {
  EXPECT_EQ(TotalOf(tree_.root()).indexes, 0U);
  Make("/a", 10, 100'000);
  Make("/b", 20, 100'000);
  EXPECT_EQ(TotalOf(tree_.root()).indexes, 2U);
  EXPECT_GT(TotalOf(tree_.root()).bytes, 200'000U);
}

// SEC-LSI-02: the same files under other deny patterns, whatever the rest of the key.
TEST_F(EvictionTest, IndexesOfAnotherPolicyAndTheSameFilesAreRemoved) {
  const std::string inside = Make("/a/b", 10);
  const std::string around = Make("/", 20);
  const std::string beside = Make("/ab", 30);
  const std::string own = Make("/a", 40);
  IndexMeta meta = MetaOf(KeyOf("/a"));
  EXPECT_THAT(RemoveOutdated(options_, meta), IsEmpty()) << "the same policy";
  meta.policy_hash = "another";
  {
    const auto open = MustOpen(tree_.root(), KeyOf("/"), false);
    EXPECT_THAT(RemoveOutdated(options_, meta), ElementsAre(inside)) << "one that is open stays";
  }
  EXPECT_THAT(RemoveOutdated(options_, meta), ElementsAre(around));
  EXPECT_THAT(Left(), ::testing::UnorderedElementsAre(beside, own));
}

// A newer program beside this one keeps its own.
TEST_F(EvictionTest, IndexesOfAnOlderSchemaAreRemoved) {
  const std::string older = Make("/older", 10);
  const std::string newer = Make("/newer", 10);
  for (const auto& [hash, version] : {std::pair(older, kSchemaVersion - 1), std::pair(newer, kSchemaVersion + 1)}) {
    std::string bytes = tree_.Read(hash + ".db");
    bytes[63] = static_cast<char>(version);  // user_version
    tree_.Write(hash + ".db", bytes);
  }
  for (const StoredSummary& summary : ListStored(options_)) {
    EXPECT_THAT(summary.problem, ::testing::HasSubstr("another version"));
  }
  EXPECT_THAT(RemoveOutdated(options_, MetaOf(KeyOf("/a"))), ElementsAre(older));
  EXPECT_THAT(Left(), ElementsAre(newer));
}

TEST_F(EvictionTest, ThenTheLargestThenTheFirstByHash) {
  const std::string large = Make("/large", 10, 100'000);
  std::vector<std::string> equal = {Make("/a", 10), Make("/b", 10), Make("/c", 10)};
  std::sort(equal.begin(), equal.end());
  EXPECT_THAT(Evict(options_, kNoLimit, 2, ""), ElementsAre(large, equal[0]));
  EXPECT_THAT(Left(), ElementsAre(equal[1], equal[2]));
}

TEST_F(EvictionTest, BytesCountForAllTogether) {
  const std::string a = Make("/a", 10, 300'000);
  const std::string b = Make("/b", 20, 300'000);
  EXPECT_THAT(Evict(options_, 2'000'000, 10, ""), IsEmpty());
  EXPECT_THAT(Evict(options_, 500'000, 10, ""), ElementsAre(a));
  EXPECT_THAT(Left(), ElementsAre(b));
}

TEST_F(EvictionTest, TheOneThatIsWantedStays) {
  const std::string a = Make("/a", 10);
  const std::string b = Make("/b", 20);
  EXPECT_THAT(Evict(options_, 1, 0, a), ElementsAre(b));
  EXPECT_THAT(Left(), ElementsAre(a));
}

TEST_F(EvictionTest, OneThatIsOpenStays) {
  const std::string a = Make("/a", 10);
  const std::string b = Make("/b", 20);
  for (const bool write : {false, true}) {
    const auto store = MustOpen(tree_.root(), KeyOf("/a"), write);
    EXPECT_THAT(Evict(options_, kNoLimit, 1, b), IsEmpty());
    EXPECT_EQ(MustLoad(*store).rows, NumberedRows(2));
  }
  EXPECT_THAT(Evict(options_, kNoLimit, 1, b), ElementsAre(a));
  const auto again = MustOpen(tree_.root(), KeyOf("/a"), true)->Load();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->has_value());
}

TEST_F(EvictionTest, OneThatCannotBeReadGoesFirst) {
  const std::string a = Make("/a", 10);
  const std::string bad = Make("/b", 20);
  tree_.Write(bad + ".db", std::string(10'000, 'x'));
  tree_.Write("notes.db", "not ours");
  EXPECT_THAT(Evict(options_, kNoLimit, 1, ""), ElementsAre(bad));
  EXPECT_THAT(Left(), ElementsAre(a));
  EXPECT_EQ(tree_.Read("notes.db"), "not ours");
}

}  // namespace
}  // namespace forge::index
