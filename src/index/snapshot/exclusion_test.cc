#include "index/snapshot/exclusion.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/testing/seed.h"

namespace forge::index {
namespace {

using forge::testing::FirstSeed;
using forge::testing::Random;

constexpr std::uint32_t kDocs = 600;

// A segment with the same candidates for every query. It counts the queries.
class FixedSegment final : public Segment {
 public:
  explicit FixedSegment(DocSet candidates, std::vector<Block> blocks = {})
      : candidates_(std::move(candidates)), blocks_(std::move(blocks)) {}
  TokenStructure structure() const override { return TokenStructure::kPostings; }
  std::uint32_t doc_count() const override { return candidates_.size(); }
  Result<DocSet> Candidates(const TokenQuery&) const override {
    ++asked;
    if (!readable) return ExecutionFailed("unreadable", ErrorCode::kDamaged);
    return candidates_;
  }
  std::span<const Block> Blocks(std::uint32_t, std::uint32_t) const override { return blocks_; }
  std::size_t memory() const override { return 0; }
  Status Verify() const override { return {}; }

  mutable int asked = 0;
  bool readable = true;

 private:
  DocSet candidates_;
  std::vector<Block> blocks_;
};

SnapshotPtr With(Segments segments) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->segments = std::move(segments);
  return snapshot;
}

// A settled file whose only document is the first of its segment.
PackedRow RowOf(SegmentId segment) {
  PackedRow row;
  row.segment = segment;
  row.docs = {0, 1};
  row.status = TokenStatus::kFull;
  row.settled = true;
  return row;
}

// Files in the order of their documents, with gaps where files are gone, and
// mostly with empty files, which have no documents.
std::vector<CatalogRow> RegularRows(Random& random) {
  std::vector<CatalogRow> rows;
  const bool with_empty = !random.OneIn(4);
  std::uint32_t doc = static_cast<std::uint32_t>(random.Below(5));
  while (rows.size() < 200 && doc + 10 < kDocs) {
    CatalogRow& row = rows.emplace_back();
    row.path = std::to_string(1000 + rows.size());
    row.status = TokenStatus::kFull;
    row.settled = true;
    row.segment = 1;
    row.info.links = 1;
    if (with_empty && random.OneIn(4)) continue;
    row.info.size = 1;
    row.docs = {doc, 1 + static_cast<std::uint32_t>(random.Below(3))};
    doc += row.docs.count + (random.OneIn(3) ? static_cast<std::uint32_t>(random.Below(4)) : 0);
  }
  return rows;
}

TEST(Exclusion, TheRowsOfARegularPageAreThoseThatMayMatch) {
  for (std::uint64_t seed = FirstSeed(); seed < FirstSeed() + 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    DocSet candidates(kDocs);
    for (std::size_t n = random.Below(random.OneIn(2) ? 5 : 300); n > 0; --n) {
      candidates.Add(static_cast<std::uint32_t>(random.Below(kDocs)));
    }
    const Page page(RegularRows(random));
    if (page.spans().empty()) continue;
    ASSERT_TRUE(page.regular());
    Exclusion exclusion(With({{1, std::make_shared<FixedSegment>(std::move(candidates))}}), {});
    std::size_t next = exclusion.NextRow(page, 0);
    for (std::size_t row = 0; row < page.size(); ++row) {
      ASSERT_EQ(exclusion.MayMatch(page.row(row)), row == next) << "row " << row;
      if (row == next) next = exclusion.NextRow(page, row + 1);
      EXPECT_LT(exclusion.LikelyRow(page), page.size());
    }
    EXPECT_EQ(next, page.size());
  }
}

TEST(Exclusion, PartsAreRunsOfBlocksThatMayMatch) {
  const std::vector<Block> blocks = {{0, 100, 1}, {100, 50, 11}, {150, 70, 12}, {220, 80, 30}};
  PackedRow row;
  row.segment = 1;
  row.docs = {70, 4};
  const auto parts_of = [&](std::vector<std::uint32_t> docs, const std::vector<Block>& known) {
    DocSet candidates(kDocs);
    for (const std::uint32_t doc : docs) candidates.Add(doc);
    std::vector<TextPart> parts = {{7, 8, 9}};  // of another row
    Exclusion(With({{1, std::make_shared<FixedSegment>(candidates, known)}}), {}).FindParts(row, parts);
    return parts;
  };
  using Parts = std::vector<TextPart>;
  EXPECT_EQ(parts_of({70, 71, 73}, blocks), (Parts{{0, 150, 1}, {220, 300, 30}}));
  EXPECT_EQ(parts_of({72}, blocks), (Parts{{150, 220, 12}}));
  EXPECT_EQ(parts_of({70, 71, 72, 73}, blocks), Parts()) << "all of it";
  EXPECT_EQ(parts_of({70}, {}), Parts()) << "not known";
  std::vector<Block> binary = blocks;
  binary[3].has_nul = true;
  EXPECT_EQ(parts_of({70}, binary), Parts()) << "whether it is binary, the whole file shows";
  row.docs = {70, 1};
  EXPECT_EQ(parts_of({70}, {blocks[0]}), Parts()) << "all of it";
}

TEST(Exclusion, SetsThatExcludeFewerThanAnEighthExcludeNothing) {
  const auto excludes = [](std::uint32_t excluded, NgramPlan::Kind kind) {
    DocSet candidates(40, /*full=*/true);
    for (std::uint32_t doc = 0; doc < excluded; ++doc) candidates.Remove(doc);
    TokenQuery query;
    query.plan.kind = kind;
    return !Exclusion(With({{1, std::make_shared<FixedSegment>(candidates)}}), query).MayMatch(RowOf(1));
  };
  EXPECT_FALSE(excludes(4, NgramPlan::Kind::kSets));
  EXPECT_TRUE(excludes(5, NgramPlan::Kind::kSets));
  EXPECT_TRUE(excludes(1, NgramPlan::Kind::kGram));
}

TEST(Exclusion, ASegmentIsAskedWhenOneOfItsRowsIs) {
  const auto first = std::make_shared<FixedSegment>(DocSet(40));
  const auto second = std::make_shared<FixedSegment>(DocSet(40));
  Exclusion exclusion(With({{1, first}, {2, second}}), {});
  EXPECT_EQ(first->asked, 0);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(exclusion.MayMatch(RowOf(1)));
  EXPECT_EQ(first->asked, 1);
  EXPECT_EQ(second->asked, 0);
  EXPECT_TRUE(exclusion.AskAll());
  EXPECT_FALSE(exclusion.MayMatch(RowOf(2)));
  EXPECT_EQ(first->asked, 1);
  EXPECT_EQ(second->asked, 1);
}

TEST(Exclusion, RowsOfADamagedSegmentMayMatchAndThoseOfOthersAreJudged) {
  const auto good = std::make_shared<FixedSegment>(DocSet(40));
  const auto unreadable = std::make_shared<FixedSegment>(DocSet(40));
  const auto later = std::make_shared<FixedSegment>(DocSet(40));
  unreadable->readable = false;
  Exclusion exclusion(With({{1, good}, {2, unreadable}, {3, later}}), {});
  EXPECT_FALSE(exclusion.MayMatch(RowOf(1)));
  EXPECT_FALSE(exclusion.damage());
  EXPECT_TRUE(exclusion.MayMatch(RowOf(2)));
  ASSERT_TRUE(exclusion.damage());
  EXPECT_EQ(exclusion.damage()->message, "unreadable");
  later->readable = false;  // while the search runs, before it comes to this segment
  EXPECT_TRUE(exclusion.MayMatch(RowOf(3)));
  EXPECT_FALSE(exclusion.MayMatch(RowOf(1)));
  EXPECT_EQ(exclusion.damage()->message, "unreadable") << "the first";
  EXPECT_FALSE(exclusion.AskAll());
}

// Without a segment we know nothing about its rows, so none may be excluded.
TEST(Exclusion, WithoutTheirSegmentAllRowsMayMatch) {
  Random random(FirstSeed());
  const Page page(RegularRows(random));
  Exclusion exclusion(With({}), {});
  for (std::size_t row = 0; row < page.size(); ++row) EXPECT_EQ(exclusion.NextRow(page, row), row);
}

TEST(Exclusion, OnlyARegularPageLeadsFromDocumentsToRows) {
  Random random(FirstSeed());
  const std::vector<CatalogRow> rows = RegularRows(random);
  const auto last = rows.size() - 1;
  EXPECT_TRUE(Page(rows).regular());
  const auto without = [&](auto change) {
    std::vector<CatalogRow> changed = rows;
    changed[last].docs = {kDocs - 2, 1};
    changed[last].info.size = 1;
    change(changed[last]);
    return !Page(changed).regular();
  };
  EXPECT_FALSE(without([](CatalogRow&) {}));
  EXPECT_TRUE(without([](CatalogRow& row) { row.segment = 2; }));
  EXPECT_TRUE(without([](CatalogRow& row) { row.docs.first = 0; }));
  EXPECT_TRUE(without([](CatalogRow& row) { row.settled = false; }));
  EXPECT_TRUE(without([](CatalogRow& row) { row.info.links = 2; }));
  EXPECT_TRUE(without([](CatalogRow& row) { row.kind = CatalogRow::Kind::kDenied; }));
  EXPECT_FALSE(without([](CatalogRow& row) { row.docs = {8000, 50}; }));
  EXPECT_TRUE(without([](CatalogRow& row) { row.docs = {8000, 500}; })) << "too many documents";
}

// A damaged index may have any numbers.
TEST(Exclusion, DocumentsThatOverflowMakeAPageIrregular) {
  Random random(FirstSeed());
  std::vector<CatalogRow> rows = RegularRows(random);
  std::erase_if(rows, [](const CatalogRow& row) { return row.docs.count == 0; });
  rows.front().docs = {UINT32_MAX - 15, 32};
  EXPECT_FALSE(Page(rows).regular());
}

}  // namespace
}  // namespace forge::index
