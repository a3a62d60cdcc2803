#include "index/snapshot/exclusion.h"

#include <algorithm>

namespace forge::index {

namespace {

bool HasAll(const DocSet& set, const DocRange& docs) {
  std::uint32_t doc = docs.first;
  while (doc < docs.first + docs.count && set.Has(doc)) ++doc;
  return doc == docs.first + docs.count;
}

}  // namespace

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

bool Exclusion::excludes_little() const {
  std::uint64_t docs = 0;
  std::uint64_t left = 0;
  for (const auto& [id, set] : sets_) {
    docs += set.size();
    left += set.count();
  }
  return left * 8 > docs * 7;
}

const DocSet* Exclusion::SetOf(SegmentId segment) const {
  const auto at = std::lower_bound(sets_.begin(), sets_.end(), segment,
                                   [](const auto& entry, SegmentId id) { return entry.first < id; });
  return at == sets_.end() || at->first != segment ? nullptr : &at->second;
}

bool Exclusion::HasAny(SegmentId segment, const DocRange& docs) const {
  const DocSet* set = SetOf(segment);
  // Without the segment we know nothing about the row.
  if (set == nullptr || docs.first >= set->size() || docs.count > set->size() - docs.first) return true;
  return set->HasAny(docs.first, docs.count);
}

std::size_t Exclusion::NextRow(const Page& page, std::size_t row) const {
  const std::vector<std::uint32_t>& first_docs = page.first_docs();
  const Page::Span& span = page.spans()[0];
  const DocSet* set = SetOf(span.segment);
  const std::uint32_t end = span.docs.first + span.docs.count;
  if (set == nullptr || end > set->size()) return row;
  while (row < page.size()) {
    const std::uint32_t doc = set->Next(first_docs[row]);
    if (doc >= end) break;
    // The last row that begins at or before the document.
    const auto after = std::upper_bound(first_docs.begin() + static_cast<std::ptrdiff_t>(row), first_docs.end(), doc);
    row = static_cast<std::size_t>(after - first_docs.begin()) - 1;
    if (doc - first_docs[row] < page.row(row).docs.count) return row;
    ++row;  // the document belongs to a file that changed or is gone
  }
  return page.size();
}

bool Exclusion::MayMatch(const PackedRow& row) const {
  return IsAlwaysCandidate(row) || (row.docs.count > 0 && HasAny(row.segment, row.docs));
}

std::vector<TextPart> Exclusion::Parts(const Snapshot& snapshot, const PackedRow& row) const {
  std::vector<TextPart> out;
  const DocSet* set = SetOf(row.segment);
  const auto segment = snapshot.segments.find(row.segment);
  const std::uint32_t end = row.docs.first + row.docs.count;
  if (row.docs.count < 2 || set == nullptr || end > set->size() || segment == snapshot.segments.end()) return out;
  if (HasAll(*set, row.docs)) return out;
  const std::span<const Block> blocks = segment->second->Blocks(row.docs.first, row.docs.count);
  if (blocks.size() != row.docs.count) return out;
  // Binary or not is a question about the whole file.
  if (std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.has_nul; })) return out;
  for (std::uint32_t doc = set->Next(row.docs.first); doc < end; doc = set->Next(doc + 1)) {
    const Block& block = blocks[doc - row.docs.first];
    if (!out.empty() && out.back().end == block.offset) {
      out.back().end += block.size;
    } else {
      out.push_back({block.offset, block.offset + block.size, block.first_line});
    }
  }
  return out;
}

bool Exclusion::MayMatch(const PageSummary& summary) const {
  return summary.span.docs.count > 0 && HasAny(summary.span.segment, summary.span.docs);
}

bool Exclusion::MayMatch(const Page& page) const {
  return std::any_of(page.spans().begin(), page.spans().end(),
                     [&](const Page::Span& span) { return HasAny(span.segment, span.docs); });
}

}  // namespace forge::index
