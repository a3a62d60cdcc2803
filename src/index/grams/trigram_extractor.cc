#include "index/grams/trigram_extractor.h"

#include <algorithm>
#include <array>
#include <bit>

namespace forge::index {
namespace {

constexpr std::uint8_t kFeed = '\n';
constexpr std::uint8_t kFeedCode = kByteCodes[kFeed];
constexpr std::uint64_t kAllSeen = ~std::uint64_t{0};
constexpr std::size_t kStep = 64;  // bytes, one for each bit of a word

// By two codes: whether a trigram may begin with these.
constexpr std::array<bool, kHotSpots / 64> kMayBegin = [] {
  std::array<bool, kHotSpots / 64> out{};
  const auto may = [](std::size_t code) { return code != kFeedCode && code != kColdCode; };
  for (std::size_t pair = 0; pair < out.size(); ++pair) out[pair] = may(pair / 64) && may(pair % 64);
  return out;
}();

bool IsTrigram(std::uint32_t spot) { return kMayBegin[spot / 64] && spot % 64 != kColdCode; }

// Trigrams that must not be found are marked as seen for ever.
std::vector<std::uint64_t> ColdSeen() {
  std::vector<std::uint64_t> seen(kTrigrams / 64);
  const auto mark = [&seen](std::uint32_t first, std::uint32_t count) {
    std::fill_n(seen.begin() + first / 64, count / 64, kAllSeen);
  };
  mark(TrigramKey(kFeed, 0, 0), 65'536);
  for (std::uint32_t b0 = 0; b0 < 256; ++b0) mark(TrigramKey(static_cast<std::uint8_t>(b0), kFeed, 0), 256);
  return seen;
}

}  // namespace

TrigramExtractor::TrigramExtractor() : stamps_(kHotSpots), cold_seen_(ColdSeen()) {}

std::span<const std::uint32_t> TrigramExtractor::Extract(std::string_view text) {
  Reserve(text.size());
  NextStamp();
  FindHot(text);
  const std::size_t hot = found_count_;
  FindCold(text);
  // Whole words: those marked for ever hold no other trigram.
  for (std::size_t i = hot; i < found_count_; ++i) cold_seen_[(found_[i] - kHotSpots) / 64] = 0;
  return {found_.data(), found_count_};
}

void TrigramExtractor::NextStamp() {
  if (++stamp_ != 0) return;
  std::fill(stamps_.begin(), stamps_.end(), std::uint8_t{0});
  stamp_ = 1;
}

void TrigramExtractor::Reserve(std::size_t size) {
  // One more than needed: the loops write before they know whether to keep.
  const std::size_t most = std::min<std::size_t>(size, kTrigrams) + 2;
  if (found_.size() < most) found_.resize(most);
  if (cold_bytes_.size() <= size) cold_bytes_.resize(size + 1);
}

void TrigramExtractor::FindHot(std::string_view text) {
  found_count_ = 0;
  cold_count_ = 0;
  codes_ = HotSpot(kFeedCode, kFeedCode, kFeedCode);
  std::size_t at = 0;
  for (; at + kStep <= text.size(); at += kStep) FindHot(text.data() + at, at);
  // Line feeds after the end: the text needs one, and more add nothing.
  std::array<char, kStep> rest;
  rest.fill('\n');
  std::copy(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), rest.begin());
  FindHot(rest.data(), at);
}

// First only the stamps, then what was new. If a list grew in the first loop,
// each load would wait for the one before, because the machine must first know
// where the list was written.
void TrigramExtractor::FindHot(const char* step, std::size_t at) {
  std::uint8_t* const stamps = stamps_.data();
  const std::uint8_t stamp = stamp_;
  std::uint64_t codes = codes_;
  std::array<std::uint32_t, kStep> spots;
  std::uint64_t fresh = 0;
  std::uint32_t some_code = 0;
  for (std::size_t i = 0; i < kStep; ++i) {
    const std::uint8_t code = kByteCodes[static_cast<std::uint8_t>(step[i])];
    codes = codes << 6U | code;
    const auto spot = static_cast<std::uint32_t>(codes % kHotSpots);
    spots[i] = spot;
    fresh |= std::uint64_t{stamps[spot] != stamp} << i;
    stamps[spot] = stamp;
    some_code |= code + 1U;
  }
  codes_ = codes;
  for (; fresh != 0; fresh &= fresh - 1) {
    const std::uint32_t spot = spots[static_cast<std::size_t>(std::countr_zero(fresh))];
    found_[found_count_] = spot;
    found_count_ += std::size_t{IsTrigram(spot)};
  }
  if ((some_code & (kColdCode + 1U)) == 0) return;
  for (std::size_t i = 0; i < kStep; ++i) {
    if (spots[i] % 64 == kColdCode) cold_bytes_[cold_count_++] = static_cast<std::uint32_t>(at + i);
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
      std::uint64_t& seen = cold_seen_[key / 64];
      found_[found_count_] = kHotSpots + key;
      found_count_ += ~(seen >> key % 64) & 1U;
      seen |= std::uint64_t{1} << key % 64;
    }
    next = at + 1;
  }
}

std::size_t TrigramExtractor::memory() const {
  return stamps_.size() + cold_seen_.size() * sizeof(std::uint64_t) +
         (found_.capacity() + cold_bytes_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace forge::index
