// A set of documents of one segment, as bits.
//
// A segment has at most 65,536 documents, so a set is at most 8 KiB: dense sets
// are combined a word at a time, and sparse ones cost no more than that.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace forge::index {

class DocSet {
 public:
  explicit DocSet(std::uint32_t size = 0, bool full = false)
      : size_(size), words_((size + 63) / 64, full ? ~std::uint64_t{0} : 0) {
    if (full && size % 64 != 0) words_.back() = (std::uint64_t{1} << (size % 64)) - 1;
  }

  std::uint32_t size() const { return size_; }
  void Add(std::uint32_t doc) { words_[doc / 64] |= std::uint64_t{1} << (doc % 64); }
  // Documents 64 * word to 64 * word + 63 at once; bits from size() on must be zero.
  void AddWord(std::size_t word, std::uint64_t bits) { words_[word] |= bits; }
  bool Has(std::uint32_t doc) const { return (words_[doc / 64] >> (doc % 64) & 1) != 0; }

  // Whether one of `count` documents from `first` is in the set.
  bool HasAny(std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t next = Next(first);
    return next < size_ && next - first < count;
  }

  // The first member at or after `doc`; size() if there is none.
  std::uint32_t Next(std::uint32_t doc) const {
    if (doc >= size_) return size_;
    std::size_t word = doc / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (doc % 64));
    while (bits == 0) {
      if (++word == words_.size()) return size_;
      bits = words_[word];
    }
    return static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }
  std::uint32_t count() const {
    std::uint32_t n = 0;
    for (const std::uint64_t word : words_) n += static_cast<std::uint32_t>(std::popcount(word));
    return n;
  }
  DocSet& operator&=(const DocSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  DocSet& operator|=(const DocSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }

 private:
  std::uint32_t size_;
  std::vector<std::uint64_t> words_;
};

}  // namespace forge::index
