#include "indexer/publish/update_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/postings/postings_segment.h"
#include "index/segment/segment.h"
#include "index/snapshot/open_segment.h"
#include "indexer/publish/scan_steps.h"

namespace forge::indexer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

index::CatalogRow Row(const std::string& path, index::SegmentId segment) {
  index::CatalogRow row;
  row.path = path;
  row.status = index::TokenStatus::kFull;
  row.settled = true;
  row.segment = segment;
  row.docs = {0, 1};
  return row;
}

// A small segment for each of so many files.
index::Snapshot SnapshotOf(index::SegmentId files) {
  index::Snapshot out;
  std::vector<index::CatalogRow> rows;
  for (index::SegmentId id = 1; id <= files; ++id) {
    const auto builder = index::MakePostingsBuilder();
    builder->Add("text\n");
    out.segments[id] = *index::OpenSegment(index::InMemory(builder->Finish()));
    rows.push_back(Row("f" + std::to_string(100 + id), id));
  }
  out.catalog = index::Catalog(rows);
  return out;
}

TEST(UpdateSteps, FilesOfManySmallSegmentsAreIndexedTogether) {
  EXPECT_THAT(FilesOfSmallSegments(SnapshotOf(16)), IsEmpty());
  const std::vector<std::string> files = FilesOfSmallSegments(SnapshotOf(17));
  ASSERT_THAT(files, SizeIs(17));
  EXPECT_EQ(files.front(), "f101");
}

TEST(UpdateSteps, ASegmentWithoutARowIsDropped) {
  index::Snapshot snapshot = SnapshotOf(3);
  const index::Catalog catalog({Row("a", 1), Row("b", 3)});
  EXPECT_THAT(DropUnused(catalog, snapshot.segments), ElementsAre(2));
  EXPECT_THAT(snapshot.segments, SizeIs(2));
  EXPECT_THAT(DropUnused(catalog, snapshot.segments), IsEmpty());
}

TEST(ScanSteps, UnsettledFilesAreThoseToBeReadAgain) {
  index::CatalogRow racy = Row("racy", 1);
  racy.settled = false;
  racy.info.ctime_ns = 5;
  index::CatalogRow unread = Row("unread", 1);
  unread.status = index::TokenStatus::kNone;
  index::CatalogRow unreadable = Row("unreadable", 1);
  unreadable.status = index::TokenStatus::kUnreadable;
  const auto files = UnsettledFiles(index::Catalog({Row("good", 1), racy, unread, unreadable}));
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].path, "racy");
  EXPECT_EQ(files[0].ctime_ns, 5);
  EXPECT_EQ(files[1].path, "unread");
  EXPECT_EQ(files[1].ctime_ns, std::nullopt);
}

}  // namespace
}  // namespace forge::indexer
