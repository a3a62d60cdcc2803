#include "index/snapshot/segment_proof.h"

#include <algorithm>
#include <string>
#include <vector>

#include "index/bloom/bloom_segment.h"
#include "index/grams/trigram.h"

namespace forge::index {
namespace {

// At the end of a line, the two bytes before it.
std::string GramOf(std::uint64_t key) {
  std::string gram = {static_cast<char>(key >> 16U), static_cast<char>(key >> 8U), static_cast<char>(key)};
  if (gram.back() == '\n') gram.pop_back();
  return gram;
}

class PostingsProof final : public SegmentProof {
 public:
  explicit PostingsProof(const Segment& segment) : segment_(segment), seen_(kTrigrams / 64) {}

  Result<bool> Add(DocRange docs, std::string_view text, const Report& report) override {
    const std::span<const Block> blocks = segment_.Blocks(docs.first, docs.count);
    if (blocks.size() != docs.count || !AreBlocksOf(blocks, text)) return false;
    for (std::uint32_t i = 0; i < docs.count; ++i) {
      AddBlock(docs.first + i, text.substr(blocks[i].offset, blocks[i].size));
      if (postings_.size() < kMostPostings) continue;
      if (const Status done = Finish(report); !done) return done.error();
    }
    return true;
  }

  Status Finish(const Report& report) override {
    std::sort(postings_.begin(), postings_.end());
    for (auto begin = postings_.begin(); begin != postings_.end();) {
      const std::uint64_t key = *begin >> 16U;
      const auto end = std::find_if(begin, postings_.end(), [key](std::uint64_t p) { return p >> 16U != key; });
      TokenQuery query;
      query.plan.kind = NgramPlan::Kind::kGram;
      query.plan.gram = GramOf(key);
      const Result<DocSet> found = segment_.Candidates(query);
      if (!found) return found.error();
      for (; begin != end; ++begin) {
        const auto doc = static_cast<std::uint32_t>(*begin & 0xFFFF);
        if (!found->Has(doc)) report(doc, query.plan.gram);
      }
    }
    postings_.clear();
    return {};
  }

 private:
  // 128 MB. A larger batch would save time: each batch asks for each gram once.
  static constexpr std::size_t kMostPostings = 16 << 20;

  // In order, without gaps, cut at line ends.
  static bool AreBlocksOf(std::span<const Block> blocks, std::string_view text) {
    std::uint64_t at = 0;
    for (const Block& block : blocks) {
      if (block.offset != at || block.size > text.size() - at) return false;
      at += block.size;
      if (at < text.size() && (at == 0 || text[at - 1] != '\n')) return false;
    }
    return at == text.size();
  }

  void AddBlock(std::uint32_t doc, std::string_view block) {
    const std::size_t first = postings_.size();
    while (!block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      AddLine(doc, block.substr(0, end));
      block.remove_prefix(std::min(end + 1, block.size()));
    }
    for (std::size_t i = first; i < postings_.size(); ++i) {
      const std::uint64_t key = postings_[i] >> 16U;
      seen_[key / 64] = 0;
    }
  }

  // Two bytes are found by a trigram that begins with them. At the end of a line that
  // trigram ends in a line feed.
  void AddLine(std::uint32_t doc, std::string_view line) {
    std::uint32_t key = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char byte = i < line.size() ? FoldByte(line[i]) : '\n';
      key = (key << 8U | static_cast<std::uint8_t>(byte)) & (kTrigrams - 1);
      if (i < 2 || (seen_[key / 64] >> (key % 64) & 1U) != 0) continue;
      seen_[key / 64] |= std::uint64_t{1} << (key % 64);
      postings_.push_back(std::uint64_t{key} << 16U | doc);
    }
  }

  const Segment& segment_;
  std::vector<std::uint64_t> seen_;      // in this block, by key
  std::vector<std::uint64_t> postings_;  // key, then document
};

class BloomProof final : public SegmentProof {
 public:
  explicit BloomProof(const BloomSegment& segment) : segment_(segment) {}

  Result<bool> Add(DocRange docs, std::string_view text, const Report& report) override {
    const TokenText read = TextOf(text, segment_.ngram(), text.size());
    if (docs.count != 1 || read.incomplete != Incomplete::kNo) return false;
    for (const BloomVariant variant : {BloomVariant::kSensitive, BloomVariant::kInsensitive}) {
      const bool folded = variant == BloomVariant::kInsensitive;
      const Result<std::string> bits = segment_.Bitset(docs.first, variant);
      if (!bits) return bits.error();
      const std::string tokens = folded ? Folded(read.text, segment_.casefold()) : read.text;
      ForEachNgram(tokens, segment_.ngram(), [&](std::string_view ngram) {
        if (!HasAll(*bits, ngram)) report(docs.first, ngram);
      });
    }
    return true;
  }

  Status Finish(const Report&) override { return {}; }

 private:
  bool HasAll(const std::string& bits, std::string_view ngram) const {
    const NgramBits places(ngram, segment_.shape());
    for (std::uint32_t i = 0; i < segment_.shape().hashes; ++i) {
      if ((static_cast<unsigned>(bits[places[i] / 8]) >> (places[i] % 8) & 1U) == 0) return false;
    }
    return true;
  }

  const BloomSegment& segment_;
};

}  // namespace

std::unique_ptr<SegmentProof> ProofOf(const Segment& segment) {
  if (segment.structure() == TokenStructure::kBloom) {
    return std::make_unique<BloomProof>(static_cast<const BloomSegment&>(segment));
  }
  return std::make_unique<PostingsProof>(segment);
}

}  // namespace forge::index
