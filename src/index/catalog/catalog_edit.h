// Which pages of the catalog a change touches, and what becomes of them. Pure:
// pages are read through a function, and nobody writes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "forge/result.h"
#include "index/catalog/catalog_pages.h"

namespace forge::index {

struct EditedPage {
  std::size_t page = 0;          // its place in the list of pages
  std::vector<CatalogRow> rows;  // all of them; none: the page goes away
};

using PageReader = std::function<Result<std::vector<CatalogRow>>(std::size_t page)>;

// `first` has the place of the first row of each page; an empty catalog counts as
// one page without rows. Every path of `rows` and `removed` is taken out where it
// stands, as a file or as a denied folder; then `rows` are put in their places.
// Pages that stay as they are, are not returned. Others come in order.
Result<std::vector<EditedPage>> EditPages(const std::vector<Place>& first, const std::vector<CatalogRow>& rows,
                                          const std::vector<std::string>& removed, const PageReader& read);

// Cuts rows into pages of about equal size, none above the usual unless all fit
// into one that grew by half.
std::vector<std::span<const CatalogRow>> CutIntoPages(std::span<const CatalogRow> rows);

}  // namespace forge::index
