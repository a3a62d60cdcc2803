// A set of documents of one segment, as bits.
//
// A segment has at most 65,536 documents, so a set is at most 8 KiB: dense sets
// are combined a word at a time, and sparse ones cost no more than that.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/bits.h"

namespace forge::index {

class DocSet {
 public:
  explicit DocSet(std::uint32_t size = 0, bool full = false)
      : size_(size), words_((size + 63) / 64, full ? ~std::uint64_t{0} : 0) {
    if (full && size % 64 != 0) words_.back() = (std::uint64_t{1} << (size % 64)) - 1;
  }

  std::uint32_t size() const { return size_; }
  void Add(std::uint32_t doc) { words_[doc / 64] |= std::uint64_t{1} << (doc % 64); }
  void Remove(std::uint32_t doc) { words_[doc / 64] &= ~(std::uint64_t{1} << (doc % 64)); }
  // Documents 64 * word to 64 * word + 63 at once; bits from size() on must be zero.
  void AddWord(std::size_t word, std::uint64_t bits) { words_[word] |= bits; }
  bool Has(std::uint32_t doc) const { return (words_[doc / 64] >> (doc % 64) & 1) != 0; }

  // Whether the set has one of `count` documents from `first`, all below
  // size(). It reads only their words, because there is a call for each file.
  bool HasAny(std::uint32_t first, std::uint32_t count) const {
    if (count == 0) return false;
    const std::uint32_t last = first + count - 1;
    const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
    const std::uint64_t to = ~std::uint64_t{0} >> (63 - last % 64);
    if (first / 64 == last / 64) return (words_[first / 64] & from & to) != 0;
    if ((words_[first / 64] & from) != 0 || (words_[last / 64] & to) != 0) return true;
    return std::any_of(words_.begin() + first / 64 + 1, words_.begin() + last / 64,
                       [](std::uint64_t word) { return word != 0; });
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

  bool empty() const { return !HasAtLeast(1); }
  bool HasAtLeast(std::uint32_t least) const {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < words_.size() && n < least; ++i) {
      if (words_[i] != 0) n += CountBits(words_[i]);  // most sets are sparse
    }
    return n >= least;
  }
  std::uint32_t count() const {
    std::uint32_t n = 0;
    for (const std::uint64_t word : words_) n += CountBits(word);
    return n;
  }
  // Keeps only documents that `other` has too. True if that removed any.
  bool Keep(const DocSet& other) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      lost |= words_[i] & ~other.words_[i];
      words_[i] &= other.words_[i];
    }
    return lost != 0;
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
