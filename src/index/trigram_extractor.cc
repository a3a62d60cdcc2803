#include "index/trigram_extractor.h"

#include <algorithm>
#include <array>
#include <bit>

namespace forge::index {
namespace {

constexpr std::uint8_t kFeed = '\n';
constexpr std::uint8_t kFeedCode = kByteCodes[kFeed];
constexpr std::uint64_t kAllSeen = ~std::uint64_t{0};

// A word of the bitmap has the trigrams of one pair of codes.
std::vector<std::uint64_t> HotSeen() {
  std::vector<std::uint64_t> seen(kHotSpots / 64, std::uint64_t{1} << kColdCode);
  for (std::uint8_t code = 0; code < 64; ++code) {
    for (const std::uint8_t never : {kFeedCode, kColdCode}) {
      seen[HotSpot(code, never, 0) / 64] = kAllSeen;
      seen[HotSpot(never, code, 0) / 64] = kAllSeen;
    }
  }
  return seen;
}

std::vector<std::uint64_t> ColdSeen() {
  std::vector<std::uint64_t> seen(kTrigrams / 64);
  const auto mark = [&seen](std::uint32_t first, std::uint32_t count) {
    std::fill_n(seen.begin() + first / 64, count / 64, kAllSeen);
  };
  mark(TrigramKey(kFeed, 0, 0), 65'536);
  for (std::uint32_t b0 = 0; b0 < 256; ++b0) mark(TrigramKey(static_cast<std::uint8_t>(b0), kFeed, 0), 256);
  return seen;
}

// 1 if it was new.
std::uint32_t Mark(std::uint64_t* seen, std::uint32_t bit) {
  const std::uint64_t word = seen[bit / 64];
  seen[bit / 64] = word | std::uint64_t{1} << bit % 64;
  return static_cast<std::uint32_t>(~(word >> bit % 64) & 1U);
}

}  // namespace

TrigramExtractor::TrigramExtractor() : hot_seen_(HotSeen()), cold_seen_(ColdSeen()) {}

std::span<const std::uint32_t> TrigramExtractor::Extract(std::string_view text) {
  Reserve(text.size());
  found_count_ = 0;
  FindHot(text);
  const std::size_t hot = found_count_;
  FindCold(text);
  for (std::size_t i = 0; i < hot; ++i) hot_seen_[found_[i] / 64] = std::uint64_t{1} << kColdCode;
  // Whole words here as well: those marked for ever hold no other trigram.
  for (std::size_t i = hot; i < found_count_; ++i) cold_seen_[(found_[i] - kHotSpots) / 64] = 0;
  return {found_.data(), found_count_};
}

void TrigramExtractor::Reserve(std::size_t size) {
  // One more than can be needed: the loops write before they know whether to keep.
  const std::size_t most = std::min<std::size_t>(size, kTrigrams) + 2;
  if (found_.size() < most) found_.resize(most);
  if (cold_bytes_.size() <= size) cold_bytes_.resize(size + 1);
}

// In steps of 64 bytes: first the bitmap alone, then what was new in it. A list
// that grows in the first loop makes each load wait for the one before, since
// the machine must know where the list was written (twice the time).
void TrigramExtractor::FindHot(std::string_view text) {
  std::uint64_t codes = HotSpot(kFeedCode, kFeedCode, kFeedCode);  // of the bytes so far, the last one lowest
  found_count_ = 0;
  cold_count_ = 0;
  std::array<std::uint32_t, 64> spots;
  for (std::size_t at = 0; at <= text.size(); at += 64) {
    const std::size_t size = std::min<std::size_t>(64, text.size() - at);
    std::uint64_t fresh = 0;
    std::uint64_t cold = 0;
    const auto step = [&, seen = hot_seen_.data()](std::size_t i, std::uint8_t code) {
      codes = codes << 6U | code;
      const auto spot = static_cast<std::uint32_t>(codes % kHotSpots);
      spots[i] = spot;
      fresh |= std::uint64_t{Mark(seen, spot)} << i;
      cold |= std::uint64_t{code == kColdCode} << i;
    };
    for (std::size_t i = 0; i < size; ++i) step(i, kByteCodes[static_cast<std::uint8_t>(text[at + i])]);
    if (size < 64) step(size, kFeedCode);  // as if one followed
    for (; fresh != 0; fresh &= fresh - 1) {
      found_[found_count_++] = spots[static_cast<std::size_t>(std::countr_zero(fresh))];
    }
    for (; cold != 0; cold &= cold - 1) {
      cold_bytes_[cold_count_++] = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(cold));
    }
  }
}

void TrigramExtractor::FindCold(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(FoldByte(text[i])) : kFeed;
  };
  std::size_t next = 0;  // starts before it are done
  for (std::size_t i = 0; i < cold_count_; ++i) {
    const std::size_t at = cold_bytes_[i];
    for (std::size_t start = std::max(next, at < 2 ? 0 : at - 2); start <= at; ++start) {
      const std::uint32_t key = TrigramKey(byte(start), byte(start + 1), byte(start + 2));
      found_[found_count_] = kHotSpots + key;
      found_count_ += Mark(cold_seen_.data(), key);
    }
    next = at + 1;
  }
}

std::size_t TrigramExtractor::memory() const {
  return (hot_seen_.size() + cold_seen_.size()) * sizeof(std::uint64_t) +
         (found_.capacity() + cold_bytes_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace forge::index
