#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "index/postings/postings_segment.h"
#include "index/store/commit_stamp.h"
#include "index/store/meta_record.h"
#include "index/store/segment_file.h"
#include "index/store/store.h"
#include "index/store/store_files.h"
#include "index/store/testing/child.h"
#include "index/store/testing/random_store.h"
#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge::index {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SqliteStoreTest : public ::testing::Test {
 protected:
  StoreFiles Files() const { return {tree_.root(), HashOf(key_)}; }
  std::vector<std::string> Names(std::string_view suffix) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(tree_.root())) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(suffix)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  testing::TempTree tree_;
  IndexKey key_ = KeyOf("/some/root");
};

TEST_F(SqliteStoreTest, NothingIsStoredAtFirst) {
  for (const bool write : {false, true}) {
    const auto store = MustOpen(tree_.root(), key_, write);
    EXPECT_EQ(store->writable(), write);
    const auto index = store->Load();
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_FALSE(index->has_value());
    EXPECT_EQ(store->bytes_on_disk(), 0U);
  }
}

TEST_F(SqliteStoreTest, EverythingComesBack) {
  testing::Random random(testing::FirstSeed());
  StoreChange change;
  change.meta = {key_, State::kUncertain, Reason::kWatcherDown, 7, 11, 12, 13, "policy"};
  change.replace_rows = true;
  change.rows = InOrder(RandomModel(random, 5000));
  change.new_segments = {3, 1};
  {
    const auto store = MustOpen(tree_.root(), key_, true);
    Must(store->WriteSegment(3, "three"));
    Must(store->WriteSegment(1, "one"));
    Must(store->Commit(change));
  }
  for (const bool write : {false, true}) {
    const auto store = MustOpen(tree_.root(), key_, write);
    const StoredIndex index = MustLoad(*store);
    EXPECT_EQ(index.meta, change.meta);
    EXPECT_TRUE(index.rows == change.rows);
    EXPECT_THAT(index.segments, ElementsAre(1, 3));
    EXPECT_GT(store->bytes_on_disk(), 100'000U);
  }
}

// One random row is added, replaced or removed at a time; now and then hundreds.
TEST_F(SqliteStoreTest, SingleChangesEqualAModel) {
  const std::uint64_t seed = testing::FirstSeed();
  testing::Random random(seed);
  Model model = RandomModel(random, 2500);
  auto store = MustOpen(tree_.root(), key_, true);
  StoreChange all;
  all.meta = MetaOf(key_);
  all.replace_rows = true;
  all.rows = InOrder(model);
  Must(store->Commit(all));
  for (std::uint64_t step = 1; step <= 200; ++step) {
    Model changed;
    StoreChange change;
    change.meta = MetaOf(key_, step);
    for (std::size_t n = random.OneIn(20) ? 700 : random.Below(4); n > 0; --n) {
      const std::string path =
          random.OneIn(2) ? RandomPath(random)
                          : std::next(model.begin(), static_cast<std::ptrdiff_t>(random.Below(model.size())))->first;
      if (random.OneIn(2)) {
        changed[path] = RandomRow(random, path);
      } else if (!changed.contains(path)) {
        change.removed.push_back(path);
      }
    }
    for (const std::string& path : change.removed) model.erase(path);
    for (const auto& [path, row] : changed) model[path] = row;
    change.rows = InOrder(changed);
    Must(store->Commit(change));
    if (step % 25 != 0) continue;
    store.reset();
    store = MustOpen(tree_.root(), key_, true);
    const StoredIndex index = MustLoad(*store);
    ASSERT_TRUE(index.rows == InOrder(model)) << "seed " << seed << " step " << step;
    ASSERT_EQ(index.meta.coverage_epoch, step);
  }
  StoreChange none;
  none.meta = MetaOf(key_);
  for (const auto& [path, row] : model) none.removed.push_back(path);
  Must(store->Commit(none));
  EXPECT_TRUE(MustLoad(*store).rows.empty());
  none.rows = NumberedRows(1);
  none.removed.clear();
  Must(store->Commit(none));
  EXPECT_EQ(MustLoad(*store).rows, none.rows);
}

TEST_F(SqliteStoreTest, ASegmentThatNoCommitNamesIsCollected) {
  {
    const auto store = MustOpen(tree_.root(), key_, true);
    for (SegmentId id = 1; id <= 3; ++id) Must(store->WriteSegment(id, "segment"));
    StoreChange change = NumberedChange(key_, 0);
    change.new_segments = {1, 2};
    Must(store->Commit(change));
    change.new_segments.clear();
    change.dropped_segments = {1};
    Must(store->Commit(change));
    tree_.Write(Files().TemporaryName(9), "torn");
    tree_.Write("other.5.seg", "not ours");
    EXPECT_EQ(Names(".seg").size(), 3U);
  }
  MustOpen(tree_.root(), key_, false);
  EXPECT_EQ(Names(".seg").size(), 3U) << "a reader deletes nothing";
  const auto store = MustOpen(tree_.root(), key_, true);
  EXPECT_THAT(Names(".seg"), ::testing::UnorderedElementsAre(Files().SegmentName(2), "other.5.seg"));
  EXPECT_TRUE(Names(".tmp").empty());
  EXPECT_THAT(MustLoad(*store).segments, ElementsAre(2));
}

TEST_F(SqliteStoreTest, ASegmentThatWasNotWrittenCannotBeCommitted) {
  const auto store = MustOpen(tree_.root(), key_, true);
  StoreChange change = NumberedChange(key_, 0);
  change.new_segments = {1};
  const Status status = store->Commit(change);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().code, ErrorCode::kDamaged);
  EXPECT_FALSE(store->Load()->has_value()) << "nothing of it is stored";
}

TEST_F(SqliteStoreTest, ASegmentThatIsMissingOrCutIsDamage) {
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->WriteSegment(1, "segment"));
  StoreChange change = NumberedChange(key_, 0);
  change.new_segments = {1};
  Must(store->Commit(change));
  tree_.Write(Files().SegmentName(1), "segmen");
  EXPECT_EQ(store->Open(1).error().code, ErrorCode::kDamaged);
  tree_.Write(Files().SegmentName(1), "segmenT");
  EXPECT_EQ(store->Open(1).error().code, ErrorCode::kDamaged);
  tree_.Remove(Files().SegmentName(1));
  EXPECT_EQ(store->Open(1).error().code, ErrorCode::kDamaged);
  EXPECT_NE(store->Open(2).error().code, ErrorCode::kDamaged);
}

TEST_F(SqliteStoreTest, ASegmentOpensAfterTheCommit) {
  const auto builder = MakePostingsBuilder();
  builder->Add("some text\n");
  const std::uint32_t docs = builder->docs();
  {
    const auto store = MustOpen(tree_.root(), key_, true);
    Must(store->WriteSegment(1, builder->Finish()));
    EXPECT_TRUE(store->Open(1)) << "written, not yet committed";
    StoreChange change = NumberedChange(key_, 0);
    change.new_segments = {1};
    Must(store->Commit(change));
  }
  const auto reader = MustOpen(tree_.root(), key_, false);
  EXPECT_FALSE(reader->Open(1)) << "not loaded yet";
  MustLoad(*reader);
  const auto segment = reader->Open(1);
  ASSERT_TRUE(segment) << segment.error().message;
  EXPECT_EQ((*segment)->doc_count(), docs);
}

TEST_F(SqliteStoreTest, AReaderThatIsLateIsToldToLoadAgain) {
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->WriteSegment(1, "segment"));
  StoreChange change = NumberedChange(key_, 0);
  change.new_segments = {1};
  Must(store->Commit(change));
  const auto reader = MustOpen(tree_.root(), key_, false);
  MustLoad(*reader);
  change.new_segments.clear();
  change.dropped_segments = {1};
  Must(store->Commit(change));
  const auto late = reader->Open(1);
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().code, ErrorCode::kDamaged) << late.error().message;
}

TEST_F(SqliteStoreTest, AnOpenSegmentOutlivesItsFile) {
  const Result<SegmentRecord> record = WriteSegmentFile(Files(), 1, "0123456789");
  ASSERT_TRUE(record);
  const auto bytes = OpenSegmentFile(Files(), *record, true);
  ASSERT_TRUE(bytes);
  tree_.Remove(Files().SegmentName(1));
  char out[4];
  ASSERT_TRUE((*bytes)->Read(3, 4, out));
  EXPECT_EQ(std::string(out, 4), "3456");
  EXPECT_FALSE((*bytes)->Read(7, 4, out)) << "past the end";
  EXPECT_FALSE((*bytes)->Read(~std::uint64_t{0}, 4, out));
}

TEST_F(SqliteStoreTest, OnlyTheOwnerHasAccess) {
  const mode_t before = umask(0);
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->WriteSegment(1, "segment"));
  StoreChange change = NumberedChange(key_, 0);
  change.new_segments = {1};
  Must(store->Commit(change));
  umask(before);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tree_.root())) {
    struct stat st;
    ASSERT_EQ(stat(entry.path().c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 0777U, 0600U) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 7U) << "database, log, shared memory, segment, stamp, two locks";
}

TEST_F(SqliteStoreTest, ASecondWriterMayOnlyRead) {
  const auto first = MustOpen(tree_.root(), key_, true);
  Must(first->Commit(NumberedChange(key_, 4)));
  const auto second = MustOpen(tree_.root(), key_, true, 1);
  EXPECT_FALSE(second->writable());
  EXPECT_THAT(second->NotWritable().message, HasSubstr("process " + std::to_string(getpid())));
  EXPECT_EQ(MustLoad(*second).rows, NumberedRows(4));
  for (const Status& status :
       {second->Commit({}), second->Clear(), second->Checkpoint(), second->WriteSegment(1, "")}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kLocked);
  }
  Must(first->Commit(NumberedChange(key_, 5)));
  EXPECT_EQ(MustLoad(*second).rows, NumberedRows(5));
}

TEST_F(SqliteStoreTest, ClearRemovesTheFiles) {
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->WriteSegment(1, "segment"));
  StoreChange change = NumberedChange(key_, 0);
  change.new_segments = {1};
  Must(store->Commit(change));
  Must(store->Clear());
  EXPECT_EQ(store->bytes_on_disk(), 0U);
  EXPECT_FALSE(store->Load()->has_value());
  Must(store->Commit(NumberedChange(key_, 3)));
  EXPECT_EQ(MustLoad(*store).rows, NumberedRows(3));
}

// FR-LSI-BG-42: the process dies after it has said that it clears.
TEST_F(SqliteStoreTest, AClearThatWasInterruptedLeavesNothing) {
  {
    const auto store = MustOpen(tree_.root(), key_, true);
    Must(store->WriteSegment(1, "segment"));
    StoreChange change = NumberedChange(key_, 2);
    change.new_segments = {1};
    Must(store->Commit(change));
  }
  Must(WriteStamp(Files().stamp(), {ReadStamp(Files().stamp())->generation + 1, true}));
  const auto nothing = MustOpen(tree_.root(), key_, false)->Load();
  ASSERT_TRUE(nothing) << nothing.error().message;
  EXPECT_FALSE(nothing->has_value());
  EXPECT_EQ(Names(".seg").size(), 1U) << "a reader removes nothing";
  const auto store = MustOpen(tree_.root(), key_, true);
  EXPECT_EQ(store->bytes_on_disk(), 0U) << "the next writer ends it";
  Must(store->Commit(NumberedChange(key_, 3)));
  EXPECT_EQ(MustLoad(*store).rows, NumberedRows(3));
}

// FR-LSI-BG-52.
TEST_F(SqliteStoreTest, AnIndexOfAnotherSchemaIsRemoved) {
  {
    const auto store = MustOpen(tree_.root(), key_, true);
    Must(store->WriteSegment(1, "segment"));
    StoreChange change = NumberedChange(key_, 2);
    change.new_segments = {1};
    Must(store->Commit(change));
  }
  std::string bytes = tree_.Read(HashOf(key_) + ".db");
  constexpr std::size_t kUserVersion = 63;  // its last byte in the header of a database
  ASSERT_EQ(bytes[kUserVersion], kSchemaVersion);
  bytes[kUserVersion] = kSchemaVersion - 1;
  tree_.Write(HashOf(key_) + ".db", bytes);
  const auto nothing = MustOpen(tree_.root(), key_, false)->Load();
  ASSERT_TRUE(nothing) << nothing.error().message;
  EXPECT_FALSE(nothing->has_value());
  const auto store = MustOpen(tree_.root(), key_, true);
  EXPECT_EQ(store->bytes_on_disk(), 0U);
  Must(store->Commit(NumberedChange(key_, 3)));
  EXPECT_EQ(MustLoad(*store).rows, NumberedRows(3));
}

// SEC-LSI-02.
TEST_F(SqliteStoreTest, WhatIsDeniedIsNotStored) {
  const auto store = MustOpen(tree_.root(), key_, true);
  StoreChange change = NumberedChange(key_, 2);
  change.rows.resize(2);
  change.rows[0].path = "zqdenied/";
  change.rows[0].kind = CatalogRow::Kind::kDenied;
  change.rows[1].path = "zqfile";
  for (const bool replace : {true, false}) {
    change.replace_rows = replace;
    Must(store->Commit(change));
    ASSERT_EQ(MustLoad(*store).rows.size(), 1U);
    EXPECT_EQ(MustLoad(*store).rows[0].path, "zqfile");
    for (const std::string& name : Names("")) {
      EXPECT_EQ(tree_.Read(name).find("zqdenied"), std::string::npos) << name;
    }
  }
}

// With a reader, the tables are emptied; free pages and the log are, too.
TEST_F(SqliteStoreTest, ClearLeavesNoBytesBehind) {
  for (const bool with_reader : {false, true}) {
    const auto store = MustOpen(tree_.root(), key_, true);
    StoreChange change = NumberedChange(key_, 2);
    change.rows[0].path = "a/zqpath";
    Must(store->Commit(change));
    Must(store->Checkpoint());
    change.replace_rows = false;
    change.rows[0].info.size = 99;
    Must(store->Commit(change));
    const auto reader = with_reader ? MustOpen(tree_.root(), key_, false) : nullptr;
    if (reader) MustLoad(*reader);
    Must(store->Clear());
    for (const std::string& name : Names("")) {
      EXPECT_EQ(tree_.Read(name).find("zqpath"), std::string::npos) << name << ", reader: " << with_reader;
    }
  }
}

// Opening a pipe without another end would wait for ever.
TEST_F(SqliteStoreTest, APipeInPlaceOfAFileIsNoticed) {
  for (const char* suffix :
       {".db", ".db-wal", ".db-shm", ".db-journal", ".stamp", ".1.seg", ".2.tmp", ".lock", ".use"}) {
    const testing::TempTree tree;
    const std::string path = tree.Path(HashOf(key_) + suffix);
    const testing::Child child([&](int out) {
      alarm(20);
      {
        const auto store = MustOpen(tree.root(), key_, true);
        Must(store->WriteSegment(1, "segment"));
        StoreChange change = NumberedChange(key_, 2);
        change.new_segments = {1};
        Must(store->Commit(change));
      }
      std::filesystem::remove(path);
      if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
      const auto reader = MustOpen(tree.root(), key_, false);
      if (reader->Load().ok()) static_cast<void>(reader->Open(1));
      ListStored({.folder = tree.root()});
      const auto store = MustOpen(tree.root(), key_, true);
      const auto loaded = store->Load();
      if (!loaded && loaded.error().code != ErrorCode::kDamaged) throw std::runtime_error(loaded.error().message);
      if (!loaded) Must(store->Clear());
      Must(store->WriteSegment(2, "segment"));
      Must(store->Commit(NumberedChange(key_, 3)));
      if (MustLoad(*store).rows != NumberedRows(3)) throw std::runtime_error("other rows");
      testing::Child::Say(out, "healed");
    });
    EXPECT_EQ(child.Rest(), "healed") << suffix;
  }
}

// As a writer leaves it that was stopped while it changed the index of the log: its two
// headers differ, and it holds the lock of writers.
TEST_F(SqliteStoreTest, AStoppedWriterDoesNotKeepAReaderWaiting) {
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->Commit(NumberedChange(key_, 2)));
  const testing::Child stopped([&](int out) {
    const int fd = open((Files().database() + "-shm").c_str(), O_RDWR);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 120;  // WAL_WRITE_LOCK
    lock.l_len = 1;
    const bool held = fcntl(fd, F_SETLK, &lock) == 0;
    const bool torn = pwrite(fd, "torn", 4, 8) == 4;
    testing::Child::Say(out, held && torn ? "x" : "?");
    while (true) pause();
  });
  ASSERT_TRUE(stopped.Wait());
  const auto began = std::chrono::steady_clock::now();
  const auto loaded = MustOpen(tree_.root(), key_, false, 250)->Load();
  const auto took = std::chrono::steady_clock::now() - began;
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kLocked) << loaded.error().message;
  EXPECT_LT(took, std::chrono::seconds(2));
}

TEST_F(SqliteStoreTest, ClearDoesNotDisturbAReader) {
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->Commit(NumberedChange(key_, 2)));
  const auto reader = MustOpen(tree_.root(), key_, false);
  EXPECT_EQ(MustLoad(*reader).rows, NumberedRows(2));
  Must(store->Clear());
  const auto none = reader->Load();
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(none->has_value());
  Must(store->Commit(NumberedChange(key_, 3)));
  EXPECT_EQ(MustLoad(*reader).rows, NumberedRows(3));
  EXPECT_EQ(MustLoad(*store).rows, NumberedRows(3));
}

TEST_F(SqliteStoreTest, ADamagedIndexCanBeClearedAndBuiltAnew) {
  MustOpen(tree_.root(), key_, true)->Commit(NumberedChange(key_, 2)).ok();
  tree_.Write(HashOf(key_) + ".db", std::string(50'000, 'x'));
  const auto store = MustOpen(tree_.root(), key_, true);
  const auto damaged = store->Load();
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kDamaged) << damaged.error().message;
  const Status refused = store->Commit(NumberedChange(key_, 3));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kDamaged);
  Must(store->Clear());
  Must(store->Commit(NumberedChange(key_, 3)));
  EXPECT_EQ(MustLoad(*store).rows, NumberedRows(3));
}

// FR-LSI-IDX-RM-02: a reader's use counts, too.
TEST_F(SqliteStoreTest, TouchChangesOnlyTheTimeOfUse) {
  {
    const auto store = MustOpen(tree_.root(), key_, true);
    Must(store->Commit(NumberedChange(key_, 2)));
    store->Touch(77'000);
  }
  StoreOptions options;
  options.folder = tree_.root();
  EXPECT_EQ(ListStored(options)[0].used_ms, 77'000);
  MustOpen(tree_.root(), key_, false)->Touch(99'000);
  EXPECT_EQ(ListStored(options)[0].used_ms, 99'000);
  EXPECT_EQ(MustLoad(*MustOpen(tree_.root(), key_, false)).meta, MetaOf(key_, 2));
}

TEST_F(SqliteStoreTest, CheckpointEmptiesTheLog) {
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->Commit(NumberedChange(key_, 2)));
  EXPECT_GT(std::filesystem::file_size(Files().database() + "-wal"), 0U);
  Must(store->Checkpoint());
  EXPECT_EQ(std::filesystem::file_size(Files().database() + "-wal"), 0U);
  Must(store->Commit(NumberedChange(key_, 3)));
  EXPECT_GT(std::filesystem::file_size(Files().database() + "-wal"), 0U);
  Must(store->Checkpoint());
  EXPECT_EQ(std::filesystem::file_size(Files().database() + "-wal"), 0U) << "each time that there is something";
}

TEST_F(SqliteStoreTest, EveryWordOfAClosedSetComesBack) {
  const auto store = MustOpen(tree_.root(), key_, true);
  for (int state = 0; state <= static_cast<int>(State::kDisabled); ++state) {
    for (int reason = 0; reason <= static_cast<int>(Reason::kMaintBudgetExceeded); ++reason) {
      StoreChange change = NumberedChange(key_, 2);
      change.meta.state = static_cast<State>(state);
      change.meta.reason = static_cast<Reason>(reason);
      Must(store->Commit(change));
      EXPECT_EQ(MustLoad(*store).meta, change.meta);
    }
  }
}

TEST_F(SqliteStoreTest, AnotherKeyUnderTheSameNameIsNamed) {
  IndexKey other = key_;
  other.backend_id = "ugrep@3.11.2";
  MustOpen(tree_.root(), key_, true)->Commit(NumberedChange(key_, 2)).ok();
  for (const auto* suffix : {".db", ".stamp"}) {
    std::filesystem::rename(tree_.Path(HashOf(key_) + suffix), tree_.Path(HashOf(other) + suffix));
  }
  const auto loaded = MustOpen(tree_.root(), other, false)->Load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kDamaged);
  EXPECT_THAT(loaded.error().message, HasSubstr("backend_id"));
}

TEST_F(SqliteStoreTest, AFolderThatCannotBeWrittenIsAnErrorButNoDamage) {
  MustOpen(tree_.root(), key_, true)->Commit(NumberedChange(key_, 2)).ok();
  std::filesystem::permissions(tree_.root(), std::filesystem::perms(0555));
  EXPECT_EQ(testing::AsNobody([&]() -> std::string {
              StoreOptions options;
              options.folder = tree_.root();
              const auto store = OpenStore(options, key_, true);
              if (store) return "opened";
              return store.error().code == ErrorCode::kDamaged ? "damage" : "error";
            }),
            "error");
  std::filesystem::permissions(tree_.root(), std::filesystem::perms(0700));
  StoreOptions missing;
  missing.folder = tree_.Path("missing");
  EXPECT_FALSE(OpenStore(missing, key_, true));
}

}  // namespace
}  // namespace forge::index
