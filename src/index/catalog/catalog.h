// The eligible files in order, with what is known of each.
//
// Rows live in pages of some hundred. A catalog is immutable; a change copies
// the pages that it touches and shares the rest, so that readers keep what they
// hold and a change costs what it changes, whatever the size of the tree.
//
// Beside its rows a page knows which of them are always candidates and which
// documents the others have: a query that leaves nothing looks at a few words a
// page, not at its rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/catalog/catalog_row.h"

namespace forge::index {

// A row with its path elsewhere.
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

  explicit Page(const std::vector<CatalogRow>& rows);

  std::size_t size() const { return rows_.size(); }
  std::uint32_t files() const { return files_; }      // rows that are not denied entries
  std::uint32_t indexed() const { return indexed_; }  // of those, that a query may exclude
  const PackedRow& row(std::size_t i) const { return rows_[i]; }
  std::string_view path(std::size_t i) const;
  CatalogRow Unpack(std::size_t i) const;

  // Whether some rows need a look whatever the query: those that are always
  // candidates, and those with several links, whose changes a watcher may miss.
  bool any_special() const { return any_special_; }
  bool any_denied() const { return files_ != rows_.size(); }
  std::uint64_t largest() const { return largest_; }  // size of a file here

  // The documents of this page's other rows, by segment, as one range each.
  struct Span {
    SegmentId segment = 0;
    DocRange docs;
  };
  const std::vector<Span>& spans() const { return spans_; }

  // For each row its first document, if the page is regular: no row needs a look
  // by itself, and the documents of all are ascending ones of one segment. Then a
  // document leads to its row, and rows are not looked at one by one. Else empty.
  const std::vector<std::uint32_t>& first_docs() const { return first_docs_; }

  std::size_t memory() const;

 private:
  void AddToSpans(const PackedRow& row);
  void ListFirstDocs();

  std::string paths_;
  std::vector<PackedRow> rows_;
  bool any_special_ = false;
  std::uint32_t files_ = 0;
  std::uint32_t indexed_ = 0;
  std::uint64_t largest_ = 0;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> first_docs_;
};

class Catalog {
 public:
  Catalog() = default;
  // Rows in order (see tree/path_order.h).
  explicit Catalog(const std::vector<CatalogRow>& rows);

  // Where a row is, or would be.
  struct Place {
    std::size_t page = 0;
    std::size_t row = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::size_t pages() const { return pages_.size(); }
  const Page& page(std::size_t i) const { return *pages_[i]; }
  std::uint64_t files() const { return files_; }
  std::uint64_t indexed() const;  // files that a query may exclude
  std::uint64_t rows() const { return rows_; }
  std::uint64_t files_before(std::size_t page) const { return files_before_[page]; }

  Place LowerBound(std::string_view path) const;
  // Null if there is none.
  const PackedRow* Find(std::string_view path) const;
  // All rows of a folder: those whose path starts with `folder` + '/'. Twins of
  // its name in another normal form lie among them; see InFolder.
  std::pair<Place, Place> Range(std::string_view folder) const;

  // With these rows added or replaced, and the paths removed that are given.
  // Both in order, no path twice.
  Catalog With(const std::vector<CatalogRow>& rows, const std::vector<std::string>& removed) const;

  std::vector<CatalogRow> AllRows() const;
  std::size_t memory() const;

 private:
  void Count();

  std::vector<std::shared_ptr<const Page>> pages_;
  std::vector<std::uint64_t> files_before_;
  std::uint64_t files_ = 0;
  std::uint64_t rows_ = 0;
};

// Whether `path` lies below `folder` ("" holds everything), by raw bytes.
bool InFolder(std::string_view path, std::string_view folder);

// No query may exclude it, whatever its documents. An empty file has none and no
// line that could match.
bool IsAlwaysCandidate(const PackedRow& row);

}  // namespace forge::index
