// Trigrams as numbers, and smaller numbers for those that are common in source
// code.
//
// A key is the three bytes b0 b1 b2 with ASCII letters in lower case: 24 bits,
// in the order of the bytes. Keys are what is stored.
//
// While an index is built, nearly all trigrams consist of 63 bytes: letters,
// digits, blanks, line feed, common signs. These bytes have codes of six bits.
// So such a trigram is a number of 18 bits, its spot, and tables by spot are
// small enough for the processor's cache. All other trigrams have the spot
// kHotSpots + key. The choice of bytes changes how fast we build, never what we
// build.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forge::index {

inline constexpr std::uint32_t kTrigrams = 1U << 24U;
inline constexpr std::uint32_t kHotSpots = 1U << 18U;

constexpr std::uint32_t TrigramKey(std::uint8_t b0, std::uint8_t b1, std::uint8_t b2) {
  return std::uint32_t{b0} << 16U | std::uint32_t{b1} << 8U | b2;
}

constexpr char FoldByte(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// The code of all bytes without a code of their own.
inline constexpr std::uint8_t kColdCode = 63;

// By byte, upper-case letters as their lower-case ones; the line feed is 0.
inline constexpr std::array<std::uint8_t, 256> kByteCodes = [] {
  constexpr std::string_view kHot = "\n \tabcdefghijklmnopqrstuvwxyz0123456789_(){},;:.-><=+*/&|\"#[]'!";
  static_assert(kHot.size() == kColdCode);
  std::array<std::uint8_t, 256> codes{};
  codes.fill(kColdCode);
  for (std::uint8_t i = 0; i < kColdCode; ++i) codes[static_cast<std::uint8_t>(kHot[i])] = i;
  for (std::uint8_t c = 'A'; c <= 'Z'; ++c) codes[c] = codes[static_cast<std::uint8_t>(c + 32)];
  return codes;
}();

constexpr std::uint32_t HotSpot(std::uint8_t code0, std::uint8_t code1, std::uint8_t code2) {
  return std::uint32_t{code0} << 12U | std::uint32_t{code1} << 6U | code2;
}

}  // namespace forge::index
