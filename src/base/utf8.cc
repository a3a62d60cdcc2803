#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace forge {
namespace {

std::uint8_t Byte(std::string_view s, std::size_t i) { return static_cast<std::uint8_t>(s[i]); }

// The valid range of the second byte, which excludes overlong forms,
// surrogates and values over U+10FFFF (Unicode table 3-7).
struct Lead {
  std::size_t length;
  std::uint8_t second_min;
  std::uint8_t second_max;
};

Lead Classify(std::uint8_t b) {
  if (b >= 0xC2 && b <= 0xDF) return {2, 0x80, 0xBF};
  if (b == 0xE0) return {3, 0xA0, 0xBF};
  if (b == 0xED) return {3, 0x80, 0x9F};
  if (b >= 0xE1 && b <= 0xEF) return {3, 0x80, 0xBF};
  if (b == 0xF0) return {4, 0x90, 0xBF};
  if (b >= 0xF1 && b <= 0xF3) return {4, 0x80, 0xBF};
  if (b == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

std::size_t AsciiPrefix(std::string_view s) {
  std::size_t i = 0;
  for (; i + 8 <= s.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, s.data() + i, 8);
    if (word & 0x8080808080808080ULL) break;
  }
  while (i < s.size() && Byte(s, i) < 0x80) ++i;
  return i;
}

}  // namespace

Decoded DecodeOne(std::string_view s) {
  const std::uint8_t first = Byte(s, 0);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = Classify(first);
  if (lead.length == 0) return {kReplacement, 1, false};
  char32_t code = first & (0x7F >> lead.length);
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i >= s.size()) return {kReplacement, i, false};
    const std::uint8_t b = Byte(s, i);
    const std::uint8_t low = i == 1 ? lead.second_min : 0x80;
    const std::uint8_t high = i == 1 ? lead.second_max : 0xBF;
    if (b < low || b > high) return {kReplacement, i, false};
    code = (code << 6) | (b & 0x3F);
  }
  return {code, lead.length, true};
}

std::size_t ValidUtf8Prefix(std::string_view s) {
  std::size_t i = 0;
  while (true) {
    i += AsciiPrefix(s.substr(i));
    if (i == s.size()) return i;
    const Decoded d = DecodeOne(s.substr(i));
    if (!d.valid) return i;
    i += d.size;
  }
}

std::string LossyUtf8(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  while (true) {
    const std::size_t good = ValidUtf8Prefix(s);
    out.append(s.substr(0, good));
    s.remove_prefix(good);
    if (s.empty()) return out;
    AppendUtf8(kReplacement, out);
    s.remove_prefix(DecodeOne(s).size);
  }
}

void AppendUtf8(char32_t c, std::string& out) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = kReplacement;
  const auto put = [&out](char32_t b) { out.push_back(static_cast<char>(b)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

}  // namespace forge
