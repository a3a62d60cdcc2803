#include <algorithm>

#include "index/bloom/bloom_format.h"
#include "index/bloom/bloom_segment.h"
#include "index/format/byte_io.h"
#include "index/format/packed_bits.h"

namespace forge::index {
namespace {

// Small enough to hold in memory and write at once.
constexpr std::uint64_t kMaxImage = 64 << 20;

class BloomBuilder final : public SegmentBuilder {
 public:
  explicit BloomBuilder(const BloomParams& params) : params_(params), shape_(ShapeFor(params)) {}

  bool Fits(std::uint64_t file_size) const override {
    if (docs() == 0) return true;
    return docs() < kMaxDocs && filters_.size() + 2 * MostBytes(file_size) <= kMaxImage;
  }

  DocRange Add(std::string_view bytes) override {
    const DocRange none{docs(), 0};
    const TokenText read = TextOf(bytes, params_.ngram, params_.max_tokenized_bytes);
    if (read.incomplete != Incomplete::kNo) return none;
    const std::string folded = Folded(read.text, params_.casefold);
    const std::string sensitive = Filter(read.text);
    Append(sensitive);
    Append(folded == read.text ? sensitive : Filter(folded));
    return {none.first, 1};
  }

  std::uint32_t docs() const override { return filter_count_ / 2; }
  std::size_t memory() const override { return directory_.capacity() + filters_.capacity(); }

  std::string Finish() override {
    BloomHeader header{.ngram = static_cast<std::uint8_t>(params_.ngram),
                       .casefold = params_.casefold,
                       .docs = docs(),
                       .shape = shape_};
    header.checksum = ChecksumOf(header, directory_);
    std::string image = header.Encode() + directory_ + filters_;
    *this = BloomBuilder(params_);
    return image;
  }

 private:
  // A character gives at most `hashes` bits, each at most three bytes when packed.
  std::uint64_t MostBytes(std::uint64_t file_size) const {
    return std::min(shape_.bytes(), std::min(file_size, params_.max_tokenized_bytes) * shape_.hashes * 3) + 16;
  }

  std::string Filter(std::string_view text) const {
    BloomFilter filter(shape_);
    filter.AddAll(text, params_.ngram);
    return PackBits(filter.bytes(), shape_.bits);
  }

  void Append(std::string_view packed) {
    PutWord(directory_, static_cast<std::uint32_t>(packed.size()));
    PutWord(directory_, ChecksumOfFilter(packed, filter_count_++));
    filters_ += packed;
  }

  BloomParams params_;
  BloomShape shape_;
  std::uint32_t filter_count_ = 0;  // filters: two a document
  std::string directory_;
  std::string filters_;
};

}  // namespace

std::unique_ptr<SegmentBuilder> MakeBloomBuilder(const BloomParams& params) {
  return std::make_unique<BloomBuilder>(params);
}

}  // namespace forge::index
