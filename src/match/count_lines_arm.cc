#include <arm_neon.h>

#include <algorithm>

#include "match/count_lines.h"

namespace forge {
namespace {

// Each byte of `counts` collects up to 255 hits, then all are summed up.
std::uint64_t CountNeon(std::string_view& text) {
  const uint8x16_t lf = vdupq_n_u8('\n');
  std::uint64_t sum = 0;
  while (text.size() >= 16) {
    uint8x16_t counts = vdupq_n_u8(0);
    const std::size_t blocks = std::min<std::size_t>(text.size() / 16, 255);
    for (std::size_t i = 0; i < blocks; ++i) {
      const auto* block = reinterpret_cast<const std::uint8_t*>(text.data() + 16 * i);
      counts = vsubq_u8(counts, vceqq_u8(vld1q_u8(block), lf));
    }
    sum += vaddlvq_u8(counts);
    text.remove_prefix(16 * blocks);
  }
  return sum;
}

}  // namespace

std::uint64_t CountLineFeeds(std::string_view text) {
  const std::uint64_t count = CountNeon(text);
  return count + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace forge
