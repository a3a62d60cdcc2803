// Segments with Bloom filters: a document is a file, with two filters.
//
//   header | directory | filters
//
//   "forgeseg", version 1, kind 2, n-gram size, case folding    8 + 4 bytes
//   documents u32, hashes u32, 0 u32                           12
//   bits u64, seed u64                                         16
//   checksum u64, of header (with 0 here) and directory         8
//   for each filter: size u32, checksum u64                    12 each
//   the filters, packed: SENSITIVE, INSENSITIVE of each document
//
// Numbers are little-endian. Opening a segment checks header and directory;
// reading a filter checks the filter. The number of a filter is the seed of its
// checksum, so a swap of two filters is found. Filters are not kept in memory:
// a literal search reads one of each document, some 40 KB for a source file of
// 10 KB.
//
// Soundness: see tokenizer.h. A segment stores the shape of its filters, so
// that no query uses another shape.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "forge/result.h"
#include "index/bloom/bloom.h"
#include "index/segment/segment.h"

namespace forge::index {

enum class BloomVariant : std::uint8_t { kSensitive, kInsensitive };

class BloomSegment final : public Segment {
 public:
  static Result<std::shared_ptr<const BloomSegment>> Open(std::unique_ptr<SegmentBytes> bytes);

  TokenStructure structure() const override { return TokenStructure::kBloom; }
  std::uint32_t doc_count() const override { return static_cast<std::uint32_t>(filters_.size() / 2); }
  Result<DocSet> Candidates(const TokenQuery& query) const override;
  bool CanExclude(const TokenQuery& query) const override;
  std::span<const Block> Blocks(std::uint32_t, std::uint32_t) const override { return {}; }
  std::size_t memory() const override;
  Status Verify() const override;

  const BloomShape& shape() const { return shape_; }
  std::uint32_t ngram() const { return ngram_; }
  Casefold casefold() const { return casefold_; }

  // The bytes of FR-LSI-BLOOM-03.
  Result<std::string> Bitset(std::uint32_t doc, BloomVariant variant) const;

 private:
  struct Filter {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
    std::uint64_t checksum = 0;
  };

  explicit BloomSegment(std::unique_ptr<SegmentBytes> bytes) : bytes_(std::move(bytes)) {}
  Status Load();
  std::vector<std::uint64_t> BitsFor(std::string_view text) const;
  // The packed filter with this number, checked.
  Status Read(std::size_t number, std::string& out) const;

  std::unique_ptr<SegmentBytes> bytes_;
  std::uint32_t ngram_ = 0;
  Casefold casefold_ = Casefold::kAscii;
  BloomShape shape_;
  std::vector<Filter> filters_;
};

Result<std::shared_ptr<const Segment>> OpenBloomSegment(std::unique_ptr<SegmentBytes> bytes);

std::unique_ptr<SegmentBuilder> MakeBloomBuilder(const BloomParams& params);

}  // namespace forge::index
