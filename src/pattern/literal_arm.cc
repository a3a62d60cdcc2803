#include <arm_neon.h>

#include "pattern/literal_scan.h"

namespace forge {
namespace {

// NEON has no instruction that makes a mask of bits of 16 bytes. Narrowing each pair
// of bytes by four bits makes one of 64 bits, four for each place.
std::uint64_t FourBitsEach(uint8x16_t hits) {
  const uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(hits), 4);
  return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
}

std::uint8_t ByteOf(char c) { return static_cast<std::uint8_t>(c); }

template <typename Matches>
std::size_t ScanNeon(const char* text, std::size_t& begin, std::size_t end, const LiteralProbe& p, Matches matches) {
  const uint8x16_t first = vdupq_n_u8(ByteOf(p.first_byte));
  const uint8x16_t second = vdupq_n_u8(ByteOf(p.second_byte));
  const uint8x16_t first_case = vdupq_n_u8(ByteOf(p.first_case));
  const uint8x16_t second_case = vdupq_n_u8(ByteOf(p.second_case));
  for (; begin + 16 <= end; begin += 16) {
    const auto* a = reinterpret_cast<const std::uint8_t*>(text + begin + p.first);
    const auto* b = reinterpret_cast<const std::uint8_t*>(text + begin + p.second);
    const uint8x16_t hit_a = vceqq_u8(vorrq_u8(vld1q_u8(a), first_case), first);
    const uint8x16_t hit_b = vceqq_u8(vorrq_u8(vld1q_u8(b), second_case), second);
    for (std::uint64_t mask = FourBitsEach(vandq_u8(hit_a, hit_b)); mask != 0;) {
      const auto place = static_cast<std::size_t>(std::countr_zero(mask)) / 4;
      if (matches(text + begin + place)) return begin + place;
      mask &= ~(std::uint64_t{0xF} << (4 * place));
    }
  }
  return std::string_view::npos;
}

}  // namespace

LiteralFinder::Simd LiteralFinder::Best() { return Simd::kNeon; }

std::size_t LiteralFinder::FindWith(Simd simd, std::string_view text, std::size_t from) const {
  const auto scan = [simd](const char* data, std::size_t& begin, std::size_t end, const LiteralProbe& probe,
                           const auto& matches) {
    return simd == Simd::kNeon ? ScanNeon(data, begin, end, probe, matches) : std::string_view::npos;
  };
  return FindBy(scan, text, from);
}

}  // namespace forge
