#include "index/trigram_extractor.h"

#include <algorithm>

#include "index/byte_io.h"

namespace forge::index {
namespace {

constexpr std::uint8_t kFeed = '\n';
constexpr std::size_t kPadding = 4;  // words of four bytes are loaded

// b0 b1 b2 from the text, where b0 is the lowest byte of a word.
std::uint32_t KeyAt(const char* text) { return __builtin_bswap32(LoadWord<std::uint32_t>(text)) >> 8U; }

}  // namespace

TrigramExtractor::TrigramExtractor() : seen_(kTrigrams / 64) {
  const auto mark = [this](std::uint32_t first, std::uint32_t count) {
    std::fill_n(seen_.begin() + first / 64, count / 64, ~std::uint64_t{0});
  };
  mark(TrigramKey(kFeed, 0, 0), 65'536);
  for (std::uint32_t b0 = 0; b0 < 256; ++b0) mark(TrigramKey(static_cast<std::uint8_t>(b0), kFeed, 0), 256);
}

void TrigramExtractor::Fold(std::string_view text) {
  if (folded_.size() < text.size() + kPadding) folded_.resize(text.size() + kPadding);
  std::transform(text.begin(), text.end(), folded_.begin(), FoldByte);
  std::fill_n(folded_.begin() + static_cast<std::ptrdiff_t>(text.size()), kPadding, '\n');
}

std::span<const std::uint32_t> TrigramExtractor::Extract(std::string_view text) {
  Fold(text);
  const std::size_t most = std::min<std::size_t>(text.size(), kTrigrams) + 1;
  if (found_.size() < most) found_.resize(most);

  const char* const bytes = folded_.data();
  std::uint64_t* const seen = seen_.data();
  std::uint32_t* const found = found_.data();
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t key = KeyAt(bytes + i);
    const std::uint64_t word = seen[key / 64];
    found[count] = key;
    count += ~(word >> key % 64) & 1U;
    seen[key / 64] = word | std::uint64_t{1} << key % 64;
  }
  // Whole words: those marked for ever hold no other trigram.
  for (std::size_t i = 0; i < count; ++i) seen[found[i] / 64] = 0;
  return {found, count};
}

std::size_t TrigramExtractor::memory() const {
  return seen_.size() * sizeof(std::uint64_t) + folded_.capacity() + found_.capacity() * sizeof(std::uint32_t);
}

}  // namespace forge::index
