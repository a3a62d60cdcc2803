// The exclusion test of one request, in one place (FR-LSI-SAFE-02).
//
// A search may leave a file unread only if two things hold: the file still has
// the content that was indexed, and no document of that content can hold a
// match. The caller proves the first (the watcher reported no change, or the
// fingerprints are equal); this class proves the second.
//
// A segment is asked when the first of its rows is. So a search that ends early
// pays for the segments that it came to, and the other threads of a search read files
// meanwhile. Linux sources, 6 segments, the first 50 matches of
// [a-z]{4}[0-9]{3}[a-z]{2}: to ask all of them took 4 of 13 ms.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "index/snapshot/snapshot.h"
#include "match/scan.h"

namespace forge::index {

class Exclusion {
 public:
  Exclusion(SnapshotPtr snapshot, TokenQuery query);

  // Asks every segment now. An error if one is damaged.
  Status AskAll();

  // The first damage that was met. All rows of a damaged segment may match.
  const std::optional<Error>& damage() const { return damage_; }

  // Whether the indexed content of a row may match. A row without such content may.
  bool MayMatch(const PackedRow& row);

  // For a regular page: the first row at or after `row` that may match; the size of the
  // page if there is none.
  std::size_t NextRow(const Page& page, std::size_t row);

  // For a regular page: the row that NextRow would probably find first. Looks at no row.
  std::size_t LikelyRow(const Page& page);

  // Makes `out` the parts of the row's indexed content where a line may match. Nothing if
  // that is all of it, or not known. A content with parts has no NUL.
  void FindParts(const PackedRow& row, std::vector<TextPart>& out);

  // False only if no row with documents may match. The second requires a summary that
  // is simple.
  bool MayMatch(const Page& page);
  bool MayMatch(const PageSummary& summary);

 private:
  struct Part {
    SegmentId id = 0;
    const Segment* segment = nullptr;
    bool asked = false;
    std::optional<DocSet> set = std::nullopt;  // nothing: its rows may all match
  };

  void Ask(Part& part);
  // Null for a segment that is not there.
  Part* Find(SegmentId segment);
  // Null if all rows of the segment may match.
  const DocSet* SetOf(SegmentId segment);
  bool HasAny(SegmentId segment, const DocRange& docs);

  SnapshotPtr snapshot_;
  TokenQuery query_;
  bool has_sets_;
  std::vector<Part> parts_;  // by segment
  std::size_t last_ = 0;     // the part that was asked for last: neighbours are mostly in one segment
  std::optional<Error> damage_;
};

}  // namespace forge::index
