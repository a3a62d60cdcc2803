#include "index/bloom/bloom_format.h"

#include "base/xxhash64.h"
#include "index/segment/segment.h"

namespace forge::index {
namespace {

constexpr std::string_view kMagic = "forgeseg";
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kBloomKind = 2;

// Ten times what the largest permitted parameters need; so no sum overflows.
constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 30;
constexpr std::uint32_t kMaxHashes = 64;
constexpr std::uint8_t kMaxNgram = 16;

bool Plausible(const BloomHeader& h) {
  return h.ngram >= 1 && h.ngram <= kMaxNgram && h.casefold <= Casefold::kUnicodeSimple && h.docs <= kMaxDocs &&
         h.shape.bits >= 1 && h.shape.bits <= kMaxBits && h.shape.hashes >= 1 && h.shape.hashes <= kMaxHashes;
}

}  // namespace

void AppendLittleEndian(std::uint64_t value, std::size_t bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> 8 * i & 0xFF));
}

std::uint64_t LoadLittleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return value;
}

std::string BloomHeader::Encode() const {
  std::string out(kMagic);
  AppendLittleEndian(kVersion, 1, out);
  AppendLittleEndian(kBloomKind, 1, out);
  AppendLittleEndian(ngram, 1, out);
  AppendLittleEndian(static_cast<std::uint8_t>(casefold), 1, out);
  AppendLittleEndian(docs, 4, out);
  AppendLittleEndian(shape.hashes, 4, out);
  AppendLittleEndian(0, 4, out);
  AppendLittleEndian(shape.bits, 8, out);
  AppendLittleEndian(shape.seed, 8, out);
  AppendLittleEndian(checksum, 8, out);
  return out;
}

bool BloomHeader::Decode(std::string_view bytes) {
  if (bytes.size() != kSize) return false;
  ngram = static_cast<std::uint8_t>(bytes[10]);
  casefold = static_cast<Casefold>(bytes[11]);
  docs = static_cast<std::uint32_t>(LoadLittleEndian(bytes.substr(12, 4)));
  shape.hashes = static_cast<std::uint32_t>(LoadLittleEndian(bytes.substr(16, 4)));
  shape.bits = LoadLittleEndian(bytes.substr(24, 8));
  shape.seed = LoadLittleEndian(bytes.substr(32, 8));
  checksum = LoadLittleEndian(bytes.substr(40, 8));
  return Encode() == bytes && Plausible(*this);  // magic, version, kind and the zeros too
}

std::uint64_t ChecksumOf(BloomHeader header, std::string_view directory) {
  header.checksum = 0;
  return XxHash64(directory, XxHash64(header.Encode(), 0));
}

std::uint64_t ChecksumOfFilter(std::string_view packed, std::size_t number) { return XxHash64(packed, number); }

}  // namespace forge::index
