// The trigrams of a segment: how many documents each has, and where its list is.
//
// Stored: for each trigram, in order, as varints: the distance to the trigram before
// and the number of documents; then one or two documents themselves, or, if there are
// more, the coding and the length of the list. Lists follow each other, so their
// offsets are sums.
//
// In memory: a sorted array of keys and one of entries, 16 bytes a trigram. Above it a
// table by the first byte, and where a first byte has many trigrams, one by the second;
// the rest is a binary search of some dozen keys. For 256 MB of Linux that is 2 to 3 MB.
// After a pause nothing of it is in the processor's cache: a search of thousands of keys
// would wait for memory ten times, and a query has twenty trigrams in each segment.
//
// Immutable once read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_set.h"
#include "forge/result.h"
#include "index/postings/posting_list.h"

namespace forge::index {

class DictionaryWriter {
 public:
  explicit DictionaryWriter(std::uint32_t docs) : docs_(docs) {}

  // The next trigram, with its documents as varint gaps. Its list, if it has
  // one, goes to `postings`.
  void Add(std::uint32_t key, std::string_view gaps, std::string& postings);

  std::uint32_t keys() const { return keys_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::uint32_t docs_;
  std::uint32_t keys_ = 0;
  std::uint32_t next_key_ = 0;
  std::string bytes_;
};

class Dictionary {
 public:
  struct Entry {
    std::uint32_t place;   // where the list is; or the documents, the second in the upper half
    std::uint32_t length;  // 0: one or two documents, without a list
    std::uint16_t df_less_one;
    Coding coding;

    std::uint32_t df() const { return df_less_one + 1U; }
  };
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    bool empty() const { return first == end; }
  };

  // From exactly these bytes; lists fill `postings_size` bytes.
  static Result<Dictionary> Read(std::string_view bytes, std::uint32_t keys, std::uint32_t docs,
                                 std::uint64_t postings_size);

  // The trigrams that begin with the two or three bytes of `gram` in lower
  // case. Empty if it holds a line feed: no line does.
  Range Find(std::string_view gram) const;
  // The same for several grams, each of two or three bytes. Find() waits four times for
  // memory if the processor's cache has nothing of the dictionary; this waits four times
  // for all of them. Linux sources, 24 grams in 6 segments, one by one: 110 us with a cold
  // cache, 30 with a warm one.
  std::vector<Range> FindAll(const std::vector<std::string_view>& grams) const;

  // Calls `use` with each trigram whose bytes are in the three sets, in order, as long
  // as it returns true.
  template <typename Use>
  void ForEach(const std::vector<ByteSet>& sets, const Use& use) const {
    for (unsigned first = 0; first < 256; ++first) {
      if (!sets[0].Has(static_cast<std::uint8_t>(first))) continue;
      if (tables_[first] == 0) {
        if (!ForEachIn({starts_[first], starts_[first + 1U]}, sets, use)) return;
        continue;
      }
      for (unsigned second = 0; second < 256; ++second) {
        if (!sets[1].Has(static_cast<std::uint8_t>(second))) continue;
        if (!ForEachIn(Near(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)), sets, use)) return;
      }
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  const Entry& operator[](std::uint32_t i) const { return entries_[i]; }

  std::size_t memory() const;

 private:
  // Where the trigrams that begin with these two bytes may be; all of the first byte's
  // if it has few.
  Range Near(std::uint8_t first, std::uint8_t second) const;
  // Looks at the second and the third byte. False if `use` returned that.
  template <typename Use>
  bool ForEachIn(Range range, const std::vector<ByteSet>& sets, const Use& use) const {
    for (std::uint32_t i = range.first; i != range.end; ++i) {
      const std::uint32_t key = keys_[i];
      const bool in = sets[1].Has(static_cast<std::uint8_t>(key >> 8U)) && sets[2].Has(static_cast<std::uint8_t>(key));
      if (in && !use(i)) return false;
    }
    return true;
  }
  void ListSeconds();

  std::array<std::uint32_t, 257> starts_{};              // by first byte
  std::array<std::uint16_t, 256> tables_{};              // by first byte: 1 + the number of its table, or 0
  std::vector<std::array<std::uint32_t, 257>> seconds_;  // tables by second byte
  std::vector<std::uint32_t> keys_;
  std::vector<Entry> entries_;
};

}  // namespace forge::index
