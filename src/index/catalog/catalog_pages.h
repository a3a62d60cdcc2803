// The catalog as bytes: pages of about a thousand rows.
//
// A row each in SQLite would cost 80,000 steps to load; one blob would be
// rewritten for every change. In a page, paths share what they have in common
// with the one before, and numbers are differences to the row before: a file
// takes about 40 bytes. A page is an island: it can be read without any other.
//
// The order is the walk's: sort key of the path, then raw bytes. A denied folder
// (kDenied, a directory) stands where its content would, that is, as "path/".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/catalog/catalog_row.h"

namespace forge::index {

inline constexpr std::size_t kRowsPerPage = 1000;

std::string EncodePage(std::span<const CatalogRow> rows);

// Appends the rows; false if the bytes are not a page.
bool DecodePage(std::string_view bytes, std::vector<CatalogRow>& rows);

// A place in the order of the catalog.
struct Place {
  std::string key;
  std::string path;

  friend auto operator<=>(const Place&, const Place&) = default;
};
Place PlaceOf(const CatalogRow& row);
Place FilePlace(const std::string& path);
Place FolderPlace(const std::string& path);

}  // namespace forge::index
