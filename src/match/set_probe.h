// Finds a short sequence of byte sets, such as [a-z][0-9][0-9], with SIMD: it tests
// 32 or 64 places at a time, the rarest sets first, and most blocks are over after two or
// three of them. Several GB/s, where Shift-And has one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "match/byte_sequence.h"
#include "match/shift_and.h"

namespace forge {

// Immutable, so thread-safe.
class SetProbe {
 public:
  // Null where it would not help: several sequences, sets that are common, sets of
  // bytes that are not ASCII, or a processor without the instructions.
  static std::unique_ptr<SetProbe> For(const std::vector<ByteSequence>& sequences);

  // An offset inside an occurrence that begins at or after `from`, or npos.
  std::size_t Find(std::string_view text, std::size_t from) const;

  std::size_t size() const { return size_; }  // of an occurrence, in bytes

 private:
  // Bit h of rows[l] says that the byte 16 * h + l is in the set.
  struct Place {
    std::size_t offset = 0;
    double bits = 0;  // how rare the set is
    alignas(16) std::array<std::uint8_t, 16> rows{};
  };

  explicit SetProbe(const ByteSequence& sequence);

  static bool Supported();
  // Tests the possible starts [begin, end) block by block. Returns npos with `begin`
  // moved to where less than a block is left.
  std::size_t Scan(const char* text, std::size_t& begin, std::size_t end) const;
  template <std::size_t kFirst>  // places that are tested at once
  std::size_t ScanBy(const char* text, std::size_t& begin, std::size_t end) const;

  std::vector<Place> places_;  // at least two, the rarest first
  std::size_t size_;
  ShiftAnd shift_and_;  // for the last few places of a text
};

}  // namespace forge
