#include "index/postings/postings_segment.h"

#include "index/format/byte_io.h"
#include "index/format/damage.h"
#include "index/postings/answered_plans.h"
#include "index/postings/block_table.h"
#include "index/postings/checked_postings.h"
#include "index/postings/dictionary.h"
#include "index/postings/plan_eval.h"
#include "index/postings/postings_header.h"

namespace forge::index {
namespace {

class PostingsSegment final : public Segment {
 public:
  PostingsSegment(Dictionary dictionary, std::vector<Block> blocks, std::unique_ptr<SegmentBytes> bytes,
                  const PostingsHeader& header, std::vector<std::uint64_t> checksums)
      : dictionary_(std::move(dictionary)),
        blocks_(std::move(blocks)),
        postings_(std::move(bytes), PostingsHeader::kSize, header.postings_size, std::move(checksums)) {}

  TokenStructure structure() const override { return TokenStructure::kPostings; }
  std::uint32_t doc_count() const override { return static_cast<std::uint32_t>(blocks_.size()); }

  Result<DocSet> Candidates(const TokenQuery& query) const override {
    if (auto known = answered_.Find(query.plan)) return *std::move(known);
    Result<Evaluated> answer = EvaluatePlan(query.plan, dictionary_, postings_, doc_count());
    if (!answer) return answer.error();
    if (answer->read_lists) answered_.Keep(query.plan, answer->docs);
    return std::move(answer->docs);
  }

  std::span<const Block> Blocks(std::uint32_t first, std::uint32_t count) const override {
    const std::size_t begin = std::min<std::size_t>(first, blocks_.size());
    return std::span(blocks_).subspan(begin, std::min<std::size_t>(count, blocks_.size() - begin));
  }

  // Without the answers it keeps: what is searched for does not decide whether an index is
  // over its limit.
  std::size_t memory() const override {
    return dictionary_.memory() + blocks_.capacity() * sizeof(Block) + postings_.memory();
  }

  Status Verify() const override {
    if (Status good = postings_.Verify(); !good) return good;
    for (std::uint32_t i = 0; i < dictionary_.size(); ++i) {
      DocSet set(doc_count());
      const Dictionary::Range one = {i, i + 1};
      if (Status good = AddDocuments(dictionary_, postings_, {&one, 1}, set); !good) return good;
    }
    return {};
  }

 private:
  Dictionary dictionary_;
  std::vector<Block> blocks_;
  CheckedPostings postings_;
  mutable AnsweredPlans answered_;
};

std::vector<std::uint64_t> Words(std::string_view bytes) {
  std::vector<std::uint64_t> out(bytes.size() / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = LoadWord<std::uint64_t>(bytes.data() + i * sizeof out[0]);
  return out;
}

}  // namespace

Result<std::shared_ptr<const Segment>> OpenPostings(std::unique_ptr<SegmentBytes> bytes) {
  const Result<PostingsHeader> header = PostingsHeader::Read(*bytes);
  if (!header) return header.error();
  std::string loaded(header->loaded_size(), '\0');
  if (!bytes->Read(header->loaded_at(), loaded.size(), loaded.data())) return Damaged("a segment cannot be read");
  if (ChecksumOf(*header, loaded) != header->checksum) return Damaged("the checksum of a segment");

  const std::string_view all = loaded;
  Result<Dictionary> dictionary =
      Dictionary::Read(all.substr(0, header->dictionary_size), header->keys, header->docs, header->postings_size);
  if (!dictionary) return dictionary.error();
  Result<std::vector<Block>> blocks =
      ReadBlockTable(all.substr(header->dictionary_size, header->blocks_size), header->docs);
  if (!blocks) return blocks.error();
  return std::shared_ptr<const Segment>(
      std::make_shared<PostingsSegment>(std::move(*dictionary), std::move(*blocks), std::move(bytes), *header,
                                        Words(all.substr(header->dictionary_size + header->blocks_size))));
}

}  // namespace forge::index
