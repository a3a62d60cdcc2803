#include "index/catalog/catalog.h"

#include <algorithm>
#include <numeric>

#include "base/unicode.h"
#include "tree/path_order.h"

namespace forge::index {
namespace {

constexpr std::size_t kFill = Page::kMostRows * 3 / 4;  // rows of a new page; leaves room for some more

// One change of a page: a row to set, or a path to remove.
struct Edit {
  std::string_view path;
  const CatalogRow* row = nullptr;
};

std::vector<Edit> MergeEdits(const std::vector<CatalogRow>& rows, const std::vector<std::string>& removed) {
  std::vector<Edit> edits;
  edits.reserve(rows.size() + removed.size());
  for (const CatalogRow& row : rows) edits.push_back({row.path, &row});
  for (const std::string& path : removed) edits.push_back({path, nullptr});
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return PathBefore(a.path, b.path); });
  return edits;
}

// Pages of about equal size for rows that may no longer fit one.
void Cut(const std::vector<CatalogRow>& rows, std::vector<std::shared_ptr<const Page>>& out) {
  if (rows.empty()) return;
  const std::size_t parts = rows.size() <= Page::kMostRows ? 1 : (rows.size() + kFill - 1) / kFill;
  std::size_t begin = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    const std::size_t end = rows.size() * part / parts;
    out.push_back(std::make_shared<Page>(std::vector<CatalogRow>(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                                                 rows.begin() + static_cast<std::ptrdiff_t>(end))));
    begin = end;
  }
}

}  // namespace

bool InFolder(std::string_view path, std::string_view folder) {
  return folder.empty() || (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

bool IsAlwaysCandidate(const PackedRow& row) {
  return row.kind == CatalogRow::Kind::kFile &&
         (row.status != TokenStatus::kFull || !row.settled || (row.docs.count == 0 && row.info.size != 0));
}

Page::Page(const std::vector<CatalogRow>& rows) {
  rows_.reserve(rows.size());
  for (const CatalogRow& row : rows) {
    paths_ += row.path;
    const PackedRow packed{
        static_cast<std::uint32_t>(paths_.size()), row.kind, row.status, row.settled, row.segment, row.docs, row.info};
    rows_.push_back(packed);
    if (row.kind != CatalogRow::Kind::kFile) continue;
    ++files_;
    largest_ = std::max(largest_, row.info.size);
    any_special_ |= IsAlwaysCandidate(packed) || packed.info.links != 1;
    if (IsAlwaysCandidate(packed)) continue;
    ++indexed_;
    if (packed.docs.count > 0) AddToSpans(packed);
  }
  ListFirstDocs();
}

void Page::ListFirstDocs() {
  if (any_special_ || any_denied() || spans_.size() != 1) return;
  std::vector<std::uint32_t> docs(rows_.size());
  // Backwards: an empty file has no documents, and gets the first one of the next file.
  std::uint32_t next = spans_[0].docs.first + spans_[0].docs.count;
  for (std::size_t i = rows_.size(); i-- > 0;) {
    const DocRange& range = rows_[i].docs;
    if (range.count > 0) {
      if (range.first + range.count > next) return;
      next = range.first;
    }
    docs[i] = next;
  }
  first_docs_ = std::move(docs);
}

void Page::AddToSpans(const PackedRow& row) {
  for (Span& span : spans_) {
    if (span.segment != row.segment) continue;
    const std::uint32_t first = std::min(span.docs.first, row.docs.first);
    const std::uint32_t end = std::max(span.docs.first + span.docs.count, row.docs.first + row.docs.count);
    span.docs = {first, end - first};
    return;
  }
  spans_.push_back({row.segment, row.docs});
}

std::string_view Page::path(std::size_t i) const {
  const std::size_t begin = i == 0 ? 0 : rows_[i - 1].path_end;
  return std::string_view(paths_).substr(begin, rows_[i].path_end - begin);
}

CatalogRow Page::Unpack(std::size_t i) const {
  const PackedRow& row = rows_[i];
  return {std::string(path(i)), row.kind, row.status, row.info, row.settled, row.segment, row.docs};
}

std::size_t Page::memory() const {
  return sizeof(Page) + paths_.capacity() + rows_.capacity() * sizeof(PackedRow) + spans_.capacity() * sizeof(Span) +
         first_docs_.capacity() * sizeof(std::uint32_t);
}

Catalog::Catalog(const std::vector<CatalogRow>& rows) {
  for (std::size_t begin = 0; begin < rows.size(); begin += kFill) {
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kFill, rows.size()));
    pages_.push_back(
        std::make_shared<Page>(std::vector<CatalogRow>(rows.begin() + static_cast<std::ptrdiff_t>(begin), end)));
  }
  Count();
}

void Catalog::Count() {
  files_ = rows_ = 0;
  files_before_.clear();
  files_before_.reserve(pages_.size());
  for (const auto& page : pages_) {
    files_before_.push_back(files_);
    files_ += page->files();
    rows_ += page->size();
  }
}

Catalog::Position Catalog::LowerBound(std::string_view path) const {
  // The last page whose first row is not after the path.
  const auto after = std::partition_point(pages_.begin(), pages_.end(),
                                          [&](const auto& page) { return ComparePaths(page->path(0), path) <= 0; });
  if (after == pages_.begin()) return {0, 0};
  const auto index = static_cast<std::size_t>(after - pages_.begin()) - 1;
  const Page& page = *pages_[index];
  std::size_t low = 0;
  std::size_t high = page.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (PathBefore(page.path(middle), path)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == page.size() ? Position{index + 1, 0} : Position{index, low};
}

const PackedRow* Catalog::Find(std::string_view path) const {
  const Position at = LowerBound(path);
  if (at.page == pages_.size() || pages_[at.page]->path(at.row) != path) return nullptr;
  return &pages_[at.page]->row(at.row);
}

std::pair<Catalog::Position, Catalog::Position> Catalog::Range(std::string_view folder) const {
  const Position end{pages_.size(), 0};
  if (folder.empty()) return {{0, 0}, end};
  // '0' follows '/' in ASCII, so this is the first path after the folder's.
  std::string key = SortKey(folder) + '/';
  const Position first = LowerBound(key);
  key.back() = '0';
  return {first, LowerBound(key)};
}

Catalog Catalog::With(const std::vector<CatalogRow>& rows, const std::vector<std::string>& removed) const {
  const std::vector<Edit> edits = MergeEdits(rows, removed);
  Catalog out;
  out.pages_.reserve(pages_.size() + edits.size() / kFill + 1);
  std::size_t edit = 0;
  for (std::size_t p = 0; p < pages_.size() || edit < edits.size(); ++p) {
    // The edits of a page are those before the next page begins.
    std::size_t end = edits.size();
    if (p + 1 < pages_.size()) {
      end = static_cast<std::size_t>(
          std::partition_point(edits.begin() + static_cast<std::ptrdiff_t>(edit), edits.end(),
                               [&](const Edit& e) { return PathBefore(e.path, pages_[p + 1]->path(0)); }) -
          edits.begin());
    }
    if (edit == end && p < pages_.size()) {
      out.pages_.push_back(pages_[p]);
      continue;
    }
    std::vector<CatalogRow> merged;
    const std::size_t size = p < pages_.size() ? pages_[p]->size() : 0;
    std::size_t row = 0;
    while (row < size || edit < end) {
      const int order = edit == end ? -1 : row == size ? 1 : ComparePaths(pages_[p]->path(row), edits[edit].path);
      if (order < 0) {
        merged.push_back(pages_[p]->Unpack(row++));
        continue;
      }
      if (order == 0) ++row;
      if (edits[edit].row != nullptr) merged.push_back(*edits[edit].row);
      ++edit;
    }
    Cut(merged, out.pages_);
  }
  out.Count();
  return out;
}

std::uint64_t Catalog::indexed() const {
  return std::accumulate(pages_.begin(), pages_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& page) { return sum + page->indexed(); });
}

std::vector<CatalogRow> Catalog::AllRows() const {
  std::vector<CatalogRow> rows;
  rows.reserve(rows_);
  for (const auto& page : pages_) {
    for (std::size_t i = 0; i < page->size(); ++i) rows.push_back(page->Unpack(i));
  }
  return rows;
}

std::size_t Catalog::memory() const {
  std::size_t bytes = pages_.capacity() * sizeof(pages_[0]) + files_before_.capacity() * sizeof(std::uint64_t);
  for (const auto& page : pages_) bytes += page->memory();
  return bytes;
}

}  // namespace forge::index
