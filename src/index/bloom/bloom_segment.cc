#include "index/bloom/bloom_segment.h"

#include <algorithm>

#include "index/bloom/bloom_format.h"
#include "index/format/byte_io.h"
#include "index/format/damage.h"
#include "index/format/packed_bits.h"

namespace forge::index {
namespace {

bool ReadInto(const SegmentBytes& bytes, std::uint64_t offset, std::size_t size, std::string& out) {
  if (offset > bytes.size() || size > bytes.size() - offset) return false;
  out.resize(size);
  return bytes.Read(offset, size, out.data());
}

}  // namespace

Result<std::shared_ptr<const BloomSegment>> BloomSegment::Open(std::unique_ptr<SegmentBytes> bytes) {
  std::shared_ptr<BloomSegment> segment(new BloomSegment(std::move(bytes)));
  if (const Status status = segment->Load(); !status) return status.error();
  return std::shared_ptr<const BloomSegment>(std::move(segment));
}

Status BloomSegment::Load() {
  std::string image;
  BloomHeader header;
  if (!ReadInto(*bytes_, 0, BloomHeader::kSize, image) || !header.Decode(image)) {
    return Damaged("the header of a segment with bloom filters");
  }
  const std::size_t count = std::size_t{header.docs} * 2;
  std::string directory;
  if (!ReadInto(*bytes_, BloomHeader::kSize, count * BloomHeader::kEntrySize, directory) ||
      ChecksumOf(header, directory) != header.checksum) {
    return Damaged("the directory of a segment with bloom filters");
  }
  ngram_ = header.ngram;
  casefold_ = header.casefold;
  shape_ = header.shape;
  std::uint64_t offset = BloomHeader::kSize + directory.size();
  for (std::size_t i = 0; i < count; ++i) {
    const char* const entry = directory.data() + i * BloomHeader::kEntrySize;
    const auto size = LoadWord<std::uint32_t>(entry);
    filters_.push_back({offset, size, LoadWord<std::uint64_t>(entry + sizeof size)});
    offset += size;
  }
  if (offset != bytes_->size()) return Damaged("the size of a segment with bloom filters");
  return {};
}

Status BloomSegment::Read(std::size_t number, std::string& out) const {
  const Filter& filter = filters_[number];
  if (!ReadInto(*bytes_, filter.offset, filter.size, out)) return Damaged("a bloom filter cannot be read");
  if (ChecksumOfFilter(out, number) != filter.checksum) return Damaged("the checksum of a bloom filter");
  if (!PackedBits::Of(out, shape_.bits)) return Damaged("the size of a bloom filter");
  return {};
}

std::vector<std::uint64_t> BloomSegment::BitsFor(std::string_view text) const {
  std::vector<std::uint64_t> bits;
  ForEachNgram(text, ngram_, [&](std::string_view gram) {
    const NgramBits places(gram, shape_);
    for (std::uint32_t i = 0; i < shape_.hashes; ++i) bits.push_back(places[i]);
  });
  return bits;
}

bool BloomSegment::CanExclude(const TokenQuery& query) const {
  return query.literal && HasUsableNgrams(*query.literal, ngram_);
}

Result<DocSet> BloomSegment::Candidates(const TokenQuery& query) const {
  if (!CanExclude(query)) return DocSet(doc_count(), /*full=*/true);
  const auto bits = BitsFor(query.ignore_case ? Folded(*query.literal, casefold_) : *query.literal);
  const std::size_t variant = query.ignore_case ? 1 : 0;
  DocSet candidates(doc_count());
  std::string packed;
  for (std::uint32_t doc = 0; doc < doc_count(); ++doc) {
    if (const Status status = Read(std::size_t{doc} * 2 + variant, packed); !status) return status.error();
    const auto filter = PackedBits::Of(packed, shape_.bits);
    if (std::all_of(bits.begin(), bits.end(), [&](std::uint64_t bit) { return filter->Has(bit); })) candidates.Add(doc);
  }
  // What was read is compared each time. What was not read may be damaged all the same.
  if (bytes_->written_to()) return Damaged("another program wrote to a segment");
  return candidates;
}

Result<std::string> BloomSegment::Bitset(std::uint32_t doc, BloomVariant variant) const {
  std::string packed;
  if (const Status status = Read(std::size_t{doc} * 2 + static_cast<std::size_t>(variant), packed); !status) {
    return status.error();
  }
  return PackedBits::Of(packed, shape_.bits)->Unpacked();
}

std::size_t BloomSegment::memory() const {
  return sizeof(*this) + filters_.capacity() * sizeof(Filter) + bytes_->memory();
}

Status BloomSegment::Verify() const {
  std::string packed;
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    if (Status status = Read(i, packed); !status) return status;
  }
  return {};
}

Result<std::shared_ptr<const Segment>> OpenBloomSegment(std::unique_ptr<SegmentBytes> bytes) {
  auto segment = BloomSegment::Open(std::move(bytes));
  if (!segment) return segment.error();
  return std::shared_ptr<const Segment>(*segment);
}

}  // namespace forge::index
