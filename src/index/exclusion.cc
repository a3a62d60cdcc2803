#include "index/exclusion.h"

#include <algorithm>

namespace forge::index {

Result<Exclusion> Exclusion::For(const Snapshot& snapshot, const TokenQuery& query) {
  Exclusion out;
  out.sets_.reserve(snapshot.segments.size());
  for (const auto& [id, segment] : snapshot.segments) {
    auto docs = segment->Candidates(query);
    if (!docs) return docs.error();
    out.sets_.emplace_back(id, std::move(*docs));
  }
  return out;
}

bool Exclusion::HasAny(SegmentId segment, const DocRange& docs) const {
  const auto at = std::lower_bound(sets_.begin(), sets_.end(), segment,
                                   [](const auto& entry, SegmentId id) { return entry.first < id; });
  // A row of a segment that is not there knows nothing.
  if (at == sets_.end() || at->first != segment) return true;
  const DocSet& set = at->second;
  if (docs.first >= set.size() || docs.count > set.size() - docs.first) return true;
  return set.HasAny(docs.first, docs.count);
}

bool Exclusion::MayMatch(const PackedRow& row) const {
  return IsAlwaysCandidate(row) || (row.docs.count > 0 && HasAny(row.segment, row.docs));
}

bool Exclusion::MayMatch(const Page& page) const {
  return std::any_of(page.spans().begin(), page.spans().end(),
                     [&](const Page::Span& span) { return HasAny(span.segment, span.docs); });
}

}  // namespace forge::index
