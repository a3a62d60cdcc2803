#include <immintrin.h>

#include <bit>

#include "match/set_probe.h"
#include "pattern/literal.h"

namespace forge {
namespace {

constexpr std::size_t kBlock = 32;

__attribute__((target("avx2"), always_inline)) inline __m256i Twice(const std::array<std::uint8_t, 16>& bytes) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes.data())));
}

// All bits of a byte are set where the text's byte is not in the set. A lookup takes the
// low half of a byte as index, and gives 0 for a byte that is not ASCII.
__attribute__((target("avx2"), always_inline)) inline __m256i Misses(const char* text, __m256i rows) {
  const __m256i high_bit = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                            1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
  const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
  const __m256i in = _mm256_and_si256(_mm256_shuffle_epi8(rows, bytes), _mm256_shuffle_epi8(high_bit, high));
  return _mm256_cmpeq_epi8(in, _mm256_setzero_si256());
}

}  // namespace

bool SetProbe::Supported() { return LiteralFinder::Best() == LiteralFinder::Simd::kAvx2; }

__attribute__((target("avx2"))) std::size_t SetProbe::Scan(const char* text, std::size_t& begin,
                                                           std::size_t end) const {
  const __m256i all = _mm256_set1_epi8(-1);
  const __m256i first = Twice(places_[0].rows);
  const __m256i second = Twice(places_[1].rows);
  const char* const first_text = text + places_[0].offset;
  const char* const second_text = text + places_[1].offset;
  std::size_t at = begin;
  for (; at + kBlock <= end; at += kBlock) {
    __m256i misses = _mm256_or_si256(Misses(first_text + at, first), Misses(second_text + at, second));
    for (std::size_t i = 2; i < places_.size() && _mm256_testc_si256(misses, all) == 0; ++i) {
      misses = _mm256_or_si256(misses, Misses(text + at + places_[i].offset, Twice(places_[i].rows)));
    }
    const auto hits = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(misses));
    if (hits != 0) return at + static_cast<std::size_t>(std::countr_zero(hits));
  }
  begin = at;
  return std::string_view::npos;
}

}  // namespace forge
