// The set of trigrams of a block.
//
// None goes on after a line feed, but the last byte may be one, and the text is
// read as if a line feed followed. So the two bytes `xy` occur within a line
// exactly if some trigram `xy?` does. Every other byte is ordinary, NUL and CR
// included.
//
// The set is a bitmap with the list of what was set. Trigrams that must not be
// found are marked as seen for ever, so the loop over bytes has no branches: a
// new trigram is one that was not marked, and the list grows by that bit. A
// second, larger bitmap is for trigrams with uncommon bytes (see trigram.h),
// whose places the first loop notes. With the larger bitmap alone a byte took
// 2.5 ns, most of it waiting for the cache.
//
// One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/trigram.h"

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
  void FindHot(std::string_view text);
  void FindCold(std::string_view text);

  std::vector<std::uint64_t> hot_seen_;
  std::vector<std::uint64_t> cold_seen_;
  std::vector<std::uint32_t> cold_bytes_;  // where they are
  std::size_t cold_count_ = 0;
  std::vector<std::uint32_t> found_;
  std::size_t found_count_ = 0;
};

}  // namespace forge::index
