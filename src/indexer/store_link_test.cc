#include "indexer/store_link.h"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include "index/postings/postings_segment.h"
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
    change.meta = link.MetaOf({}, true);
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
    EXPECT_EQ(link->MetaOf({}, true).created_ms, created_ms);
    EXPECT_EQ(link->MetaOf({}, true).updated_ms, clocks_.WallMs());
    EXPECT_EQ(link->updated_ms(), created_ms);
  }
  const auto link = Link();
  auto loaded = link->Load();
  ASSERT_TRUE(loaded.ok() && loaded->has_value());
  EXPECT_EQ((*loaded)->segments.size(), 1U);
  EXPECT_EQ((*loaded)->meta.policy_hash, "policy");
  EXPECT_EQ(link->MetaOf({}, true).created_ms, created_ms);
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
  EXPECT_EQ(link->FindWrittenTo(segments), std::nullopt);
  for (const auto& entry : fs::directory_iterator(cache_.Path("index"))) {
    if (entry.path().extension() == ".seg") std::ofstream(entry.path(), std::ios::app) << "more";
  }
  EXPECT_NE(link->FindWrittenTo(segments), std::nullopt);
  EXPECT_EQ(link->FindWrittenTo({}), std::nullopt) << "no search uses it";
  link->ForgetAllBut({});
  EXPECT_EQ(link->FindWrittenTo(segments), std::nullopt);
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
  EXPECT_EQ(losses_, 0);
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

TEST_F(StoreLinkTest, AnIndexThatDoesNotFitAloneIsCleared) {
  const auto link = Link();
  setups_.back().config.max_indexes = 10;
  index::Segments segments;
  ASSERT_TRUE(*link->Commit(ChangeWith(*link, {Keep(*link, segments)})));
  setups_.back().config.max_db_bytes = 1 << 30;
  EXPECT_TRUE(link->FitIntoLimits());
  EXPECT_GT(link->bytes_on_disk(), 0U);
  setups_.back().config.max_db_bytes = 1;
  EXPECT_FALSE(link->FitIntoLimits());
  EXPECT_EQ(link->bytes_on_disk(), 0U);
}

}  // namespace
}  // namespace forge::indexer
