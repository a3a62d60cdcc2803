#include "index/catalog/catalog_edit.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace forge::index {
namespace {

struct Edit {
  std::unordered_set<std::string_view> gone;
  std::vector<std::pair<Place, const CatalogRow*>> added;
};

// The page whose range has the place.
std::size_t PageOf(const std::vector<Place>& first, const Place& place) {
  const auto after = std::upper_bound(first.begin(), first.end(), place);
  return after == first.begin() ? 0 : static_cast<std::size_t>(after - first.begin()) - 1;
}

std::map<std::size_t, Edit> Plan(const std::vector<Place>& first, const std::vector<CatalogRow>& rows,
                                 const std::vector<std::string>& removed) {
  std::map<std::size_t, Edit> edits;
  const auto take_out = [&](const std::string& path) {
    edits[PageOf(first, FilePlace(path))].gone.insert(path);
    edits[PageOf(first, FolderPlace(path))].gone.insert(path);
  };
  for (const std::string& path : removed) take_out(path);
  for (const CatalogRow& row : rows) {
    take_out(row.path);
    Place place = PlaceOf(row);
    const std::size_t page = PageOf(first, place);
    edits[page].added.emplace_back(std::move(place), &row);
  }
  return edits;
}

std::vector<CatalogRow> Apply(const Edit& edit, const std::vector<CatalogRow>& old) {
  std::vector<CatalogRow> rows;
  rows.reserve(old.size() + edit.added.size());
  auto next = edit.added.begin();
  for (const CatalogRow& row : old) {
    if (edit.gone.contains(row.path)) continue;
    if (next != edit.added.end()) {
      const Place place = PlaceOf(row);
      for (; next != edit.added.end() && next->first < place; ++next) rows.push_back(*next->second);
    }
    rows.push_back(row);
  }
  for (; next != edit.added.end(); ++next) rows.push_back(*next->second);
  return rows;
}

}  // namespace

Result<std::vector<EditedPage>> EditPages(const std::vector<Place>& first, const std::vector<CatalogRow>& rows,
                                          const std::vector<std::string>& removed, const PageReader& read) {
  std::vector<EditedPage> edited;
  for (auto& [page, edit] : Plan(first, rows, removed)) {
    std::sort(edit.added.begin(), edit.added.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<CatalogRow> old;
    if (!first.empty()) {
      Result<std::vector<CatalogRow>> stored = read(page);
      if (!stored) return stored.error();
      old = std::move(*stored);
    }
    std::vector<CatalogRow> now = Apply(edit, old);
    if (now != old) edited.push_back({page, std::move(now)});
  }
  return edited;
}

std::vector<std::span<const CatalogRow>> CutIntoPages(std::span<const CatalogRow> rows) {
  std::vector<std::span<const CatalogRow>> pages;
  if (rows.empty()) return pages;
  constexpr std::size_t kMost = kRowsPerPage + kRowsPerPage / 2;
  const std::size_t count = rows.size() <= kMost ? 1 : (rows.size() + kRowsPerPage - 1) / kRowsPerPage;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = rows.size() * i / count;
    pages.push_back(rows.subspan(from, rows.size() * (i + 1) / count - from));
  }
  return pages;
}

}  // namespace forge::index
