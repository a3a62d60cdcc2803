#include "indexer/store/store_link.h"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include "index/postings/postings_segment.h"
#include "index/store/sqlite.h"
#include "pattern/ngram_plan.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {
namespace {

namespace fs = std::filesystem;

std::string Image(const std::string& text) {
  const auto builder = index::MakePostingsBuilder();
  builder->Add(text);
  return builder->Finish();
}

index::TokenQuery QueryFor(std::string_view text) { return {PlanForLiteral(text), std::nullopt, false}; }

class StoreLinkTest : public ::testing::Test {
 protected:
  StoreLinkTest() { cache_.MakeFolder("index"); }

  // A second link, as another process would have it.
  std::unique_ptr<StoreLink> Link(bool stored = true) {
    RootSetup& setup = setups_.emplace_back();
    setup.root = "/some/root";
    setup.key.root = setup.root;
    setup.policy_hash = "policy";
    setup.clocks = &clocks_;
    setup.store_options = {.folder = cache_.Path("index"), .lock_timeout_ms = 0};
    if (stored) {
      auto store = index::OpenStore(setup.store_options, setup.key, true);
      EXPECT_TRUE(store.ok());
      setup.store = std::move(*store);
    }
    return std::make_unique<StoreLink>(setup, [this](const Error&) { ++losses_; });
  }
  static index::SegmentId Keep(StoreLink& link, index::Segments& segments) {
    const auto id = link.Keep(Image("text\n"), segments);
    EXPECT_TRUE(id.ok());
    return *id;
  }
  static index::StoreChange ChangeWith(const StoreLink& link, std::vector<index::SegmentId> segments) {
    index::StoreChange change;
    change.meta = link.MetaOf({});
    change.replace_rows = true;
    change.new_segments = std::move(segments);
    return change;
  }

  testing::TempTree cache_;
  testing::FakeClocks clocks_;
  std::deque<RootSetup> setups_;
  int losses_ = 0;
};

TEST_F(StoreLinkTest, WithoutAStoreSegmentsLiveInMemory) {
  const auto link = Link(false);
  index::Segments segments;
  EXPECT_EQ(Keep(*link, segments), 1U);
  EXPECT_EQ(Keep(*link, segments), 2U);
  EXPECT_EQ(segments.size(), 2U);
  EXPECT_FALSE(link->writes());
  EXPECT_EQ(link->storage(), IndexStorage::kMemory);
  EXPECT_EQ(losses_, 0);
  EXPECT_TRUE(link->Clear().ok());
}

TEST_F(StoreLinkTest, WhatIsCommittedIsLoadedByTheNextProcess) {
  std::int64_t created_ms = 0;
  {
    const auto link = Link();
    EXPECT_FALSE((*link->Load()).has_value());
    index::Segments segments;
    const auto change = ChangeWith(*link, {Keep(*link, segments)});
    link->NoteScan(change.meta);
    created_ms = change.meta.created_ms;
    EXPECT_EQ(created_ms, clocks_.WallMs());
    ASSERT_TRUE(*link->Commit(change));
    clocks_.Advance(std::chrono::hours(1));
    EXPECT_EQ(link->MetaOf({}).created_ms, created_ms);
    EXPECT_EQ(link->MetaOf({}).updated_ms, clocks_.WallMs());
    EXPECT_EQ(link->updated_ms(), created_ms);
  }
  const auto link = Link();
  auto loaded = link->Load();
  ASSERT_TRUE(loaded.ok() && loaded->has_value());
  EXPECT_EQ((*loaded)->segments.size(), 1U);
  EXPECT_EQ((*loaded)->meta.policy_hash, "policy");
  EXPECT_EQ(link->MetaOf({}).created_ms, created_ms);
  EXPECT_EQ(Keep(*link, (*loaded)->segments), 2U) << "a number is never given twice";
}

TEST_F(StoreLinkTest, AStoreThatDisappearsIsLostOnceAndFoundAgain) {
  const auto link = Link();
  fs::remove_all(cache_.Path("index"));
  index::Segments segments;
  Keep(*link, segments);
  Keep(*link, segments);
  EXPECT_EQ(segments.size(), 2U) << "in memory";
  EXPECT_EQ(losses_, 1);
  EXPECT_FALSE(link->writes());
  EXPECT_EQ(link->storage(), IndexStorage::kMemory);
  EXPECT_EQ(link->fallback(), StorageFallback::kNotCreatable);
  EXPECT_NE(link->problem(), "");
  link->FindAgain();
  EXPECT_TRUE(link->writes());
  EXPECT_EQ(link->fallback(), std::nullopt);
  EXPECT_EQ(link->problem(), "");
  Keep(*link, segments);
  EXPECT_EQ(losses_, 2) << "it is still gone";
}

TEST_F(StoreLinkTest, ASegmentThatAnotherProgramWroteToIsFound) {
  const auto link = Link();
  index::Segments segments;
  Keep(*link, segments);
  const auto& segment = segments.begin()->second;
  EXPECT_TRUE(segment->Candidates(QueryFor("text")).ok());
  for (const auto& entry : fs::directory_iterator(cache_.Path("index"))) {
    if (entry.path().extension() == ".seg") std::ofstream(entry.path(), std::ios::app) << "more";
  }
  EXPECT_FALSE(segment->Candidates(QueryFor("ext")).ok());
  // What is in memory says so, and no part of the file: an answer of before, and the dictionary.
  const auto known = segment->Candidates(QueryFor("text"));
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->count(), 1U);
  const auto none = segment->Candidates(QueryFor("absent"));
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
}

TEST_F(StoreLinkTest, ASegmentWhoseFileWasReplacedIsStillWhole) {
  const auto link = Link();
  index::Segments segments;
  Keep(*link, segments);
  for (const auto& entry : fs::directory_iterator(cache_.Path("index"))) {
    if (entry.path().extension() != ".seg") continue;
    fs::remove(entry.path());
    std::ofstream(entry.path()) << "a later segment";
  }
  EXPECT_TRUE(segments.begin()->second->Candidates(QueryFor("text")).ok());
  EXPECT_TRUE(segments.begin()->second->Verify().ok());
}

TEST_F(StoreLinkTest, BesideAnotherWriterNothingIsWritten) {
  const auto first = Link();
  const auto second = Link();
  EXPECT_TRUE(first->writes());
  EXPECT_FALSE(second->writes());
  EXPECT_EQ(second->storage(), IndexStorage::kSqlite);
  index::Segments segments;
  Keep(*second, segments);
  EXPECT_EQ(first->bytes_on_disk(), 0U);
  EXPECT_FALSE(second->Clear().ok());
  EXPECT_TRUE(first->HasNoOtherWriter().ok());
  EXPECT_FALSE(second->HasNoOtherWriter().ok());
  EXPECT_EQ(losses_, 0);
}

// Another program holds the database for longer than index_lock_timeout_ms.
TEST_F(StoreLinkTest, ALockedDatabaseIsWrittenLater) {
  const auto link = Link();
  index::Segments segments;
  index::StoreChange first = ChangeWith(*link, {Keep(*link, segments)});
  for (const char* path : {"a", "b", "d"}) first.rows.emplace_back().path = path;
  ASSERT_TRUE(*link->Commit(first));
  {
    auto other = index::SqliteDatabase::Open(cache_.Path("index/" + index::HashOf(setups_.back().key) + ".db"),
                                             index::SqliteDatabase::Mode::kWrite, Deadline::After(0));
    ASSERT_TRUE(other.ok());
    const auto held = index::SqliteTransaction::Begin(*other, index::SqliteDatabase::Mode::kWrite);
    ASSERT_TRUE(held.ok());
    index::StoreChange second;
    second.meta = link->MetaOf({});
    second.rows.resize(2);
    second.rows[0].path = "a";
    second.rows[0].info.size = 7;
    second.rows[1].path = "c";
    second.new_segments = {Keep(*link, segments)};
    EXPECT_FALSE(*link->Commit(second));
    index::StoreChange third;
    third.meta = link->MetaOf({});
    third.removed = {"b", "c"};
    third.dropped_segments = {1};
    EXPECT_FALSE(*link->Commit(third));
    link->Tidy();
    EXPECT_TRUE(link->writes()) << "the store is not lost";
    EXPECT_EQ(link->storage(), IndexStorage::kSqlite);
    EXPECT_NE(link->problem(), "");
    EXPECT_EQ(losses_, 0);
  }
  link->Tidy();
  EXPECT_EQ(link->problem(), "");
  const auto reader = index::OpenStore(setups_.back().store_options, setups_.back().key, false);
  const auto loaded = (*reader)->Load();
  ASSERT_TRUE(loaded.ok() && loaded->has_value());
  ASSERT_EQ((*loaded)->rows.size(), 2U);
  EXPECT_EQ((*loaded)->rows[0].info.size, 7U);
  EXPECT_EQ((*loaded)->rows[1].path, "d");
  EXPECT_EQ((*loaded)->segments, std::vector<index::SegmentId>{2});
}

TEST_F(StoreLinkTest, WhatIsLockedToTheEndIsLost) {
  const auto link = Link();
  ASSERT_TRUE(*link->Commit(ChangeWith(*link, {})));
  auto other = index::SqliteDatabase::Open(cache_.Path("index/" + index::HashOf(setups_.back().key) + ".db"),
                                           index::SqliteDatabase::Mode::kWrite, Deadline::After(0));
  const auto held = index::SqliteTransaction::Begin(*other, index::SqliteDatabase::Mode::kWrite);
  EXPECT_FALSE(*link->Commit(ChangeWith(*link, {})));
  link->SaveCheckpoint(ChangeWith(*link, {}));
  EXPECT_EQ(losses_, 1);
  EXPECT_EQ(link->storage(), IndexStorage::kMemory);
}

// FR-LSI-IDX-RM-01: at every growth.
TEST_F(StoreLinkTest, OtherIndexesMakeRoom) {
  const auto link = Link();
  const RootSetup& own = setups_.back();
  setups_.back().config.max_indexes = 1;
  const auto other = [&](const std::string& root) {
    index::IndexKey key = own.key;
    key.root = root;
    return std::move(*index::OpenStore(own.store_options, key, true));
  };
  ASSERT_TRUE(other("/old")->Commit({}).ok());
  EXPECT_TRUE(link->MakeRoom(0));
  EXPECT_EQ(index::TotalOf(own.store_options.folder).indexes, 0U) << "room for the index that begins";
  index::Segments segments;
  ASSERT_TRUE(*link->Commit(ChangeWith(*link, {Keep(*link, segments)})));
  EXPECT_TRUE(link->MakeRoom(0));
  EXPECT_GT(link->bytes_on_disk(), 0U);
  // Another process uses the rest.
  const auto open = other("/open");
  ASSERT_TRUE(open->Commit({}).ok());
  EXPECT_TRUE(link->MakeRoom(0));
  EXPECT_FALSE(link->writes());
  EXPECT_EQ(losses_, 1);
  EXPECT_NE(link->problem().find("index_max_indexes"), std::string::npos);
}

// FR-LSI-IDX-RM-02.
TEST_F(StoreLinkTest, LoadingIsAUse) {
  {
    const auto link = Link();
    ASSERT_TRUE(*link->Commit(ChangeWith(*link, {})));
  }
  clocks_.Advance(std::chrono::hours(1000));
  RootSetup& setup = setups_.emplace_back();
  setup.policy_hash = "policy";
  setup.clocks = &clocks_;
  setup.key = setups_[0].key;
  setup.store_options = setups_[0].store_options;
  setup.store = std::move(*index::OpenStore(setup.store_options, setup.key, false));
  StoreLink reader(setup, [](const Error&) {});
  ASSERT_TRUE(reader.Load().ok());
  EXPECT_EQ(index::ListStored(setup.store_options)[0].used_ms, clocks_.WallMs());
}

// SEC-LSI-02.
TEST_F(StoreLinkTest, WhatBelongsToAnotherPolicyIsRemoved) {
  {
    const auto link = Link();
    index::Segments segments;
    ASSERT_TRUE(*link->Commit(ChangeWith(*link, {Keep(*link, segments)})));
  }
  const auto link = Link();
  setups_.back().policy_hash = "another";
  const auto loaded = link->Load();
  ASSERT_TRUE(loaded.ok() && loaded->has_value());
  EXPECT_EQ((*loaded)->meta.policy_hash, "policy");
  EXPECT_EQ((*loaded)->catalog.rows(), 0U);
  EXPECT_TRUE((*loaded)->segments.empty());
  EXPECT_EQ(link->bytes_on_disk(), 0U);
  index::Segments segments;
  EXPECT_EQ(Keep(*link, segments), 2U) << "a number is never given twice";
}

// The patterns are the same, but a root that an anchored pattern starts from is new.
TEST_F(StoreLinkTest, AFileThatIsDeniedUnderOtherRootsIsRemoved) {
  testing::TempTree tree;
  tree.Write("sub/key", "");
  SandboxConfig rules;
  rules.denied_patterns = {"sub/key"};
  const auto fill = [&](const std::vector<std::string>& roots) {
    const auto link = Link();
    setups_.back().root = tree.Path("sub");
    setups_.back().sandbox = std::make_shared<const Sandbox>(*Sandbox::Create(roots, "", rules));
    const auto loaded = link->Load();
    index::StoreChange change = ChangeWith(*link, {});
    change.rows.emplace_back().path = "key";
    EXPECT_TRUE(*link->Commit(change));
    return *loaded ? (*loaded)->catalog.rows() : 0;
  };
  EXPECT_EQ(fill({tree.Path("sub")}), 0U) << "nothing is stored yet";
  EXPECT_EQ(fill({tree.Path("sub")}), 1U);
  EXPECT_EQ(fill({tree.Path("sub"), tree.root()}), 0U);
}

TEST_F(StoreLinkTest, OnceSealedItWritesNothing) {
  const auto link = Link();
  link->Seal();
  index::Segments segments;
  Keep(*link, segments);
  EXPECT_EQ(segments.size(), 1U);
  EXPECT_FALSE(link->writes());
  EXPECT_EQ(link->bytes_on_disk(), 0U);
  EXPECT_EQ(losses_, 0);
}

TEST_F(StoreLinkTest, AnIndexThatDoesNotFitAloneIsTold) {
  const auto link = Link();
  setups_.back().config.max_indexes = 10;
  index::Segments segments;
  ASSERT_TRUE(*link->Commit(ChangeWith(*link, {Keep(*link, segments)})));
  setups_.back().config.max_db_bytes = 1 << 30;
  EXPECT_TRUE(link->MakeRoom(0));
  EXPECT_GT(link->bytes_on_disk(), 0U);
  setups_.back().config.max_db_bytes = 1;
  EXPECT_FALSE(link->MakeRoom(0));
}

}  // namespace
}  // namespace forge::indexer
