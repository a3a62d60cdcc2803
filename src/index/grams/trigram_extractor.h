// The set of trigrams of a block.
//
// A trigram may end in a line feed, but has none before its end; and the text is read
// as if a line feed followed. So the two bytes `xy` occur within a line exactly if
// some trigram `xy?` does. All other bytes are ordinary, NUL and CR included.
//
// To know which trigrams a block has shown already, a table has a byte for each
// trigram of common bytes (see trigram.h): the number of the last block that had it.
// So nothing needs clearing, and the table stays in the cache. The first loop notes
// where other bytes are; trigrams with such bytes are marked in a bitmap of 2^24 bits.
//
// Linux sources, best of eight on a busy machine: the bitmap alone 317 MB/s,
// this 421. In another run: the bitmap alone 312, with a second, smaller bitmap
// for common trigrams instead of the bytes 363.
//
// One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/grams/trigram.h"

namespace forge::index {

class TrigramExtractor {
 public:
  TrigramExtractor();

  // The spot of each trigram of the text, once, in no order; valid until the
  // next call. The text consists of whole lines.
  std::span<const std::uint32_t> Extract(std::string_view text);

  std::size_t memory() const;

 private:
  void Reserve(std::size_t size);
  void NextStamp();
  void FindHot(std::string_view text);
  void FindHot(const char* step, std::size_t at);
  void FindCold(std::string_view text);

  std::vector<std::uint8_t> stamps_;  // by spot: of the last text that had it
  std::uint8_t stamp_ = 0;            // stamp of this text
  std::uint64_t codes_ = 0;           // codes of the bytes so far, six bits each, the last one lowest
  std::vector<std::uint64_t> cold_seen_;
  std::vector<std::uint32_t> cold_bytes_;  // where they are
  std::size_t cold_count_ = 0;
  std::vector<std::uint32_t> found_;
  std::size_t found_count_ = 0;
};

}  // namespace forge::index
