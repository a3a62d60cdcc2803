// Turns "the trigrams of a document" into "the documents of a trigram".
//
// Documents come in order, so each trigram keeps its last document and a chain
// of pieces with varint gaps: a posting is mostly one byte written at the end of
// a piece. Pieces start with 8 bytes and double up to 256, each with a link to
// the one before. A trigram with a single document has no piece. No sorting:
// sorting pairs of key and document would need several times the memory.
//
// Common trigrams have their slots in one dense table; others are found in two
// steps (first two bytes, then the third), so that only pairs of bytes that
// occur take memory: 8 bytes a trigram, 2 KiB a pair.
//
// One thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/grams/trigram.h"

namespace forge::index {

// Bytes in slabs of 1 MiB, addressed by number; nothing moves when it grows.
class SlabBytes {
 public:
  // `size` contiguous bytes, at a multiple of 8. At most a slab.
  std::uint32_t Allocate(std::uint32_t size);
  char* At(std::uint32_t place) { return slabs_[place >> kSlabBits].get() + (place & (kSlabSize - 1)); }
  std::size_t memory() const { return slabs_.size() * kSlabSize; }
  void Clear();

 private:
  static constexpr std::uint32_t kSlabBits = 20;
  static constexpr std::uint32_t kSlabSize = 1U << kSlabBits;

  std::vector<std::unique_ptr<char[]>> slabs_;
  std::uint32_t used_ = kSlabSize;  // bytes of the last slab that are in use
};

class Inverter {
 public:
  Inverter() : hot_(kHotSpots), groups_(65'536) {}

  // The trigrams of a document, each once, as spots (see trigram.h). Documents
  // are numbered upwards, at most 65,536 of them.
  void Add(std::uint32_t doc, std::span<const std::uint32_t> spots);

  // Calls visit(key, gaps) in order of keys, where gaps are the documents as
  // varint gaps less one (see posting_list.h), and forgets everything.
  template <typename Visit>
  void Drain(Visit visit) {
    std::string gaps;
    for (std::uint32_t pair = 0; pair < groups_.size(); ++pair) {
      if (!MayHaveSlots(pair)) continue;
      for (std::uint32_t key = pair << 8U; key < (pair + 1) << 8U; ++key) {
        const Slot* const slot = Find(key);
        if (slot == nullptr || slot->level == 0) continue;
        CollectGaps(*slot, gaps);
        visit(key, gaps);
      }
    }
    Clear();
  }

  std::size_t memory() const;

 private:
  // The state of one trigram. Level 0: none. Level 1: one document, in `last`.
  // Above: pieces, the newest of 2^(level + 1) bytes.
  struct Slot {
    std::uint32_t end = 0;  // where the next byte goes
    std::uint16_t last = 0;
    std::uint8_t left = 0;  // bytes of the newest piece
    std::uint8_t level = 0;
  };
  using Group = std::array<Slot, 256>;

  Slot& SlotAt(std::uint32_t spot);
  bool MayHaveSlots(std::uint32_t pair) const;  // for the first two bytes of a key
  const Slot* Find(std::uint32_t key) const;    // none if it has none
  void AppendSlowly(Slot& slot, std::uint16_t doc);
  void PutGap(Slot& slot, std::uint32_t gap);
  void Grow(Slot& slot);
  void CollectGaps(const Slot& slot, std::string& gaps);
  void Clear();

  std::vector<Slot> hot_;
  std::vector<std::unique_ptr<Group>> groups_;  // slots of the other trigrams, by the first two bytes
  std::size_t group_count_ = 0;
  SlabBytes pieces_;
};

}  // namespace forge::index
