#include "index/postings/postings_header.h"

#include "index/format/byte_io.h"
#include "index/format/checksum.h"
#include "index/format/damage.h"
#include "index/segment/segment_header.h"

namespace forge::index {
namespace {

// Offsets of the members.
constexpr std::size_t kDocs = 12, kKeys = 16, kReserved = 20, kPostings = 24, kDictionary = 32, kBlocks = 40,
                      kChecksum = 48;

bool Plausible(const PostingsHeader& header, std::uint64_t image_size) {
  // One by one, so that no sum overflows.
  if (header.docs > kMaxDocs || image_size < PostingsHeader::kSize) return false;
  std::uint64_t left = image_size - PostingsHeader::kSize;
  for (const std::uint64_t size : {header.postings_size, header.dictionary_size, header.blocks_size}) {
    if (size > left) return false;
    left -= size;
  }
  // A trigram takes at least three bytes and a block one. So the counts are no
  // larger than what was really stored, and it is safe to reserve memory by
  // them.
  return left == header.stripes() * sizeof(std::uint64_t) && header.keys <= header.dictionary_size / 3 &&
         header.docs <= header.blocks_size && header.postings_size <= UINT32_MAX;
}

}  // namespace

std::string PostingsHeader::Encode() const {
  std::string out = SegmentStart(kPostingsKind, kSize);
  StoreWord(out.data() + kDocs, docs);
  StoreWord(out.data() + kKeys, keys);
  StoreWord(out.data() + kPostings, postings_size);
  StoreWord(out.data() + kDictionary, dictionary_size);
  StoreWord(out.data() + kBlocks, blocks_size);
  StoreWord(out.data() + kChecksum, checksum);
  return out;
}

Result<PostingsHeader> PostingsHeader::Read(const SegmentBytes& bytes) {
  std::string image(kSize, '\0');
  if (bytes.size() < kSize || !bytes.Read(0, kSize, image.data())) return Damaged("a segment cannot be read");
  PostingsHeader header;
  header.docs = LoadWord<std::uint32_t>(image.data() + kDocs);
  header.keys = LoadWord<std::uint32_t>(image.data() + kKeys);
  header.postings_size = LoadWord<std::uint64_t>(image.data() + kPostings);
  header.dictionary_size = LoadWord<std::uint64_t>(image.data() + kDictionary);
  header.blocks_size = LoadWord<std::uint64_t>(image.data() + kBlocks);
  header.checksum = LoadWord<std::uint64_t>(image.data() + kChecksum);
  // The checksum covers the members; this finds other wrong bytes, too.
  if (header.Encode() != image) return Damaged("the header of a segment");
  static_assert(kReserved + sizeof(std::uint32_t) == kPostings);
  if (!Plausible(header, bytes.size())) return Damaged("the sizes of a segment");
  return header;
}

std::uint64_t ChecksumOf(PostingsHeader header, std::string_view loaded) {
  header.checksum = 0;
  return Checksum(loaded, Checksum(header.Encode(), 0));
}

}  // namespace forge::index
