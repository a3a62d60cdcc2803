#include "index/bloom/bloom_format.h"

#include "base/xxhash64.h"
#include "index/format/byte_io.h"
#include "index/segment/segment_header.h"

namespace forge::index {
namespace {

// Offsets of the members.
constexpr std::size_t kNgram = 10, kCasefold = 11, kDocs = 12, kHashes = 16, kZeros = 20, kBits = 24, kSeed = 32,
                      kChecksum = 40;
static_assert(kZeros + sizeof(std::uint32_t) == kBits && kChecksum + sizeof(std::uint64_t) == BloomHeader::kSize);

// Ten times as much as the largest allowed parameters need; so no sum
// overflows.
constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 30;
constexpr std::uint32_t kMaxHashes = 64;
constexpr std::uint8_t kMaxNgram = 16;

bool Plausible(const BloomHeader& h) {
  return h.ngram >= 1 && h.ngram <= kMaxNgram && h.casefold <= Casefold::kUnicodeSimple && h.docs <= kMaxDocs &&
         h.shape.bits >= 1 && h.shape.bits <= kMaxBits && h.shape.hashes >= 1 && h.shape.hashes <= kMaxHashes;
}

}  // namespace

std::string BloomHeader::Encode() const {
  std::string out = SegmentStart(kBloomKind, kSize);
  out[kNgram] = static_cast<char>(ngram);
  out[kCasefold] = static_cast<char>(casefold);
  StoreWord(out.data() + kDocs, docs);
  StoreWord(out.data() + kHashes, shape.hashes);
  StoreWord(out.data() + kBits, shape.bits);
  StoreWord(out.data() + kSeed, shape.seed);
  StoreWord(out.data() + kChecksum, checksum);
  return out;
}

bool BloomHeader::Decode(std::string_view bytes) {
  if (bytes.size() != kSize) return false;
  ngram = static_cast<std::uint8_t>(bytes[kNgram]);
  casefold = static_cast<Casefold>(bytes[kCasefold]);
  docs = LoadWord<std::uint32_t>(bytes.data() + kDocs);
  shape.hashes = LoadWord<std::uint32_t>(bytes.data() + kHashes);
  shape.bits = LoadWord<std::uint64_t>(bytes.data() + kBits);
  shape.seed = LoadWord<std::uint64_t>(bytes.data() + kSeed);
  checksum = LoadWord<std::uint64_t>(bytes.data() + kChecksum);
  return Encode() == bytes && Plausible(*this);  // magic, version, kind and the zeros too
}

std::uint64_t ChecksumOf(BloomHeader header, std::string_view directory) {
  header.checksum = 0;
  return XxHash64(directory, XxHash64(header.Encode(), 0));
}

std::uint64_t ChecksumOfFilter(std::string_view packed, std::size_t number) { return XxHash64(packed, number); }

}  // namespace forge::index
