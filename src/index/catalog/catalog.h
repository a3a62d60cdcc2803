// The eligible files in order, with what we know about each.
//
// Rows live in pages of a few hundred. A catalog is immutable: a change copies
// the pages that it touches and shares the rest. So readers keep their version,
// and the cost of a change does not depend on the size of the tree.
//
// A page also knows whether some of its rows are always candidates, and which
// documents the others have. The catalog has a summary of it for each page, side by
// side in memory. So a query with few candidates reads a few words for each page, in a
// row, and not the pages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/catalog/catalog_row.h"

namespace forge::index {

// A row without its path, which the page keeps.
struct PackedRow {
  std::uint32_t path_end = 0;
  CatalogRow::Kind kind = CatalogRow::Kind::kFile;
  TokenStatus status = TokenStatus::kNone;
  bool settled = false;
  SegmentId segment = 0;
  DocRange docs;
  os::FileInfo info;
};

class Page {
 public:
  static constexpr std::size_t kMostRows = 512;

  explicit Page(std::span<const CatalogRow> rows);

  std::size_t size() const { return rows_.size(); }
  std::uint32_t files() const { return files_; }      // rows that are not denied entries
  std::uint32_t indexed() const { return indexed_; }  // of those, that a query may exclude
  const PackedRow& row(std::size_t i) const { return rows_[i]; }
  std::string_view path(std::size_t i) const;
  CatalogRow Unpack(std::size_t i) const;

  // Whether some rows need a look in every query: rows that are always
  // candidates, and files with several links, whose changes a watcher may miss.
  bool any_special() const { return any_special_; }
  bool any_denied() const { return files_ != rows_.size(); }
  std::uint64_t largest() const { return largest_; }  // size of a file here

  // The documents of this page's other rows: for each segment one range that covers
  // them.
  struct Span {
    SegmentId segment = 0;
    DocRange docs;
  };
  const std::vector<Span>& spans() const { return spans_; }

  // A page is regular if no row is special, and the documents of all rows ascend, belong
  // to one segment and are not very many. A query can then go from a document to its row
  // without looking at each row.
  bool regular() const { return !starts_.empty(); }

  // Of a regular page, for a document within its span: the last row with documents that
  // begins at or before it.
  std::size_t RowOf(std::uint32_t doc) const;

  // Tell the processor what will be read, so that it fetches this for several pages at
  // the same time: what RowOf needs; then a row; then its path.
  void ExpectRowOf() const;
  void ExpectRow(std::size_t i) const;
  void ExpectPath(std::size_t i) const;

  std::size_t memory() const;

 private:
  void AddToSpans(const PackedRow& row);
  void MarkStarts();

  std::string paths_;
  std::vector<PackedRow> rows_;
  bool any_special_ = false;
  std::uint32_t files_ = 0;
  std::uint32_t indexed_ = 0;
  std::uint64_t largest_ = 0;
  std::vector<Span> spans_;
  std::vector<std::uint64_t> starts_;  // a bit for each document of the span: whether it is the first of a row
  std::vector<std::uint16_t> filled_;  // the rows with documents, if others have none
};

// What a query asks first of a page.
struct PageSummary {
  // The other fields hold for every row: none is special or denied, and all documents
  // are of one segment.
  bool simple = false;
  std::uint32_t files = 0;
  Page::Span span;
  std::uint64_t largest = 0;
};

class Catalog {
 public:
  Catalog() = default;
  // Rows in order (see tree/path_order.h).
  explicit Catalog(const std::vector<CatalogRow>& rows);

  // Where a row is, or would be.
  struct Position {
    std::size_t page = 0;
    std::size_t row = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
  };

  std::size_t pages() const { return pages_.size(); }
  const Page& page(std::size_t i) const { return *pages_[i]; }
  const PageSummary& summary(std::size_t i) const { return summaries_[i]; }
  std::uint64_t files() const { return files_; }
  std::uint64_t indexed() const { return indexed_; }  // files that a query may exclude
  std::uint64_t rows() const { return rows_; }

  // As Page::ExpectRowOf, for the page itself.
  void ExpectPage(std::size_t i) const;

  Position LowerBound(std::string_view path) const;
  // Null if there is none.
  const PackedRow* Find(std::string_view path) const;
  // All rows of a folder: those whose path starts with `folder` + '/'. Rows of a
  // folder with the same name in another normal form may lie among them; see InFolder.
  std::pair<Position, Position> Range(std::string_view folder) const;

  // A copy with `rows` added or replaced, and without the paths `removed`. Both are
  // in order, and no path is there twice.
  Catalog With(const std::vector<CatalogRow>& rows, const std::vector<std::string>& removed) const;

  // The same, page by page: `stop` is asked after each page, and if it says so, the
  // changes that are left stay in `rows` and `removed`. At least one page is done.
  Catalog WithSome(std::span<const CatalogRow>& rows, std::span<const std::string>& removed,
                   const std::function<bool()>& stop) const;

  std::vector<CatalogRow> AllRows() const;
  std::size_t memory() const;

 private:
  // Looks at the pages once they are complete.
  void Summarize();

  std::vector<std::shared_ptr<const Page>> pages_;
  std::vector<PageSummary> summaries_;
  std::uint64_t files_ = 0;
  std::uint64_t indexed_ = 0;
  std::uint64_t rows_ = 0;
};

// Whether `path` lies below `folder` ("" holds everything), by raw bytes.
bool InFolder(std::string_view path, std::string_view folder);

// Whether no query may exclude the row, whatever its documents are. (An empty file has
// no documents, but also no line that could match: a query may exclude it.)
bool IsAlwaysCandidate(const PackedRow& row);

// Whether a catalog that is trusted knows the content of the row's file without a
// look at it (R1): no event can be missing. A write through a second name of the
// file would cause none.
bool IsVouchedFor(const PackedRow& row);

}  // namespace forge::index
