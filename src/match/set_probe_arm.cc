#include <arm_neon.h>

#include <bit>

#include "match/set_probe.h"

namespace forge {
namespace {

constexpr std::size_t kBlock = 16;

// All bits of a byte are set where the text's byte is not in the set. A byte that is not
// ASCII has no bit in the table of high halves.
uint8x16_t Misses(const char* text, uint8x16_t rows) {
  static constexpr std::uint8_t kHighBit[16] = {1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const std::uint8_t*>(text));
  const uint8x16_t low = vqtbl1q_u8(rows, vandq_u8(bytes, vdupq_n_u8(0x0F)));
  const uint8x16_t high = vqtbl1q_u8(vld1q_u8(kHighBit), vshrq_n_u8(bytes, 4));
  return vceqzq_u8(vandq_u8(low, high));
}

// Four bits for each byte of the block: set where it is a hit.
std::uint64_t Hits(uint8x16_t misses) {
  return ~vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(misses), 4)), 0);
}

}  // namespace

bool SetProbe::Supported() { return true; }

std::size_t SetProbe::Scan(const char* text, std::size_t& begin, std::size_t end) const {
  std::size_t at = begin;
  for (; at + kBlock <= end; at += kBlock) {
    std::uint64_t hits = ~std::uint64_t{0};
    uint8x16_t misses = vdupq_n_u8(0);
    for (std::size_t i = 0; i < places_.size() && hits != 0; ++i) {
      misses = vorrq_u8(misses, Misses(text + at + places_[i].offset, vld1q_u8(places_[i].rows.data())));
      hits = Hits(misses);
    }
    if (hits != 0) return at + static_cast<std::size_t>(std::countr_zero(hits)) / 4;
  }
  begin = at;
  return std::string_view::npos;
}

}  // namespace forge
