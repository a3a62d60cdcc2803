// A bitset in few bytes, without loss.
//
// A filter of 5 million bits has some ten thousand set. For a source file of 10
// KB it would take 628,167 bytes unpacked, and takes about 40 KB here (E12).
// The numbers of the set bits, in order, have the Elias-Fano coding: the low
// part of each as it is, the high parts as lengths of runs. Each takes at most
// half a bit more than the least possible, and one bit can be looked up without
// unpacking. Bitsets that would not become smaller are stored as they are.
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

// A view of packed bits, which must outlive it.
class PackedBits {
 public:
  // Nothing if `packed` cannot be of that many bits. No lookup reads outside of
  // `packed`, whatever it holds.
  static std::optional<PackedBits> Of(std::string_view packed, std::uint64_t bits);

  bool Has(std::uint64_t bit) const;
  std::string Unpacked() const;

 private:
  bool HasSparse(std::uint64_t bit) const;
  std::uint64_t Low(std::uint64_t i) const;

  std::uint64_t bits_ = 0;
  std::string_view raw_;  // plainly; if empty, the others:
  std::string_view low_;
  std::string_view high_;
  std::uint64_t count_ = 0;
  unsigned low_bits_ = 0;
};

}  // namespace forge::index
