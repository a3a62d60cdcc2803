// The exclusion test of one request, in one place (FR-LSI-SAFE-02).
//
// A search may leave a file unread only if two things hold: the file still has
// the content that was indexed, and no document of that content can hold a
// match. The caller proves the first (the watcher reported no change, or the
// fingerprints are equal); this class proves the second.
#pragma once

#include <utility>
#include <vector>

#include "index/snapshot/snapshot.h"
#include "match/scan.h"

namespace forge::index {

class Exclusion {
 public:
  // An error if the index is damaged.
  static Result<Exclusion> For(const Snapshot& snapshot, const TokenQuery& query);

  // Whether less than an eighth of the documents is left out.
  bool excludes_little() const;

  // Whether the indexed content of a row may match. A row without such content may.
  bool MayMatch(const PackedRow& row) const;

  // For a regular page: the first row at or after `row` that may match; the size of the
  // page if there is none.
  std::size_t NextRow(const Page& page, std::size_t row) const;

  // The parts of the row's indexed content where a line may match. Nothing if that is
  // all of it, or not known. A content with parts has no NUL.
  std::vector<TextPart> Parts(const Snapshot& snapshot, const PackedRow& row) const;

  // False only if no row with documents may match. The second requires a summary that
  // is simple.
  bool MayMatch(const Page& page) const;
  bool MayMatch(const PageSummary& summary) const;

 private:
  // Null for a segment that is not there: its rows may all match.
  const DocSet* SetOf(SegmentId segment) const;
  bool HasAny(SegmentId segment, const DocRange& docs) const;

  std::vector<std::pair<SegmentId, DocSet>> sets_;  // by segment
};

}  // namespace forge::index
