// The catalog as it is stored: sheets of about a thousand rows.
//
// A row each in SQLite would cost 80,000 steps to load; one blob would be
// rewritten for every change. In a sheet, a path shares its beginning with the
// path before, and numbers are differences to the row before: a file takes about
// 40 bytes. A sheet can be read without any other.
//
// Rows are in the order of the walk: sort key of the path, then raw bytes. They
// are files; what is denied has no row here (SEC-LSI-02).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/catalog/catalog_row.h"

namespace forge::index {

inline constexpr std::size_t kRowsPerSheet = 1000;

std::string EncodeSheet(std::span<const CatalogRow> rows);

// Appends the rows; false if the bytes are not a sheet.
bool DecodeSheet(std::string_view bytes, std::vector<CatalogRow>& rows);

// Where a row stands in the order of the catalog.
struct OrderKey {
  std::string key;
  std::string path;

  friend auto operator<=>(const OrderKey&, const OrderKey&) = default;
};
OrderKey OrderKeyOf(const std::string& path);

}  // namespace forge::index
