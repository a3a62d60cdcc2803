#include "pattern/literal.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/ascii.h"
#include "base/byte_rarity.h"

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

std::size_t LiteralFinder::Find(std::string_view text, std::size_t from) const { return FindWith(Best(), text, from); }

}  // namespace forge
