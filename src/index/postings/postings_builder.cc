// Builds a segment with postings: split into blocks, extract trigrams, invert;
// at the end each list gets its smallest coding.
#include <algorithm>

#include "index/format/byte_io.h"
#include "index/grams/inverter.h"
#include "index/grams/trigram_extractor.h"
#include "index/postings/block_split.h"
#include "index/postings/block_table.h"
#include "index/postings/checked_postings.h"
#include "index/postings/dictionary.h"
#include "index/postings/postings_header.h"
#include "index/postings/postings_segment.h"
#include "index/segment/segment.h"

namespace forge::index {
namespace {

// More text in a segment means fewer lists to read. Less text means less memory
// while building, and less to write when segments are merged.
constexpr std::uint64_t kMostText = 256ULL << 20U;
// Reached by files that are not like text, such as random bytes.
constexpr std::size_t kMostMemory = 144ULL << 20U;
class PostingsBuilder final : public SegmentBuilder {
 public:
  bool Fits(std::uint64_t file_size) const override {
    return blocks_.empty() || (file_size <= kMostText - std::min(text_, kMostText) && memory() < kMostMemory &&
                               MostBlocks(file_size) <= kMaxDocs - blocks_.size());
  }

  DocRange Add(std::string_view bytes) override {
    const std::uint32_t first = docs();
    // Half a gigabyte: larger files get no documents, so they are always read.
    // It also keeps the chains of postings below the 4 GiB that they address.
    if (MostBlocks(bytes.size()) > kMaxDocs - first) return {first, 0};
    SplitIntoBlocks(bytes, blocks_);
    for (std::uint32_t doc = first; doc < docs(); ++doc) {
      const Block& block = blocks_[doc];
      inverter_.Add(doc, extractor_.Extract(bytes.substr(block.offset, block.size)));
    }
    text_ += bytes.size();
    return {first, docs() - first};
  }

  std::uint32_t docs() const override { return static_cast<std::uint32_t>(blocks_.size()); }

  std::size_t memory() const override {
    return inverter_.memory() + extractor_.memory() + blocks_.capacity() * sizeof(Block);
  }

  std::string Finish() override {
    PostingsHeader header;
    header.docs = docs();
    std::string image(PostingsHeader::kSize, '\0');
    image.reserve(PostingsHeader::kSize + text_ / 8);
    DictionaryWriter dictionary(docs());
    inverter_.Drain([&](std::uint32_t key, std::string_view gaps) { dictionary.Add(key, gaps, image); });
    header.keys = dictionary.keys();
    header.postings_size = image.size() - PostingsHeader::kSize;
    const std::vector<std::uint64_t> checksums = StripeChecksums(std::string_view(image).substr(PostingsHeader::kSize));

    header.dictionary_size = dictionary.bytes().size();
    image += dictionary.bytes();
    const std::size_t blocks_at = image.size();
    AppendBlockTable(blocks_, image);
    header.blocks_size = image.size() - blocks_at;
    image.append(reinterpret_cast<const char*>(checksums.data()), checksums.size() * sizeof checksums[0]);

    header.checksum = ChecksumOf(header, std::string_view(image).substr(header.loaded_at()));
    image.replace(0, PostingsHeader::kSize, header.Encode());
    Forget();
    return image;
  }

 private:
  void Forget() {
    blocks_.clear();
    text_ = 0;
    // A huge line leaves huge buffers; they would count against every later
    // file.
    if (extractor_.memory() > kMostMemory / 8) extractor_ = TrigramExtractor();
  }

  TrigramExtractor extractor_;
  Inverter inverter_;
  std::vector<Block> blocks_;
  std::uint64_t text_ = 0;
};

}  // namespace

std::unique_ptr<SegmentBuilder> MakePostingsBuilder() { return std::make_unique<PostingsBuilder>(); }

}  // namespace forge::index
