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
  std::vector<std::pair<OrderKey, const CatalogRow*>> added;
};

// The sheet whose range has the key.
std::size_t SheetOf(const std::vector<OrderKey>& first, const OrderKey& key) {
  const auto after = std::upper_bound(first.begin(), first.end(), key);
  return after == first.begin() ? 0 : static_cast<std::size_t>(after - first.begin()) - 1;
}

std::map<std::size_t, Edit> Plan(const std::vector<OrderKey>& first, const std::vector<CatalogRow>& rows,
                                 const std::vector<std::string>& removed) {
  std::map<std::size_t, Edit> edits;
  const auto take_out = [&](const std::string& path) { edits[SheetOf(first, OrderKeyOf(path))].gone.insert(path); };
  for (const std::string& path : removed) take_out(path);
  for (const CatalogRow& row : rows) {
    take_out(row.path);
    OrderKey key = OrderKeyOf(row.path);
    const std::size_t sheet = SheetOf(first, key);
    edits[sheet].added.emplace_back(std::move(key), &row);
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
      const OrderKey key = OrderKeyOf(row.path);
      for (; next != edit.added.end() && next->first < key; ++next) rows.push_back(*next->second);
    }
    rows.push_back(row);
  }
  for (; next != edit.added.end(); ++next) rows.push_back(*next->second);
  return rows;
}

}  // namespace

Result<std::vector<EditedSheet>> EditSheets(const std::vector<OrderKey>& first, const std::vector<CatalogRow>& rows,
                                            const std::vector<std::string>& removed, const SheetReader& read) {
  std::vector<EditedSheet> edited;
  for (auto& [sheet, edit] : Plan(first, rows, removed)) {
    std::sort(edit.added.begin(), edit.added.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<CatalogRow> old;
    if (!first.empty()) {
      Result<std::vector<CatalogRow>> stored = read(sheet);
      if (!stored) return stored.error();
      old = std::move(*stored);
    }
    std::vector<CatalogRow> now = Apply(edit, old);
    if (now != old) edited.push_back({sheet, std::move(now)});
  }
  return edited;
}

std::vector<std::span<const CatalogRow>> CutIntoSheets(std::span<const CatalogRow> rows) {
  std::vector<std::span<const CatalogRow>> sheets;
  if (rows.empty()) return sheets;
  constexpr std::size_t kMost = kRowsPerSheet + kRowsPerSheet / 2;
  const std::size_t count = rows.size() <= kMost ? 1 : (rows.size() + kRowsPerSheet - 1) / kRowsPerSheet;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = rows.size() * i / count;
    sheets.push_back(rows.subspan(from, rows.size() * (i + 1) / count - from));
  }
  return sheets;
}

}  // namespace forge::index
