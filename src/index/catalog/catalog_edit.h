// Which sheets of the stored catalog a change touches, and their new rows. Pure: a
// function passed in reads the sheets, and the caller writes them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "forge/result.h"
#include "index/catalog/catalog_sheet.h"

namespace forge::index {

struct EditedSheet {
  std::size_t sheet = 0;         // its number in the list of sheets
  std::vector<CatalogRow> rows;  // all of them; none: the sheet goes away
};

using SheetReader = std::function<Result<std::vector<CatalogRow>>(std::size_t sheet)>;

// `first` has the first key of each sheet; an empty catalog counts as one sheet
// without rows. First every path of `rows` and `removed` is taken out; then `rows`
// are put in, in order. Returns the sheets that differ from what they were, in order.
Result<std::vector<EditedSheet>> EditSheets(const std::vector<OrderKey>& first, const std::vector<CatalogRow>& rows,
                                            const std::vector<std::string>& removed, const SheetReader& read);

// Cuts rows into sheets of about equal size. No sheet is larger than usual,
// unless all rows fit into one that has grown by half.
std::vector<std::span<const CatalogRow>> CutIntoSheets(std::span<const CatalogRow> rows);

}  // namespace forge::index
