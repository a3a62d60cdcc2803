// Any stored byte may be wrong. Then a reader gets an error that says so, or
// exactly what was stored.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "index/store/segment_file.h"
#include "index/store/store.h"
#include "index/store/store_files.h"
#include "index/store/testing/child.h"
#include "index/store/testing/random_store.h"
#include "tests/testing/temp_tree.h"

namespace forge::index {
namespace {

namespace fs = std::filesystem;

class StoreDamageTest : public ::testing::Test {
 protected:
  std::string FilePath(std::string_view suffix) const { return tree_.Path(HashOf(key_) + std::string(suffix)); }
  std::string Read(std::string_view suffix) const { return tree_.Read(HashOf(key_) + std::string(suffix)); }
  void Write(std::string_view suffix, std::string_view bytes) const {
    tree_.Write(HashOf(key_) + std::string(suffix), bytes);
  }
  void WriteByte(std::string_view suffix, std::size_t at, char byte) const {
    std::fstream file(FilePath(suffix), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }
  void CommitSome(Store& store, std::uint64_t number) const {
    StoreChange change = NumberedChange(key_, number);
    change.new_segments = {1};  // so that no table is empty
    Must(store.WriteSegment(1, "one"));
    Must(store.Commit(change));
  }

  // What Load returns for a state with this number.
  std::string Verdict(std::uint64_t number, bool write = false) const {
    const auto index = MustOpen(tree_.root(), key_, write)->Load();
    if (!index) return index.error().code == ErrorCode::kDamaged ? "damage" : "error: " + index.error().message;
    if (!*index) return "nothing";
    const StoredIndex& found = **index;
    const bool right = found.rows == NumberedRows(number) && found.meta == MetaOf(key_, number) &&
                       found.segments == std::vector<SegmentId>{1};
    return right ? "right" : "wrong";
  }
  static bool IsFine(const std::string& verdict) { return verdict == "damage" || verdict == "right"; }

  testing::TempTree tree_;
  IndexKey key_ = KeyOf("/r");
};

TEST_F(StoreDamageTest, AFlippedByteOfTheDatabase) {
  CommitSome(*MustOpen(tree_.root(), key_, true), 2);
  const std::string good = Read(".db");
  std::size_t found = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    // Most of a small database is empty.
    if (good[at] == '\0' && at >= 100 && at % 64 != 0) continue;
    WriteByte(".db", at, static_cast<char>(good[at] ^ (1 << at % 8)));
    const std::string verdict = Verdict(2);
    const bool version = at >= 60 && at < 64;  // of another version: it is built anew, too
    ASSERT_TRUE(IsFine(verdict) || (version && verdict == "nothing")) << "byte " << at << ": " << verdict;
    if (verdict == "damage") ++found;
    WriteByte(".db", at, good[at]);
  }
  EXPECT_GT(found, 1000U);
  EXPECT_EQ(Verdict(2), "right");
}

TEST_F(StoreDamageTest, AWriterDoesNotSpreadIt) {
  CommitSome(*MustOpen(tree_.root(), key_, true), 2);
  const std::string good = Read(".db");
  const std::string stamp = Read(".stamp");
  testing::Random random(testing::FirstSeed());
  for (int i = 0; i < 40; ++i) {
    std::size_t at = random.Below(good.size());
    while (good[at] == '\0' && !random.OneIn(200)) at = random.Below(good.size());
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << random.Below(8)));
    for (const auto* suffix : {".db-wal", ".db-shm"}) fs::remove(FilePath(suffix));
    Write(".db", bad);
    Write(".stamp", stamp);
    const auto store = MustOpen(tree_.root(), key_, true);
    const auto index = store->Load();
    if (!index) {
      ASSERT_EQ(index.error().code, ErrorCode::kDamaged) << "byte " << at << ": " << index.error().message;
      Must(store->Clear());
    }
    CommitSome(*store, 3);
    ASSERT_EQ(MustLoad(*store).rows, NumberedRows(3)) << "byte " << at;
  }
}

// The text of the schema has no checksum, and only a write notices that a
// column has another name.
TEST_F(StoreDamageTest, AFlippedByteOfTheSchema) {
  CommitSome(*MustOpen(tree_.root(), key_, true), 2);
  const std::string good = Read(".db");
  const std::string stamp = Read(".stamp");
  const std::size_t begin = good.find("CREATE TABLE index_meta");
  const std::size_t end = good.find("row_checksum INTEGER NOT NULL", begin);
  ASSERT_NE(end, std::string::npos);
  for (std::size_t at = begin; at < end; at += 3) {
    for (const auto* suffix : {".db-wal", ".db-shm"}) fs::remove(FilePath(suffix));
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    Write(".db", bad);
    Write(".stamp", stamp);
    // While there is a reader, the files are not replaced unless they must be.
    const auto reader = at % 2 == 0 ? MustOpen(tree_.root(), key_, false) : nullptr;
    const auto store = MustOpen(tree_.root(), key_, true);
    const auto index = store->Load();
    ASSERT_TRUE(!index && index.error().code == ErrorCode::kDamaged) << "byte " << at;
    Must(store->Clear());
    CommitSome(*store, 3);
    ASSERT_EQ(MustLoad(*store).rows, NumberedRows(3)) << "byte " << at;
  }
}

TEST_F(StoreDamageTest, ACutDatabase) {
  CommitSome(*MustOpen(tree_.root(), key_, true), 2);
  const std::size_t size = Read(".db").size();
  // From long to short, so that nothing has to be written again.
  for (std::size_t left = size; left > 0;) {
    left = left > 101 ? left - 101 : left - 1;
    fs::resize_file(FilePath(".db"), left);
    ASSERT_EQ(Verdict(2), "damage") << left;
  }
}

// As a killed writer leaves it: all data is in the log, the database is empty.
class StoreLogTest : public StoreDamageTest {
 protected:
  void SetUp() override {
    const testing::Child child([&](int out) {
      const auto store = MustOpen(tree_.root(), key_, true);
      for (std::uint64_t number = 2; number <= 5; ++number) CommitSome(*store, number);
      testing::Child::Say(out, "done");
      _exit(0);
    });
    ASSERT_EQ(child.Rest(), "done");
    log_ = Read(".db-wal");
    ASSERT_GT(log_.size(), 50'000U);
  }
  std::string VerdictAfterRecovery() const {
    fs::remove(FilePath(".db-shm"));
    return Verdict(5);
  }

  std::string log_;
};

TEST_F(StoreLogTest, AFlippedByteOfTheLog) {
  constexpr std::size_t kHeader = 32;
  constexpr std::size_t kFrame = 24 + 8192;
  testing::Random random(testing::FirstSeed());
  std::size_t found = 0;
  EXPECT_EQ(VerdictAfterRecovery(), "right");
  for (std::size_t at = 0; at < log_.size(); ++at) {
    const bool in_header = at < kHeader || (at - kHeader) % kFrame < 24;
    if (!in_header && !random.OneIn(200)) continue;
    WriteByte(".db-wal", at, static_cast<char>(log_[at] ^ (1 << at % 8)));
    const std::string verdict = VerdictAfterRecovery();
    ASSERT_TRUE(IsFine(verdict)) << "byte " << at << ": " << verdict;
    if (verdict == "damage") ++found;
    WriteByte(".db-wal", at, log_[at]);
  }
  EXPECT_GT(found, 500U);
}

TEST_F(StoreLogTest, ACutLog) {
  for (std::size_t left = log_.size(); left > 0;) {
    left = left > 211 ? left - 211 : left - 1;
    fs::resize_file(FilePath(".db-wal"), left);
    ASSERT_EQ(VerdictAfterRecovery(), "damage") << left;
  }
}

TEST_F(StoreDamageTest, AWrongStampIsDamage) {
  CommitSome(*MustOpen(tree_.root(), key_, true), 2);
  const std::string good = Read(".stamp");
  for (std::size_t at = 0; at < good.size(); ++at) {
    WriteByte(".stamp", at, static_cast<char>(good[at] ^ 1));
    EXPECT_EQ(Verdict(2), "damage");
    WriteByte(".stamp", at, good[at]);
  }
  for (std::size_t size = good.size() - 1; size > 0; --size) {
    Write(".stamp", good.substr(0, size));
    EXPECT_EQ(Verdict(2), "damage");
  }
  const auto store = MustOpen(tree_.root(), key_, true);
  Must(store->Clear());
  CommitSome(*store, 3);
  EXPECT_EQ(Verdict(3), "right");
}

TEST_F(StoreDamageTest, AnOlderDatabaseIsNotTakenForTheLast) {
  CommitSome(*MustOpen(tree_.root(), key_, true), 2);
  const std::string old = Read(".db");
  CommitSome(*MustOpen(tree_.root(), key_, true), 3);
  EXPECT_EQ(Verdict(3), "right");
  Write(".db", old);
  EXPECT_EQ(Verdict(3), "damage");
}

TEST_F(StoreDamageTest, AnEmptyDatabaseThatNobodyCommittedToIsNothing) {
  Write(".db", "");
  EXPECT_EQ(Verdict(2), "nothing");
  EXPECT_EQ(Verdict(2, true), "nothing");
}

TEST_F(StoreDamageTest, EveryFlippedByteOfASegment) {
  const StoreFiles files{tree_.root(), HashOf(key_)};
  std::string image;
  for (int i = 0; i < 9000; ++i) image += static_cast<char>(i * 31);
  const Result<SegmentRecord> record = WriteSegmentFile(files, 1, image);
  ASSERT_TRUE(record);
  for (std::size_t at = 0; at < image.size(); ++at) {
    WriteByte(".1.seg", at, static_cast<char>(image[at] ^ (1 << at % 8)));
    ASSERT_FALSE(OpenSegmentFile(files, *record, true)) << at;
    const bool edge = at < 4096 || at >= image.size() - 4096;
    ASSERT_EQ(OpenSegmentFile(files, *record, false).ok(), !edge) << at;
    WriteByte(".1.seg", at, image[at]);
  }
  EXPECT_TRUE(OpenSegmentFile(files, *record, true));
}

}  // namespace
}  // namespace forge::index
