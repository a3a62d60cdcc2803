// A bitset in few bytes, without loss.
//
// A filter of 5 million bits has some ten thousand set: a source file of 10 KB
// would take 628,167 bytes as they are, and takes about 40 KB here (E12). The
// places of the bits, in order, are written as Elias and Fano did: of each the
// low part as it is, and the high parts as the lengths of runs. That is within
// half a bit of the least possible for each, and one place can be looked up
// without unpacking. Bitsets that would not gain are kept as they are.
//
// Rejected: differences as varints, which must be read from the start, and
// compressed bitmaps, whose blocks assume bits that stand together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forge::index {

// `bitset` has (bits + 7) / 8 bytes, the lowest bit of a byte first.
std::string PackBits(std::string_view bitset, std::uint64_t bits);

// A look into packed bits, which must stay where they are.
class PackedBits {
 public:
  // Nothing if `packed` cannot be of that many bits. Whatever it holds, no
  // lookup reads outside of it.
  static std::optional<PackedBits> Of(std::string_view packed, std::uint64_t bits);

  bool Has(std::uint64_t bit) const;
  std::string Unpacked() const;

 private:
  bool HasSparse(std::uint64_t bit) const;
  std::uint64_t Low(std::uint64_t i) const;

  std::uint64_t bits_ = 0;
  std::string_view raw_;  // as they are, or
  std::string_view low_;
  std::string_view high_;
  std::uint64_t count_ = 0;
  unsigned low_bits_ = 0;
};

}  // namespace forge::index
