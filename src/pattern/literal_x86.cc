#include <cpuid.h>
#include <immintrin.h>

#include "pattern/literal_scan.h"

namespace forge {
namespace {

// Of each probed byte, its value and the bit of its case, in every place of a register.
struct Avx2Probe {
  __m256i first;
  __m256i second;
  __m256i first_case;
  __m256i second_case;
};

// All bits of a byte are set where a match may begin.
__attribute__((target("avx2"), always_inline)) inline __m256i HitsAvx2(const char* first, const char* second,
                                                                       const Avx2Probe& p) {
  const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
  const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second));
  const __m256i hit_a = _mm256_cmpeq_epi8(_mm256_or_si256(a, p.first_case), p.first);
  const __m256i hit_b = _mm256_cmpeq_epi8(_mm256_or_si256(b, p.second_case), p.second);
  return _mm256_and_si256(hit_a, hit_b);
}

template <typename Matches>
__attribute__((target("avx2"))) std::size_t ScanAvx2(const char* text, std::size_t& begin, std::size_t end,
                                                     const LiteralProbe& p, Matches matches) {
  const Avx2Probe probe = {_mm256_set1_epi8(p.first_byte), _mm256_set1_epi8(p.second_byte),
                           _mm256_set1_epi8(p.first_case), _mm256_set1_epi8(p.second_case)};
  const char* first = text + p.first;
  const char* second = text + p.second;
  std::size_t at = begin;
  // Two registers at a time: a hit is rare, and one test serves both.
  for (; at + 64 <= end; at += 64) {
    __builtin_prefetch(first + at + kFetchAhead);
    const __m256i low = HitsAvx2(first + at, second + at, probe);
    const __m256i high = HitsAvx2(first + at + 32, second + at + 32, probe);
    const __m256i any = _mm256_or_si256(low, high);
    if (_mm256_testz_si256(any, any) != 0) continue;
    for (const std::size_t block : {at, at + 32}) {
      const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(block == at ? low : high));
      const std::size_t bit = FirstMatch(mask, text + block, matches);
      if (bit != std::string_view::npos) return block + bit;
    }
  }
  for (; at + 32 <= end; at += 32) {
    const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(HitsAvx2(first + at, second + at, probe)));
    const std::size_t bit = FirstMatch(mask, text + at, matches);
    if (bit != std::string_view::npos) return at + bit;
  }
  begin = at;
  return std::string_view::npos;
}

template <typename Matches>
std::size_t ScanSse2(const char* text, std::size_t& begin, std::size_t end, const LiteralProbe& p, Matches matches) {
  const __m128i first = _mm_set1_epi8(p.first_byte);
  const __m128i second = _mm_set1_epi8(p.second_byte);
  const __m128i first_case = _mm_set1_epi8(p.first_case);
  const __m128i second_case = _mm_set1_epi8(p.second_case);
  for (; begin + 16 <= end; begin += 16) {
    const auto* a = reinterpret_cast<const __m128i*>(text + begin + p.first);
    const auto* b = reinterpret_cast<const __m128i*>(text + begin + p.second);
    const __m128i hit_a = _mm_cmpeq_epi8(_mm_or_si128(_mm_loadu_si128(a), first_case), first);
    const __m128i hit_b = _mm_cmpeq_epi8(_mm_or_si128(_mm_loadu_si128(b), second_case), second);
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_and_si128(hit_a, hit_b)));
    if (mask == 0) continue;
    const std::size_t bit = FirstMatch(mask, text + begin, matches);
    if (bit != std::string_view::npos) return begin + bit;
  }
  return std::string_view::npos;
}

// The processor has it, and the system saves its registers. __builtin_cpu_supports says
// the same, but not every compiler's library has what it needs.
bool HasAvx2() {
  constexpr unsigned kSavedState = 6;  // SSE and AVX
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return false;
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  if ((a & kSavedState) != kSavedState) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
}

}  // namespace

LiteralFinder::Simd LiteralFinder::Best() {
  static const bool avx2 = HasAvx2();
  return avx2 ? Simd::kAvx2 : Simd::kSse2;
}

std::size_t LiteralFinder::FindWith(Simd simd, std::string_view text, std::size_t from) const {
  const auto scan = [simd](const char* data, std::size_t& begin, std::size_t end, const LiteralProbe& probe,
                           const auto& matches) {
    if (simd == Simd::kAvx2) return ScanAvx2(data, begin, end, probe, matches);
    if (simd == Simd::kSse2) return ScanSse2(data, begin, end, probe, matches);
    return std::string_view::npos;
  };
  return FindBy(scan, text, from);
}

}  // namespace forge
