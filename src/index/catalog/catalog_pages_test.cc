#include "index/catalog/catalog_pages.h"

#include <gtest/gtest.h>

#include "index/catalog/catalog_edit.h"
#include "index/catalog/testing/random_rows.h"

namespace forge::index {
namespace {

TEST(CatalogPages, RandomRowsComeBack) {
  const std::uint64_t seed = testing::FirstSeed();
  testing::Random random(seed);
  const std::vector<CatalogRow> rows = InOrder(RandomModel(random, 5000));
  std::vector<CatalogRow> back;
  for (const auto page : CutIntoPages(rows)) ASSERT_TRUE(DecodePage(EncodePage(page), back));
  EXPECT_TRUE(rows == back) << "seed " << seed;
}

TEST(CatalogPages, AFileTakesFewBytes) {
  std::vector<CatalogRow> rows(1000);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].path = "drivers/net/ethernet/some_vendor/file_" + std::to_string(1000 + i) + ".c";
    rows[i].info = {os::FileType::kRegular,
                    9000 + i,
                    1'700'000'000'123'456'789 + static_cast<std::int64_t>(i * 977),
                    1'700'000'000'123'456'789 + static_cast<std::int64_t>(i * 977),
                    2049,
                    1'000'000 + i,
                    1};
    rows[i].docs = {static_cast<std::uint32_t>(i), 1};
  }
  EXPECT_LT(EncodePage(rows).size(), 40 * rows.size());
}

TEST(CatalogPages, BytesThatAreNoPageAreRefused) {
  testing::Random random(1);
  const std::string page = EncodePage(InOrder(RandomModel(random, 20)));
  for (std::size_t size = 0; size < page.size(); ++size) {
    std::vector<CatalogRow> rows;
    EXPECT_FALSE(DecodePage(std::string_view(page).substr(0, size), rows)) << size;
  }
  std::vector<CatalogRow> rows;
  EXPECT_FALSE(DecodePage(page + '\0', rows));
}

TEST(CatalogPages, ADeniedFolderStandsWhereItsContentWould) {
  CatalogRow folder;
  folder.path = "a";
  folder.kind = CatalogRow::Kind::kDenied;
  folder.info.type = os::FileType::kDirectory;
  EXPECT_LT(FilePlace("a"), FilePlace("a-b"));
  EXPECT_LT(FilePlace("a-b"), PlaceOf(folder));
  EXPECT_LT(PlaceOf(folder), FilePlace("a/x"));
}

TEST(CatalogEdit, PagesStayNearTheirSize) {
  for (const std::size_t count : {0UL, 1UL, 1000UL, 1500UL, 1501UL, 2500UL, 10'000UL}) {
    const std::vector<CatalogRow> rows(count);
    std::size_t sum = 0;
    for (const auto page : CutIntoPages(rows)) {
      EXPECT_GT(page.size(), 0U);
      EXPECT_LE(page.size(), 1500U);
      sum += page.size();
    }
    EXPECT_EQ(sum, count);
  }
}

TEST(CatalogEdit, OneChangeTouchesOnePage) {
  testing::Random random(1);
  const std::vector<CatalogRow> rows = InOrder(RandomModel(random, 5000));
  std::vector<Place> first;
  const auto pages = CutIntoPages(rows);
  for (const auto page : pages) first.push_back(PlaceOf(page.front()));
  const auto read = [&](std::size_t page) -> Result<std::vector<CatalogRow>> {
    return std::vector<CatalogRow>(pages[page].begin(), pages[page].end());
  };
  CatalogRow changed = rows[2345];
  changed.info.size ^= 1;
  const auto edited = EditPages(first, {changed}, {}, read);
  ASSERT_TRUE(edited);
  ASSERT_EQ(edited->size(), 1U);
  EXPECT_EQ((*edited)[0].page, 2U);
  EXPECT_EQ(EditPages(first, {rows[2345]}, {}, read)->size(), 0U) << "what stays as it is, is not written";
  EXPECT_EQ(EditPages(first, {}, {"not there"}, read)->size(), 0U);
}

}  // namespace
}  // namespace forge::index
