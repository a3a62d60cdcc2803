// What the searches for a literal have in common: literal_x86.cc, literal_arm.cc and
// literal_other.cc have the loop over blocks for one kind of processor each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "pattern/literal.h"

namespace forge {

// How far ahead of a scan its text is fetched. A processor does so by itself, but not across
// pages, whose places in memory it does not know. One page ahead: large searches of texts in
// memory take 5 to 20 % less time (Zen 5; nothing was gained on an older processor). For
// texts that are in its caches we saw no difference.
inline constexpr std::size_t kFetchAhead = 4096;

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
struct LiteralProbe {
  std::size_t first;
  std::size_t second;
  char first_byte;
  char second_byte;
  char first_case;
  char second_case;
};

// For other machines, and for the last few places everywhere.
template <typename Matches>
std::size_t ScanPortable(const char* text, std::size_t begin, std::size_t end, const LiteralProbe& p, Matches matches) {
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

// `scan` scans the possible starts [begin, end) block by block. It returns npos with
// `begin` moved to where less than a block is left; we scan the rest here.
template <typename Scan>
std::size_t LiteralFinder::FindBy(Scan scan, std::string_view text, std::size_t from) const {
  if (text.size() < needle_.size() || from > text.size() - needle_.size()) return std::string_view::npos;
  const std::size_t end = text.size() - needle_.size() + 1;
  const LiteralProbe probe{first_, second_, needle_[first_], needle_[second_], first_case_, second_case_};
  // Half a millisecond.
  constexpr std::size_t kMaxCompared = 512 * 1024;
  std::size_t compared = 0;
  const auto matches = [&](const char* at) {
    const std::size_t common = CommonBytes(at);
    compared += common;
    return common == needle_.size() || compared > kMaxCompared;
  };
  std::size_t found = scan(text.data(), from, end, probe, matches);
  if (found == std::string_view::npos) found = ScanPortable(text.data(), from, end, probe, matches);
  return compared > kMaxCompared ? FindLinear(text, found) : found;
}

}  // namespace forge
