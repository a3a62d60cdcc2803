#include "index/catalog/catalog.h"

#include <algorithm>

#include "base/bits.h"
#include "base/expect.h"
#include "base/unicode.h"
#include "tree/path_order.h"

namespace forge::index {
namespace {

constexpr std::uint32_t kWordBits = 64;
constexpr std::size_t kFill = Page::kMostRows * 3 / 4;  // rows of a new page; leaves room for some more

using Pages = std::vector<std::shared_ptr<const Page>>;

// Changes in order, as one sequence: a row to set, or a path to remove. Takes
// them from the front of the two spans.
class Edits {
 public:
  Edits(std::span<const CatalogRow>& rows, std::span<const std::string>& removed) : rows_(rows), removed_(removed) {}

  // Whether an edit of this page is left: one before the path at which the next
  // page begins. Empty: there is no next page.
  bool left() const { return left_; }
  void EnterPage(std::string_view next_page) {
    next_page_ = next_page;
    Look();
  }

  std::string_view path() const { return sets_ ? std::string_view(rows_.front().path) : removed_.front(); }
  // The row to set; null for a path to remove. Requires left().
  const CatalogRow* Take() {
    const CatalogRow* const row = sets_ ? &rows_.front() : nullptr;
    if (sets_) {
      rows_ = rows_.subspan(1);
    } else {
      removed_ = removed_.subspan(1);
    }
    Look();
    return row;
  }

 private:
  void Look() {
    left_ = !rows_.empty() || !removed_.empty();
    if (!left_) return;
    sets_ = removed_.empty() || (!rows_.empty() && PathBefore(rows_.front().path, removed_.front()));
    left_ = next_page_.empty() || PathBefore(path(), next_page_);
  }

  std::span<const CatalogRow>& rows_;
  std::span<const std::string>& removed_;
  std::string_view next_page_;
  bool left_ = false;
  bool sets_ = false;
};

// Pages of about equal size for rows that may no longer fit one.
void Cut(std::span<const CatalogRow> rows, Pages& out) {
  if (rows.empty()) return;
  const std::size_t parts = rows.size() <= Page::kMostRows ? 1 : (rows.size() + kFill - 1) / kFill;
  std::size_t begin = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    const std::size_t end = rows.size() * part / parts;
    out.push_back(std::make_shared<Page>(rows.subspan(begin, end - begin)));
    begin = end;
  }
}

PageSummary SummaryOf(const Page& page) {
  const std::vector<Page::Span>& spans = page.spans();
  const bool simple = !page.any_special() && !page.any_denied() && spans.size() <= 1;
  return {simple, page.files(), spans.empty() ? Page::Span() : spans[0], page.largest()};
}

// Adds a page with its edits to `out`; null: there is no page yet. Many new rows
// make many pages: then `stop` is asked after each. False if it said so.
bool MergePage(const Page* page, Edits& edits, const std::function<bool()>& stop, Pages& out) {
  std::vector<CatalogRow> merged;
  const std::size_t size = page != nullptr ? page->size() : 0;
  bool goes_on = true;
  for (std::size_t row = 0; row < size || (goes_on && edits.left());) {
    const bool edit = goes_on && edits.left();
    const int order = !edit ? -1 : row == size ? 1 : ComparePaths(page->path(row), edits.path());
    if (order < 0) {
      merged.push_back(page->Unpack(row++));
    } else {
      if (order == 0) ++row;
      if (const CatalogRow* const set = edits.Take()) merged.push_back(*set);
    }
    if (merged.size() < 2 * kFill) continue;
    out.push_back(std::make_shared<Page>(std::span(merged).first(kFill)));
    merged.erase(merged.begin(), merged.begin() + kFill);
    goes_on = goes_on && !stop();
  }
  Cut(merged, out);
  return goes_on && !stop();
}

}  // namespace

bool InFolder(std::string_view path, std::string_view folder) {
  return folder.empty() || (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

bool IsAlwaysCandidate(const PackedRow& row) {
  return row.kind == CatalogRow::Kind::kFile &&
         (row.status != TokenStatus::kFull || !row.settled || (row.docs.count == 0 && row.info.size != 0));
}

bool IsVouchedFor(const PackedRow& row) {
  return row.kind == CatalogRow::Kind::kFile && !IsAlwaysCandidate(row) && row.info.links == 1;
}

Page::Page(std::span<const CatalogRow> rows) {
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
  MarkStarts();
}

void Page::MarkStarts() {
  // RowOf counts the bits before a document.
  constexpr std::uint32_t kMostDocs = 8192;
  if (any_special_ || any_denied() || spans_.size() != 1 || spans_[0].docs.count > kMostDocs) return;
  const DocRange& all = spans_[0].docs;
  std::vector<std::uint64_t> starts((all.count + kWordBits - 1) / kWordBits);
  std::vector<std::uint16_t> filled;
  std::uint32_t next = all.first;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const DocRange& docs = rows_[i].docs;
    if (docs.count == 0) continue;
    const std::uint32_t at = docs.first - all.first;
    if (docs.first < next || at >= all.count) return;  // the second: numbers that a damaged index may have
    next = docs.first + docs.count;
    starts[at / kWordBits] |= std::uint64_t{1} << at % kWordBits;
    filled.push_back(static_cast<std::uint16_t>(i));
  }
  starts_ = std::move(starts);
  if (filled.size() < rows_.size()) filled_ = std::move(filled);
}

std::size_t Page::RowOf(std::uint32_t doc) const {
  const std::uint32_t at = doc - spans_[0].docs.first;
  const std::size_t word = at / kWordBits;
  std::size_t begun = CountBits(starts_[word] << (kWordBits - 1 - at % kWordBits));
  for (std::size_t i = 0; i < word; ++i) begun += CountBits(starts_[i]);
  return filled_.empty() ? begun - 1 : filled_[begun - 1];
}

void Page::ExpectRowOf() const {
  ExpectBytes(spans_.data(), sizeof(Span));
  ExpectBytes(starts_.data(), starts_.size() * sizeof(std::uint64_t));
}

void Page::ExpectRow(std::size_t i) const {
  const std::size_t before = i > 0 ? i - 1 : 0;  // its path ends where this one begins
  ExpectBytes(&rows_[before], (i + 1 - before) * sizeof(PackedRow));
}

void Page::ExpectPath(std::size_t i) const {
  const std::string_view bytes = path(i);
  ExpectBytes(bytes.data(), bytes.size());
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
         starts_.capacity() * sizeof(std::uint64_t) + filled_.capacity() * sizeof(std::uint16_t);
}

Catalog::Catalog(const std::vector<CatalogRow>& rows) {
  for (std::size_t begin = 0; begin < rows.size(); begin += kFill) {
    const std::size_t end = std::min(begin + kFill, rows.size());
    pages_.push_back(std::make_shared<Page>(std::span(rows).subspan(begin, end - begin)));
  }
  Summarize();
}

void Catalog::Summarize() {
  summaries_.reserve(pages_.size());
  for (const auto& page : pages_) {
    files_ += page->files();
    indexed_ += page->indexed();
    rows_ += page->size();
    summaries_.push_back(SummaryOf(*page));
  }
}

void Catalog::ExpectPage(std::size_t i) const { ExpectBytes(pages_[i].get(), sizeof(Page)); }

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
  std::span<const CatalogRow> rows_left = rows;
  std::span<const std::string> removed_left = removed;
  return WithSome(rows_left, removed_left, [] { return false; });
}

Catalog Catalog::WithSome(std::span<const CatalogRow>& rows, std::span<const std::string>& removed,
                          const std::function<bool()>& stop) const {
  Edits edits(rows, removed);
  Catalog out;
  out.pages_.reserve(pages_.size() + 1);
  bool goes_on = true;
  for (std::size_t p = 0; p < std::max<std::size_t>(pages_.size(), 1); ++p) {
    edits.EnterPage(p + 1 < pages_.size() ? pages_[p + 1]->path(0) : std::string_view());
    const Page* const page = p < pages_.size() ? pages_[p].get() : nullptr;
    if (goes_on && edits.left()) {
      goes_on = MergePage(page, edits, stop, out.pages_);
    } else if (page != nullptr) {
      out.pages_.push_back(pages_[p]);
    }
  }
  out.Summarize();
  return out;
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
  std::size_t bytes = pages_.capacity() * sizeof(pages_[0]) + summaries_.capacity() * sizeof(PageSummary);
  for (const auto& page : pages_) bytes += page->memory();
  return bytes;
}

}  // namespace forge::index
