#include "indexer/publish/housekeeping.h"

#include <algorithm>
#include <set>

namespace forge::indexer {

using index::Catalog;
using index::CatalogRow;
using index::TokenStatus;

namespace {

constexpr std::size_t kMostSmallSegments = 16;
constexpr std::uint32_t kSmallSegmentDocs = 4096;

std::set<index::SegmentId> SegmentsOf(const Catalog& catalog) {
  std::set<index::SegmentId> used;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    for (const index::Page::Span& span : page.spans()) used.insert(span.segment);
    if (!page.any_special()) continue;
    for (std::size_t i = 0; i < page.size(); ++i) used.insert(page.row(i).segment);
  }
  return used;
}

}  // namespace

std::vector<Unsettled> UnsettledFiles(const Catalog& catalog) {
  std::vector<Unsettled> out;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    if (!page.any_special()) continue;
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.kind != CatalogRow::Kind::kFile) continue;
      if (row.status == TokenStatus::kNone) out.push_back({std::string(page.path(i)), std::nullopt});
      if (row.status == TokenStatus::kFull && !row.settled)
        out.push_back({std::string(page.path(i)), row.info.ctime_ns});
    }
  }
  return out;
}

std::vector<std::string> FilesOfSmallSegments(const index::Snapshot& snapshot) {
  std::set<index::SegmentId> small;
  for (const auto& [id, segment] : snapshot.segments) {
    if (segment->doc_count() < kSmallSegmentDocs) small.insert(id);
  }
  std::vector<std::string> files;
  if (small.size() <= kMostSmallSegments) return files;
  const Catalog& catalog = snapshot.catalog;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    // A large tree has many pages, and few of them have such a row.
    if (std::none_of(page.spans().begin(), page.spans().end(),
                     [&](const index::Page::Span& span) { return small.contains(span.segment); })) {
      continue;
    }
    for (std::size_t i = 0; i < page.size(); ++i) {
      const index::PackedRow& row = page.row(i);
      if (row.docs.count > 0 && small.contains(row.segment)) files.emplace_back(page.path(i));
    }
  }
  return files;
}

std::vector<index::SegmentId> DropUnused(const Catalog& catalog, index::Segments& segments) {
  const std::set<index::SegmentId> used = SegmentsOf(catalog);
  std::vector<index::SegmentId> dropped;
  for (const auto& [id, segment] : segments) {
    if (!used.contains(id)) dropped.push_back(id);
  }
  for (const index::SegmentId id : dropped) segments.erase(id);
  return dropped;
}

}  // namespace forge::indexer
