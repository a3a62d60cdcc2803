#include "pattern/literal.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/ascii.h"
#include "base/byte_rarity.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace forge {
namespace {

// Whether the byte stands for both cases of a letter.
bool HasTwoCases(char c, bool fold) { return fold && IsAsciiLetter(static_cast<unsigned char>(c)); }

// A letter that may have either case is as common as the more common case.
double BitsOf(char c, bool fold) {
  const auto byte = static_cast<unsigned char>(c);
  if (!HasTwoCases(c, fold)) return RarityBits(byte);
  return std::min(RarityBits(byte), RarityBits(byte & 0xDFU));
}

}  // namespace

LiteralFinder::LiteralFinder(std::string_view needle, bool fold) : needle_(needle), fold_(fold) {
  if (fold_) std::transform(needle_.begin(), needle_.end(), needle_.begin(), LowerAscii);
  for (std::size_t i = 0; i < needle_.size(); ++i) {
    bits_ += BitsOf(needle_[i], fold_);
    if (BitsOf(needle_[i], fold_) > BitsOf(needle_[first_], fold_)) first_ = i;
  }
  second_ = first_ == 0 ? needle_.size() - 1 : 0;
  for (std::size_t i = 0; i < needle_.size(); ++i) {
    if (i != first_ && BitsOf(needle_[i], fold_) > BitsOf(needle_[second_], fold_)) second_ = i;
  }
  first_case_ = HasTwoCases(needle_[first_], fold_) ? 0x20 : 0;
  second_case_ = HasTwoCases(needle_[second_], fold_) ? 0x20 : 0;
}

std::size_t LiteralFinder::CommonBytes(const char* at) const {
  if (!fold_ && std::memcmp(at, needle_.data(), needle_.size()) == 0) return needle_.size();
  std::size_t i = 0;
  while (i < needle_.size() && (fold_ ? LowerAscii(at[i]) : at[i]) == needle_[i]) ++i;
  return i;
}

std::size_t LiteralFinder::FindLinear(std::string_view text, std::size_t from) const {
  // border[i]: the longest proper beginning of needle[0, i] that is also its end.
  std::vector<std::size_t> border(needle_.size(), 0);
  const auto longer = [&](std::size_t size, char c) {
    while (size > 0 && needle_[size] != c) size = border[size - 1];
    return needle_[size] == c ? size + 1 : 0;
  };
  for (std::size_t i = 1; i < needle_.size(); ++i) border[i] = longer(border[i - 1], needle_[i]);
  std::size_t size = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    size = longer(size, fold_ ? LowerAscii(text[i]) : text[i]);
    if (size == needle_.size()) return i + 1 - size;
  }
  return std::string_view::npos;
}

namespace {

// Tests the candidates of one block, lowest first.
template <typename Matches>
std::size_t FirstMatch(std::uint32_t mask, const char* block, Matches matches) {
  while (mask != 0) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(mask));
    if (matches(block + bit)) return bit;
    mask &= mask - 1;
  }
  return std::string_view::npos;
}

// What the inner loops need. The case bit turns an upper case letter into a
// lower case one, and is set for letters only: (byte | 0x20) == 'k' is true for
// 'k' and 'K' and for nothing else.
struct Probe {
  std::size_t first;
  std::size_t second;
  char first_byte;
  char second_byte;
  char first_case;
  char second_case;
};

// Scans [begin, end) of possible starts, block by block. Returns npos with `begin`
// moved to where less than a block is left; the caller scans the rest.
#if defined(__x86_64__)
template <typename Matches>
__attribute__((target("avx2"))) std::size_t ScanAvx2(const char* text, std::size_t& begin, std::size_t end,
                                                     const Probe& p, Matches matches) {
  const __m256i first = _mm256_set1_epi8(p.first_byte);
  const __m256i second = _mm256_set1_epi8(p.second_byte);
  const __m256i first_case = _mm256_set1_epi8(p.first_case);
  const __m256i second_case = _mm256_set1_epi8(p.second_case);
  for (; begin + 32 <= end; begin += 32) {
    const auto* a = reinterpret_cast<const __m256i*>(text + begin + p.first);
    const auto* b = reinterpret_cast<const __m256i*>(text + begin + p.second);
    const __m256i hit_a = _mm256_cmpeq_epi8(_mm256_or_si256(_mm256_loadu_si256(a), first_case), first);
    const __m256i hit_b = _mm256_cmpeq_epi8(_mm256_or_si256(_mm256_loadu_si256(b), second_case), second);
    const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_and_si256(hit_a, hit_b)));
    if (mask == 0) continue;
    const std::size_t bit = FirstMatch(mask, text + begin, matches);
    if (bit != std::string_view::npos) return begin + bit;
  }
  return std::string_view::npos;
}

template <typename Matches>
std::size_t ScanSse2(const char* text, std::size_t& begin, std::size_t end, const Probe& p, Matches matches) {
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
#endif

// For other machines, and for the last few places everywhere.
template <typename Matches>
std::size_t ScanPortable(const char* text, std::size_t begin, std::size_t end, const Probe& p, Matches matches) {
  if (p.first_case == 0) {
    while (begin < end) {
      const void* hit = std::memchr(text + begin + p.first, p.first_byte, end - begin);
      if (hit == nullptr) return std::string_view::npos;
      const char* start = static_cast<const char*>(hit) - p.first;
      if (matches(start)) return static_cast<std::size_t>(start - text);
      begin = static_cast<std::size_t>(start - text) + 1;
    }
    return std::string_view::npos;
  }
  for (; begin < end; ++begin) {
    if (static_cast<char>(text[begin + p.first] | p.first_case) == p.first_byte && matches(text + begin)) return begin;
  }
  return std::string_view::npos;
}

}  // namespace

LiteralFinder::Simd LiteralFinder::Best() {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  return avx2 ? Simd::kAvx2 : Simd::kSse2;
#else
  return Simd::kNone;
#endif
}

std::size_t LiteralFinder::Find(std::string_view text, std::size_t from) const { return FindWith(Best(), text, from); }

std::size_t LiteralFinder::FindWith([[maybe_unused]] Simd simd, std::string_view text, std::size_t from) const {
  if (text.size() < needle_.size() || from > text.size() - needle_.size()) return std::string_view::npos;
  const std::size_t end = text.size() - needle_.size() + 1;
  const Probe probe{first_, second_, needle_[first_], needle_[second_], first_case_, second_case_};
  // Half a millisecond.
  constexpr std::size_t kMaxCompared = 512 * 1024;
  std::size_t compared = 0;
  const auto matches = [&](const char* at) {
    const std::size_t common = CommonBytes(at);
    compared += common;
    return common == needle_.size() || compared > kMaxCompared;
  };
  std::size_t found = std::string_view::npos;
#if defined(__x86_64__)
  if (simd == Simd::kAvx2) found = ScanAvx2(text.data(), from, end, probe, matches);
  if (simd == Simd::kSse2) found = ScanSse2(text.data(), from, end, probe, matches);
#endif
  if (found == std::string_view::npos) found = ScanPortable(text.data(), from, end, probe, matches);
  return compared > kMaxCompared ? FindLinear(text, found) : found;
}

}  // namespace forge
