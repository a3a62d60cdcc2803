#include "index/catalog/catalog.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/testing/seed.h"
#include "tree/path_order.h"

namespace forge::index {
namespace {

using forge::testing::FirstSeed;
using forge::testing::Random;

struct InOrder {
  bool operator()(const std::string& a, const std::string& b) const { return PathBefore(a, b); }
};
using Model = std::map<std::string, CatalogRow, InOrder>;

CatalogRow Row(std::string path, std::uint64_t size = 1, bool indexed = true) {
  CatalogRow row;
  row.path = std::move(path);
  row.info.size = size;
  row.info.links = 1;
  if (indexed) {
    row.status = TokenStatus::kFull;
    row.settled = true;
    row.docs = {static_cast<std::uint32_t>(size % 100), 1};
    row.segment = 1;
  }
  return row;
}

std::vector<CatalogRow> Rows(const Model& model) {
  std::vector<CatalogRow> rows;
  for (const auto& [path, row] : model) rows.push_back(row);
  return rows;
}

// Names that sort in odd ways: '-' and '.' before '/', composed and decomposed,
// bytes that are no UTF-8.
std::string MakePath(Random& random) {
  static const std::vector<std::string> kParts = {"a", "a-b", "a.b", "b", "e\u0301", "\u00E9", "\xFF", "z", "Z", "0"};
  std::string path;
  for (std::size_t n = 1 + random.Below(4); n > 0; --n) {
    path += (path.empty() ? "" : "/") + random.Pick(kParts);
    if (random.OneIn(3)) path += std::to_string(random.Below(400));
  }
  return path;
}

// Each summary says what its page says.
void ExpectSummaries(const Catalog& catalog) {
  for (std::size_t i = 0; i < catalog.pages(); ++i) {
    const Page& page = catalog.page(i);
    const PageSummary& summary = catalog.summary(i);
    EXPECT_EQ(summary.simple, !page.any_special() && !page.any_denied() && page.spans().size() < 2);
    EXPECT_EQ(summary.files, page.files());
    EXPECT_EQ(summary.largest, page.largest());
    if (!summary.simple || page.spans().empty()) continue;
    EXPECT_EQ(summary.span.segment, page.spans()[0].segment);
    EXPECT_EQ(summary.span.docs.first, page.spans()[0].docs.first);
    EXPECT_EQ(summary.span.docs.count, page.spans()[0].docs.count);
  }
}

TEST(Catalog, EditsGiveWhatAMapGives) {
  const std::uint64_t seed = FirstSeed();
  for (std::uint64_t number = seed; number < seed + 6; ++number) {
    SCOPED_TRACE("seed " + std::to_string(number));
    Random random(number);
    Model model;
    for (std::size_t n = random.Below(3000); n > 0; --n) {
      std::string path = MakePath(random);
      model[path] = Row(path, random.Below(1000));
    }
    Catalog catalog(Rows(model));
    for (int round = 0; round < 15; ++round) {
      Model set;
      std::map<std::string, bool, InOrder> gone;
      for (std::size_t n = random.Below(random.OneIn(4) ? 800 : 5); n > 0; --n) {
        std::string path = MakePath(random);
        set[path] = Row(path, random.Below(1000), random.OneIn(2));
      }
      for (const auto& [path, row] : model) {
        if (random.OneIn(50) && !set.contains(path)) gone[path] = true;
      }
      std::vector<std::string> removed;
      for (const auto& [path, yes] : gone) removed.push_back(path);
      for (const auto& [path, row] : set) model[path] = row;
      for (const std::string& path : removed) model.erase(path);
      catalog = catalog.With(Rows(set), removed);
      ASSERT_EQ(catalog.AllRows(), Rows(model));
      ASSERT_EQ(catalog.files(), model.size());
      ExpectSummaries(catalog);
    }
    for (std::size_t p = 0; p < catalog.pages(); ++p) {
      EXPECT_LE(catalog.page(p).size(), Page::kMostRows);
    }
    for (int i = 0; i < 200; ++i) {
      const std::string path = MakePath(random);
      const PackedRow* row = catalog.Find(path);
      ASSERT_EQ(row != nullptr, model.contains(path)) << path;
      if (row != nullptr) {
        EXPECT_EQ(row->info.size, model.at(path).info.size);
      }
    }
  }
}

TEST(Catalog, AFolderIsARange) {
  Model model;
  for (const char* path : {"a", "a-b/x", "a/x", "a/y/z", "a0", "ab/x", "e\u0301/x", "\u00E9/y"})
    model[path] = Row(path);
  const Catalog catalog(Rows(model));
  const auto below = [&](const std::string& folder) {
    std::vector<std::string> paths;
    auto [at, end] = catalog.Range(folder);
    for (; at < end; at.row + 1 == catalog.page(at.page).size() ? (at = {at.page + 1, 0}, 0) : ++at.row) {
      const std::string_view path = catalog.page(at.page).path(at.row);
      if (InFolder(path, folder)) paths.emplace_back(path);
    }
    return paths;
  };
  EXPECT_EQ(below("a"), (std::vector<std::string>{"a/x", "a/y/z"}));
  EXPECT_EQ(below("a/y"), (std::vector<std::string>{"a/y/z"}));
  EXPECT_EQ(below("\u00E9"), (std::vector<std::string>{"\u00E9/y"}));
  EXPECT_EQ(below("e\u0301"), (std::vector<std::string>{"e\u0301/x"}));
  EXPECT_EQ(below("nothing"), std::vector<std::string>());
  EXPECT_EQ(below("").size(), model.size());
}

TEST(Catalog, AChangeSharesThePagesThatItDoesNotTouch) {
  Model model;
  for (int i = 0; i < 5000; ++i) {
    const std::string path = "f" + std::to_string(100000 + i);
    model[path] = Row(path);
  }
  const Catalog before(Rows(model));
  const Catalog after = before.With({Row("f102500", 7)}, {});
  ASSERT_EQ(after.pages(), before.pages());
  std::size_t copied = 0;
  for (std::size_t p = 0; p < after.pages(); ++p) copied += &after.page(p) != &before.page(p) ? 1U : 0U;
  EXPECT_EQ(copied, 1U);
}

// A caller that is short of time gets there in several steps.
TEST(Catalog, ChangesAreAppliedInSteps) {
  Model model;
  for (int i = 0; i < 3000; ++i)
    model["f" + std::to_string(100000 + 2 * i)] = Row("f" + std::to_string(100000 + 2 * i));
  const Catalog before(Rows(model));
  Model set;
  std::vector<std::string> gone;
  for (int i = 0; i < 3000; i += 500)
    set["f" + std::to_string(100001 + 2 * i)] = Row("f" + std::to_string(100001 + 2 * i));
  for (int i = 0; i < 2000; ++i) set["f101000/" + std::to_string(i)] = Row("f101000/" + std::to_string(i));
  for (int i = 100; i < 3000; i += 700) gone.push_back("f" + std::to_string(100000 + 2 * i));
  const std::vector<CatalogRow> rows = Rows(set);

  std::span<const CatalogRow> rows_left = rows;
  std::span<const std::string> removed_left = gone;
  Catalog catalog = before;
  std::size_t steps = 0;
  for (; !rows_left.empty() || !removed_left.empty(); ++steps) {
    const std::size_t left = rows_left.size() + removed_left.size();
    catalog = catalog.WithSome(rows_left, removed_left, [] { return true; });
    ASSERT_LT(rows_left.size() + removed_left.size(), left);
  }
  EXPECT_GT(steps, 8U) << "one page, or one new page, each";
  EXPECT_EQ(catalog.AllRows(), before.With(rows, gone).AllRows());
  EXPECT_EQ(catalog.files(), 3000U + rows.size() - gone.size());
}

TEST(Catalog, OnlyIndexedAndSettledRowsMayBeExcluded) {
  const auto always = [](const CatalogRow& row) { return IsAlwaysCandidate(Page(std::span(&row, 1)).row(0)); };
  EXPECT_FALSE(always(Row("a", 5)));
  EXPECT_TRUE(always(Row("a", 5, false)));
  CatalogRow row = Row("a", 5);
  row.settled = false;
  EXPECT_TRUE(always(row));
  row = Row("a", 5);
  row.docs.count = 0;
  EXPECT_TRUE(always(row));
  row.info.size = 0;  // no line that could match
  EXPECT_FALSE(always(row));
  row = Row("a", 5);
  row.status = TokenStatus::kBinary;
  EXPECT_TRUE(always(row));
}

}  // namespace
}  // namespace forge::index
