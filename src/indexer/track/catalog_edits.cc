#include "indexer/track/catalog_edits.h"

#include <iterator>
#include <utility>

namespace forge::indexer {

using index::CatalogRow;

namespace {

constexpr std::size_t kRowsBetweenLooks = 64;  // at the clock

}  // namespace

CatalogRow FileRow(std::string path, const os::FileInfo& info) {
  CatalogRow row;
  row.path = std::move(path);
  row.info = info;
  return row;
}

CatalogRow DeniedRow(std::string path, bool is_folder) {
  CatalogRow row;
  row.path = std::move(path);
  if (is_folder) row.path.push_back('/');
  row.kind = CatalogRow::Kind::kDenied;
  return row;
}

void CatalogEdits::SetNew(CatalogRow row) {
  const index::PackedRow* old = catalog_.Find(row.path);
  const bool known = old != nullptr && old->info.inode == row.info.inode && old->info.links == row.info.links;
  changes_.linked |= row.info.links > 1 && !known;
  if (old != nullptr && old->info.inode != row.info.inode) former_.Remember(row.path, old->info.inode);
  former_.InCatalog(row.info.inode);
  new_inodes_.insert(row.info.inode);
  Set(std::move(row));
}

void CatalogEdits::Set(CatalogRow row) {
  std::string path = row.path;
  edits_[std::move(path)] = std::move(row);
}

void CatalogEdits::Remove(const std::string& path) {
  if (const index::PackedRow* old = catalog_.Find(path); old != nullptr) {
    if (old->kind == CatalogRow::Kind::kFile) former_.Remember(path, old->info.inode);
    edits_[path] = std::nullopt;
  } else {
    edits_.erase(path);
  }
}

TurnEnd CatalogEdits::RemoveBelow(const std::string& folder, const Turn& turn) {
  for (auto at = edits_.begin(); at != edits_.end();) {
    const bool added = at->second && index::InFolder(at->first, folder);
    at = added && catalog_.Find(at->first) == nullptr ? edits_.erase(at) : std::next(at);
  }
  const auto [begin, end] = catalog_.Range(folder);
  std::size_t seen = 0;
  for (auto at = begin; at < end; Advance(at)) {
    if (++seen % kRowsBetweenLooks == 0 && turn.over()) return TurnEnd::kTooShort;
    const std::string_view path = catalog_.page(at.page).path(at.row);
    if (index::InFolder(path, folder)) edits_[std::string(path)] = std::nullopt;
  }
  return TurnEnd::kDone;
}

void CatalogEdits::Finish() {
  for (auto& [path, row] : edits_) {
    if (row) {
      changes_.rows.push_back(std::move(*row));
    } else {
      changes_.removed.push_back(path);
    }
  }
}

void CatalogEdits::Advance(index::Catalog::Position& at) const {
  if (++at.row == catalog_.page(at.page).size()) at = {at.page + 1, 0};
}

}  // namespace forge::indexer
