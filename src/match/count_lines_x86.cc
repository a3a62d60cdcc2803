#include <immintrin.h>

#include <algorithm>

#include "match/count_lines.h"
#include "pattern/literal.h"

namespace forge {
namespace {

// Each byte of `counts` collects up to 255 hits, then all are summed up.
__attribute__((target("avx2"))) std::uint64_t CountAvx2(std::string_view& text) {
  const __m256i lf = _mm256_set1_epi8('\n');
  __m256i sums = _mm256_setzero_si256();
  while (text.size() >= 32) {
    __m256i counts = _mm256_setzero_si256();
    const std::size_t blocks = std::min<std::size_t>(text.size() / 32, 255);
    for (std::size_t i = 0; i < blocks; ++i) {
      const auto* block = reinterpret_cast<const __m256i*>(text.data() + 32 * i);
      counts = _mm256_sub_epi8(counts, _mm256_cmpeq_epi8(_mm256_loadu_si256(block), lf));
    }
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(counts, _mm256_setzero_si256()));
    text.remove_prefix(32 * blocks);
  }
  alignas(32) std::uint64_t parts[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts), sums);
  return parts[0] + parts[1] + parts[2] + parts[3];
}

}  // namespace

std::uint64_t CountLineFeeds(std::string_view text) {
  const std::uint64_t count = LiteralFinder::Best() == LiteralFinder::Simd::kAvx2 ? CountAvx2(text) : 0;
  return count + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace forge
