// What a writer leaves when it dies at any moment, and what others see
// meanwhile.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <filesystem>

#include "index/store/store.h"
#include "index/store/store_files.h"
#include "index/store/testing/child.h"
#include "index/store/testing/random_store.h"
#include "tests/testing/temp_tree.h"

namespace forge::index {
namespace {

using testing::Child;

// Every third commit has a new segment in place of the one before.
SegmentId SegmentOf(std::uint64_t number) { return static_cast<SegmentId>(number / 3 * 3); }

std::vector<SegmentId> SegmentsOf(std::uint64_t number) {
  return number < 3 ? std::vector<SegmentId>() : std::vector<SegmentId>{SegmentOf(number)};
}

void CommitNumber(Store& store, const IndexKey& key, std::uint64_t number) {
  StoreChange change = NumberedChange(key, number);
  if (number >= 3 && number % 3 == 0) {
    Must(store.WriteSegment(SegmentOf(number), "segment " + std::to_string(number)));
    change.new_segments = {SegmentOf(number)};
    change.dropped_segments = SegmentsOf(number - 1);
  }
  Must(store.Commit(change));
  if (number % 5 == 0) Must(store.Checkpoint());
}

void CommitForEver(const std::string& folder, const IndexKey& key, std::uint64_t after, int out) {
  const auto store = MustOpen(folder, key, true);
  for (std::uint64_t number = after + 1;; ++number) {
    CommitNumber(*store, key, number);
    Child::Say(out, "x");
  }
}

std::size_t CountSegmentFiles(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".seg" || entry.path().extension() == ".tmp") ++count;
  }
  return count;
}

void Spin(std::size_t rounds) {
  volatile std::size_t sink = 0;
  for (std::size_t i = 0; i < rounds; ++i) sink = sink + i;
}

TEST(StoreCrash, AKilledWriterLeavesACommittedState) {
  const std::uint64_t seed = testing::FirstSeed();
  testing::Random random(seed);
  const testing::TempTree tree;
  const IndexKey key = KeyOf("/r");
  std::uint64_t number = 0;
  CommitNumber(*MustOpen(tree.root(), key, true), key, number);
  for (std::uint64_t run = 0; run < testing::CaseCount(100); ++run) {
    Child child([&](int out) { CommitForEver(tree.root(), key, number, out); });
    std::uint64_t told = 0;
    for (std::size_t wanted = 1 + random.Below(3); told < wanted && child.Wait(); ++told) {
    }
    Spin(random.Below(1'000'000));
    child.Kill();
    told += child.Rest().size();
    const auto store = MustOpen(tree.root(), key, true);
    const StoredIndex index = MustLoad(*store);
    const std::uint64_t found = index.meta.coverage_epoch;
    ASSERT_GE(found, number + told) << "seed " << seed << " run " << run << ": a commit that was reported is lost";
    ASSERT_LE(found, number + told + 1);
    ASSERT_EQ(index.rows, NumberedRows(found)) << "seed " << seed << " run " << run;
    ASSERT_EQ(index.segments, SegmentsOf(found));
    ASSERT_EQ(CountSegmentFiles(tree.root()), index.segments.size()) << "leftovers are collected";
    number = found;
  }
}

TEST(StoreCrash, AReaderSeesOneStateWhole) {
  const testing::TempTree tree;
  const IndexKey key = KeyOf("/r");
  CommitNumber(*MustOpen(tree.root(), key, true), key, 0);
  Child child([&](int out) { CommitForEver(tree.root(), key, 0, out); });
  ASSERT_TRUE(child.Wait());
  const auto second = MustOpen(tree.root(), key, true, 1);
  EXPECT_FALSE(second->writable());
  std::uint64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    const StoredIndex index = MustLoad(*second);
    const std::uint64_t found = index.meta.coverage_epoch;
    ASSERT_GE(found, last);
    ASSERT_EQ(index.rows, NumberedRows(found));
    ASSERT_EQ(index.segments, SegmentsOf(found));
    last = found;
  }
  child.Kill();
  EXPECT_TRUE(MustOpen(tree.root(), key, true)->writable()) << "the lock ends with its holder";
}

// A writer that clears and fills the index again and again.
TEST(StoreCrash, AReaderSeesNothingOrOneStateWhileItIsCleared) {
  const testing::TempTree tree;
  const IndexKey key = KeyOf("/r");
  Child child([&](int out) {
    const auto store = MustOpen(tree.root(), key, true);
    for (std::uint64_t number = 0;; ++number) {
      Must(store->Commit(NumberedChange(key, number)));
      Child::Say(out, "x");
      Must(store->Clear());
    }
  });
  ASSERT_TRUE(child.Wait());
  for (int i = 0; i < 100; ++i) {
    const auto store = MustOpen(tree.root(), key, false);
    const auto index = store->Load();
    // A reader that met three clearings in a row may report damage.
    if (!index) {
      ASSERT_TRUE(index.error().code == ErrorCode::kDamaged || index.error().code == ErrorCode::kLocked)
          << index.error().message;
    } else if (*index) {
      ASSERT_EQ((*index)->rows, NumberedRows((*index)->meta.coverage_epoch));
    }
  }
}

// Commits more and more until the disk is full. Returns the error, or "".
std::string FillDisk(const std::string& folder, const IndexKey& key) {
  const auto store = MustOpen(folder, key, true);
  Model model;
  testing::Random random(1);
  StoreChange change;
  change.meta = MetaOf(key);
  change.replace_rows = true;
  std::vector<CatalogRow> stored;
  while (true) {
    const Model more = RandomModel(random, 300);
    model.insert(more.begin(), more.end());
    change.rows = InOrder(model);
    const Status status = store->Commit(change);
    if (!status && status.error().code != ErrorCode::kDiskFull) return "not recognised: " + status.error().message;
    if (!status) break;
    stored = change.rows;
    if (stored.size() > 100'000) return "the disk is never full";
  }
  if (stored.empty()) return "nothing fitted";
  const Status segment = store->WriteSegment(1, std::string(1 << 20, 'x'));
  if (segment || segment.error().code != ErrorCode::kDiskFull) return "a segment fitted";
  if (CountSegmentFiles(folder) != 0) return "a torn segment is left";
  if (MustLoad(*store).rows != stored) return "the state before is lost";
  if (MustLoad(*MustOpen(folder, key, false)).rows != stored) return "a reader sees another state";
  Must(store->Clear());
  Must(store->Commit(NumberedChange(key, 2)));
  return MustLoad(*store).rows == NumberedRows(2) ? "" : "not usable afterwards";
}

TEST(StoreCrash, AFullDiskLosesNothing) {
  const testing::TempTree tree;
  const Child child([&](int out) {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", tree.root().c_str(), "tmpfs", 0, "size=600k,mode=0700") != 0) {
      return Child::Say(out, "not permitted");
    }
    Child::Say(out, FillDisk(tree.root(), KeyOf("/r")));
  });
  const std::string said = child.Rest();
  if (said == "not permitted") GTEST_SKIP() << "NOT TESTED: a full disk; this needs the right to mount a tmpfs";
  EXPECT_EQ(said, "");
}

}  // namespace
}  // namespace forge::index
