#include "index/postings/posting_list.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "index/format/byte_io.h"

namespace forge::index {
namespace {

// The layout of an Elias-Fano list: `low_bits` of each number packed, then from
// the next byte on a unary code of the rest. It follows from two numbers, so it
// is not stored.
struct EliasFano {
  std::uint32_t low_bits;
  std::size_t low_bytes;
  std::size_t high_bytes;

  std::size_t bytes() const { return low_bytes + high_bytes; }
};

EliasFano LayoutWith(std::uint32_t low_bits, std::uint32_t df, std::uint32_t docs) {
  const std::size_t high_bits = std::size_t{df} + ((docs - 1) >> low_bits);
  return {low_bits, (std::size_t{df} * low_bits + 7) / 8, (high_bits + 7) / 8};
}

EliasFano LayoutFor(std::uint32_t df, std::uint32_t docs) {
  const auto log = static_cast<std::uint32_t>(std::bit_width(docs / df));  // at least 1: df <= docs
  const EliasFano fewer = LayoutWith(log - 1, df, docs);
  const EliasFano more = LayoutWith(log, df, docs);
  return more.bytes() < fewer.bytes() ? more : fewer;
}

std::size_t BitmapBytes(std::uint32_t docs) { return (std::size_t{docs} + 7) / 8; }

// Calls `add` with each document of well-formed gaps.
template <typename Add>
void ForEachGap(std::string_view gaps, Add add) {
  std::uint32_t doc = 0;
  const char* at = gaps.data();
  const char* const end = at + gaps.size();
  while (at != end) {
    auto byte = static_cast<std::uint8_t>(*at++);
    std::uint32_t gap = byte & 0x7FU;
    for (std::uint32_t shift = 7; byte >= 0x80; shift += 7) {
      byte = static_cast<std::uint8_t>(*at++);
      gap |= (byte & 0x7FU) << shift;
    }
    doc += gap;
    add(doc++);
  }
}

void SetBit(char* bits, std::size_t bit) { bits[bit / 8] = static_cast<char>(bits[bit / 8] | 1 << bit % 8); }

void AppendBitmap(std::string& out, std::string_view gaps, std::uint32_t docs) {
  const std::size_t start = out.size();
  out.resize(start + BitmapBytes(docs));
  ForEachGap(gaps, [bits = out.data() + start](std::uint32_t doc) { SetBit(bits, doc); });
}

void AppendEliasFano(std::string& out, std::string_view gaps, const EliasFano& layout) {
  const std::size_t start = out.size();
  out.resize(start + layout.bytes() + kListSlack);
  char* const low = out.data() + start;
  const std::uint32_t mask = (1U << layout.low_bits) - 1;
  std::size_t bit = 0;
  // Low bits first: their words reach into the high part, which is still zero
  // there, and or-ing keeps it so.
  ForEachGap(gaps, [&](std::uint32_t doc) {
    char* const word = low + bit / 8;
    StoreWord(word, LoadWord<std::uint32_t>(word) | (doc & mask) << bit % 8);
    bit += layout.low_bits;
  });
  std::size_t i = 0;
  ForEachGap(gaps, [&, high = low + layout.low_bytes](std::uint32_t doc) {
    SetBit(high, (doc >> layout.low_bits) + i);
    ++i;
  });
  out.resize(start + layout.bytes());
}

bool DecodeVarint(std::string_view bytes, std::uint32_t df, DocSet& set) {
  ByteReader reader(bytes);
  std::uint64_t doc = 0;
  for (std::uint32_t i = 0; i < df; ++i, ++doc) {
    std::uint64_t gap = 0;
    if (!reader.Varint(set.size(), gap)) return false;
    doc += gap;
    if (doc >= set.size()) return false;
    set.Add(static_cast<std::uint32_t>(doc));
  }
  return reader.done();
}

// The word of `bytes` at `at`; bytes past the end count as zeros.
std::uint64_t WordAt(std::string_view bytes, std::size_t at) {
  const auto word = LoadWord<std::uint64_t>(bytes.data() + at);
  const std::size_t left = bytes.size() - at;
  return left >= 8 ? word : word & ((std::uint64_t{1} << left * 8) - 1);
}

bool DecodeEliasFano(std::string_view bytes, std::uint32_t df, DocSet& set) {
  const EliasFano layout = LayoutFor(df, set.size());
  if (bytes.size() != layout.bytes()) return false;
  const std::string_view high = bytes.substr(layout.low_bytes);
  const std::uint32_t mask = (1U << layout.low_bits) - 1;
  std::size_t i = 0;
  std::size_t least = 0;  // numbers increase
  for (std::size_t at = 0; at < high.size(); at += 8) {
    for (std::uint64_t word = WordAt(high, at); word != 0; word &= word - 1, ++i) {
      if (i == df) return false;
      const std::size_t top = at * 8 + static_cast<std::size_t>(std::countr_zero(word)) - i;
      const std::size_t bit = i * layout.low_bits;
      const std::uint32_t low = LoadWord<std::uint32_t>(bytes.data() + bit / 8) >> bit % 8 & mask;
      const std::size_t doc = top << layout.low_bits | low;
      if (doc < least || doc >= set.size()) return false;
      set.Add(static_cast<std::uint32_t>(doc));
      least = doc + 1;
    }
  }
  return i == df;
}

// The unary half of such a list: for each value of the high bits in turn a one
// for every number that has it, then a zero.
class UnaryCode {
 public:
  explicit UnaryCode(std::string_view bytes) : bytes_(bytes) { Load(); }

  std::size_t bits() const { return bytes_.size() * 8; }
  bool One(std::size_t bit) const { return (bytes_[bit / 8] >> bit % 8 & 1) != 0; }

  // The place after so many zeros; bits() if there are fewer. Never goes back.
  std::size_t Behind(std::size_t zeros) {
    while (zeros_to_end_ < zeros) {
      if (!NextWord()) return bits();
    }
    if (zeros == 0) return 0;
    for (; passed_ + 1 < zeros; ++passed_) left_ &= left_ - 1;
    return std::min(bits(), at_ * 8 + static_cast<std::size_t>(std::countr_zero(left_)) + 1);
  }

  std::size_t CountOnes() {
    while (NextWord()) {
    }
    return at_ * 8 + 64 - zeros_to_end_;
  }

 private:
  bool NextWord() {
    if (at_ + 8 >= bytes_.size()) return false;
    passed_ = zeros_to_end_;
    at_ += 8;
    Load();
    return true;
  }
  void Load() {
    left_ = ~WordAt(bytes_, at_);
    zeros_to_end_ += CountBits(left_);
  }

  const std::string_view bytes_;
  std::size_t at_ = 0;            // place of the word, in bytes
  std::size_t zeros_to_end_ = 0;  // of the code up to the end of the word
  std::size_t passed_ = 0;        // zeros that are not in `left_`
  std::uint64_t left_ = 0;        // zeros of the word, as ones
};

bool KeepEliasFano(std::string_view bytes, std::uint32_t df, DocSet& set, bool& taken) {
  const EliasFano layout = LayoutFor(df, set.size());
  if (bytes.size() != layout.bytes()) return false;
  UnaryCode high(bytes.substr(layout.low_bytes));
  const std::uint32_t mask = (1U << layout.low_bits) - 1;
  for (std::uint32_t doc = set.Next(0); doc < set.size(); doc = set.Next(doc + 1)) {
    const std::uint32_t top = doc >> layout.low_bits;
    bool listed = false;
    for (std::size_t at = high.Behind(top); !listed && at < high.bits() && high.One(at); ++at) {
      const std::size_t i = at - top;
      if (i >= df) return false;
      const std::size_t bit = i * layout.low_bits;
      listed = (LoadWord<std::uint32_t>(bytes.data() + bit / 8) >> bit % 8 & mask) == (doc & mask);
    }
    if (!listed) set.Remove(doc);
    taken |= !listed;
  }
  return high.CountOnes() == df;
}

bool DecodeBitmap(std::string_view bytes, std::uint32_t df, DocSet& set) {
  if (bytes.size() != BitmapBytes(set.size())) return false;
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = WordAt(bytes, at);
    const std::uint64_t left = set.size() - at * 8;
    if (left < 64 && word >> left != 0) return false;
    count += CountBits(word);
    set.AddWord(at / 8, word);
  }
  return count == df;
}

}  // namespace

Coding AppendList(std::string& out, std::string_view gaps, std::uint32_t df, std::uint32_t docs) {
  const EliasFano layout = LayoutFor(df, docs);
  if (gaps.size() <= layout.bytes() && gaps.size() <= BitmapBytes(docs)) {
    out += gaps;
    return Coding::kVarint;
  }
  if (layout.bytes() < BitmapBytes(docs)) {
    AppendEliasFano(out, gaps, layout);
    return Coding::kEliasFano;
  }
  AppendBitmap(out, gaps, docs);
  return Coding::kBitmap;
}

bool DecodeList(Coding coding, std::string_view bytes, std::uint32_t df, DocSet& set) {
  if (df == 0 || df > set.size()) return false;
  switch (coding) {
    case Coding::kVarint: return DecodeVarint(bytes, df, set);
    case Coding::kEliasFano: return DecodeEliasFano(bytes, df, set);
    case Coding::kBitmap: return DecodeBitmap(bytes, df, set);
  }
  return false;
}

bool KeepListed(Coding coding, std::string_view bytes, std::uint32_t df, DocSet& set, bool& taken) {
  if (df == 0 || df > set.size()) return false;
  // Looking for one document costs as much as decoding a few.
  constexpr std::uint32_t kDecoded = 4;
  if (coding == Coding::kEliasFano && !set.HasAtLeast(df / kDecoded)) return KeepEliasFano(bytes, df, set, taken);
  DocSet listed(set.size());
  if (!DecodeList(coding, bytes, df, listed)) return false;
  taken = set.Keep(listed);
  return true;
}

}  // namespace forge::index
