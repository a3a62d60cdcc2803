#include "index/format/packed_bits.h"

#include <bit>
#include <cstddef>
#include <vector>

#include "base/bits.h"

namespace forge::index {
namespace {

constexpr char kRaw = 0;
constexpr char kSparse = 1;
constexpr std::size_t kSparseHeader = 1 + 8;  // the kind, and how many bits are set

std::uint64_t Load(const char* at) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{static_cast<unsigned char>(at[i])} << 8 * i;
  return word;
}

void SetBits(std::string& bytes, std::uint64_t at, std::uint64_t value) {
  for (; value != 0; value &= value - 1) {
    const std::uint64_t bit = at + static_cast<std::uint64_t>(std::countr_zero(value));
    bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) | 1U << bit % 8);
  }
}

// Most words are zero, so this reads words.
std::vector<std::uint64_t> PlacesOf(std::string_view bitset) {
  std::vector<std::uint64_t> places;
  const auto append = [&places](std::uint64_t word, std::size_t byte) {
    for (; word != 0; word &= word - 1) {
      places.push_back(byte * 8 + static_cast<std::uint64_t>(std::countr_zero(word)));
    }
  };
  std::size_t i = 0;
  for (; i + 8 <= bitset.size(); i += 8) append(Load(bitset.data() + i), i);
  for (; i < bitset.size(); ++i) append(static_cast<unsigned char>(bitset[i]), i);
  return places;
}

// How the two parts are laid out; it follows from the two numbers.
struct Layout {
  unsigned low_bits = 0;
  std::uint64_t low_size = 0;
  std::uint64_t high_size = 0;

  Layout(std::uint64_t count, std::uint64_t bits) {
    if (count == 0) return;
    low_bits = static_cast<unsigned>(std::bit_width(bits / count)) - 1;
    low_size = (count * low_bits + 7) / 8;
    // A one for each place, a zero for each value of a high part; whole words,
    // so that an eight-byte read of the last low part stays inside.
    high_size = (count + (bits >> low_bits) + 1 + 63) / 64 * 8;
  }
  std::uint64_t size() const { return kSparseHeader + low_size + high_size; }
};

std::string PackSparse(const std::vector<std::uint64_t>& places, const Layout& layout) {
  std::string header(kSparseHeader, '\0');
  header[0] = kSparse;
  SetBits(header, 8, places.size());
  std::string low(layout.low_size, '\0');
  std::string high(layout.high_size, '\0');
  for (std::uint64_t i = 0; i < places.size(); ++i) {
    SetBits(low, i * layout.low_bits, places[i] & ((std::uint64_t{1} << layout.low_bits) - 1));
    SetBits(high, (places[i] >> layout.low_bits) + i, 1);
  }
  return header + low + high;
}

// The place of zero number `n`, counted from 0; the end if there are not so many.
std::uint64_t FindZero(std::string_view bytes, std::uint64_t n) {
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t zeros = ~Load(bytes.data() + i);
    const auto here = std::uint64_t{CountBits(zeros)};
    if (n >= here) {
      n -= here;
      continue;
    }
    for (; n > 0; --n) zeros &= zeros - 1;
    return i * 8 + static_cast<std::uint64_t>(std::countr_zero(zeros));
  }
  return bytes.size() * 8;
}

bool IsSet(std::string_view bytes, std::uint64_t bit) {
  return (static_cast<unsigned char>(bytes[bit / 8]) >> bit % 8 & 1) != 0;
}

}  // namespace

std::string PackBits(std::string_view bitset, std::uint64_t bits) {
  const std::vector<std::uint64_t> places = PlacesOf(bitset);
  const Layout layout(places.size(), bits);
  if (layout.size() < 1 + bitset.size()) return PackSparse(places, layout);
  return std::string(1, kRaw).append(bitset);
}

std::optional<PackedBits> PackedBits::Of(std::string_view packed, std::uint64_t bits) {
  PackedBits result;
  result.bits_ = bits;
  if (packed.empty()) return std::nullopt;
  if (packed[0] == kRaw) {
    result.raw_ = packed.substr(1);
    return result.raw_.size() == (bits + 7) / 8 ? std::optional(result) : std::nullopt;
  }
  if (packed[0] != kSparse || packed.size() < kSparseHeader) return std::nullopt;
  result.count_ = Load(packed.data() + 1);
  if (result.count_ > bits) return std::nullopt;
  const Layout layout(result.count_, bits);
  if (packed.size() != layout.size()) return std::nullopt;
  result.low_bits_ = layout.low_bits;
  result.low_ = packed.substr(kSparseHeader, layout.low_size);
  result.high_ = packed.substr(kSparseHeader + layout.low_size);
  return result;
}

std::uint64_t PackedBits::Low(std::uint64_t i) const {
  if (low_bits_ == 0) return 0;
  const std::uint64_t at = i * low_bits_;
  return Load(low_.data() + at / 8) >> at % 8 & ((std::uint64_t{1} << low_bits_) - 1);
}

bool PackedBits::HasSparse(std::uint64_t bit) const {
  const std::uint64_t high = bit >> low_bits_;
  const std::uint64_t low = bit & ((std::uint64_t{1} << low_bits_) - 1);
  // The ones between two zeros are the places with this high part, in order.
  std::uint64_t at = high == 0 ? 0 : FindZero(high_, high - 1) + 1;
  for (; at < high_.size() * 8 && IsSet(high_, at) && at - high < count_; ++at) {
    if (Low(at - high) >= low) return Low(at - high) == low;
  }
  return false;
}

bool PackedBits::Has(std::uint64_t bit) const {
  if (bit >= bits_) return false;
  if (!raw_.empty()) return IsSet(raw_, bit);
  return count_ != 0 && HasSparse(bit);
}

std::string PackedBits::Unpacked() const {
  if (!raw_.empty()) return std::string(raw_);
  std::string bitset((bits_ + 7) / 8, '\0');
  std::uint64_t i = 0;
  for (std::uint64_t at = 0; at < high_.size() * 8 && i < count_; ++at) {
    if (!IsSet(high_, at)) continue;
    const std::uint64_t bit = (at - i) << low_bits_ | Low(i);
    if (bit < bits_) SetBits(bitset, bit, 1);
    ++i;
  }
  return bitset;
}

}  // namespace forge::index
