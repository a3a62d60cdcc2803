// The exclusion test of one request, in one place (FR-LSI-SAFE-02).
//
// A file may be left unread only if the content that was indexed is the content
// it has (the caller's part: a watcher that vouches for it, or equal
// fingerprints) and no document of that content may hold a match (this one's).
#pragma once

#include <utility>
#include <vector>

#include "index/snapshot/snapshot.h"

namespace forge::index {

class Exclusion {
 public:
  // An error if the index is damaged.
  static Result<Exclusion> For(const Snapshot& snapshot, const TokenQuery& query);

  // Whether a row may match, going by its indexed content. Rows without such
  // may.
  bool MayMatch(const PackedRow& row) const;

  // Of a regular page: the first row at or after `row` that may match; its size
  // if there is none.
  std::size_t NextRow(const Page& page, std::size_t row) const;

  // False only if no row of the page that has documents may match.
  bool MayMatch(const Page& page) const;

 private:
  // Null for a segment that is not there: its rows may all match.
  const DocSet* SetOf(SegmentId segment) const;
  bool HasAny(SegmentId segment, const DocRange& docs) const;

  std::vector<std::pair<SegmentId, DocSet>> sets_;  // by segment
};

}  // namespace forge::index
