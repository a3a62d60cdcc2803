#include "index/catalog/catalog_sheet.h"

#include <gtest/gtest.h>

#include "index/catalog/catalog_edit.h"
#include "index/catalog/testing/random_rows.h"

namespace forge::index {
namespace {

TEST(CatalogSheets, RandomRowsComeBack) {
  const std::uint64_t seed = testing::FirstSeed();
  testing::Random random(seed);
  const std::vector<CatalogRow> rows = InOrder(RandomModel(random, 5000));
  std::vector<CatalogRow> back;
  for (const auto sheet : CutIntoSheets(rows)) ASSERT_TRUE(DecodeSheet(EncodeSheet(sheet), back));
  EXPECT_TRUE(rows == back) << "seed " << seed;
}

TEST(CatalogSheets, AFileTakesFewBytes) {
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
  EXPECT_LT(EncodeSheet(rows).size(), 40 * rows.size());
}

TEST(CatalogSheets, BytesThatAreNoSheetAreRefused) {
  testing::Random random(1);
  const std::string sheet = EncodeSheet(InOrder(RandomModel(random, 20)));
  for (std::size_t size = 0; size < sheet.size(); ++size) {
    std::vector<CatalogRow> rows;
    EXPECT_FALSE(DecodeSheet(std::string_view(sheet).substr(0, size), rows)) << size;
  }
  std::vector<CatalogRow> rows;
  EXPECT_FALSE(DecodeSheet(sheet + '\0', rows));
}

TEST(CatalogEdit, SheetsStayNearTheirSize) {
  for (const std::size_t count : {0UL, 1UL, 1000UL, 1500UL, 1501UL, 2500UL, 10'000UL}) {
    const std::vector<CatalogRow> rows(count);
    std::size_t sum = 0;
    for (const auto sheet : CutIntoSheets(rows)) {
      EXPECT_GT(sheet.size(), 0U);
      EXPECT_LE(sheet.size(), 1500U);
      sum += sheet.size();
    }
    EXPECT_EQ(sum, count);
  }
}

TEST(CatalogEdit, OneChangeTouchesOneSheet) {
  testing::Random random(1);
  const std::vector<CatalogRow> rows = InOrder(RandomModel(random, 5000));
  std::vector<OrderKey> first;
  const auto sheets = CutIntoSheets(rows);
  for (const auto sheet : sheets) first.push_back(OrderKeyOf(sheet.front().path));
  const auto read = [&](std::size_t sheet) -> Result<std::vector<CatalogRow>> {
    return std::vector<CatalogRow>(sheets[sheet].begin(), sheets[sheet].end());
  };
  CatalogRow changed = rows[2345];
  changed.info.size ^= 1;
  const auto edited = EditSheets(first, {changed}, {}, read);
  ASSERT_TRUE(edited);
  ASSERT_EQ(edited->size(), 1U);
  EXPECT_EQ((*edited)[0].sheet, 2U);
  EXPECT_EQ(EditSheets(first, {rows[2345]}, {}, read)->size(), 0U) << "what stays as it is, is not written";
  EXPECT_EQ(EditSheets(first, {}, {"not there"}, read)->size(), 0U);
}

}  // namespace
}  // namespace forge::index
