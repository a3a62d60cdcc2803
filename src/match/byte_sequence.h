// Factors as sequences of byte sets, for automata that read bytes.
//
// A set with non-ASCII characters becomes one or more bytes >= 0x80, so a
// sequence may match too much, never too little. A match stays within one line,
// unless a set contains the line feed, which no line does.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "pattern/factor.h"

namespace forge {

struct BytePosition {
  std::array<bool, 256> bytes{};
  bool loops = false;  // any number of bytes >= 0x80 may follow
};

using ByteSequence = std::vector<BytePosition>;

// So many positions fit into one 64-bit state.
inline constexpr std::size_t kMaxBytePositions = 64;

// How rare the bytes of a set are in source code, all together.
double RarityBitsOf(const BytePosition& position);

// Cuts each factor to its best part, so that all fit into kMaxBytePositions.
// Empty if there are too many.
std::vector<ByteSequence> ToByteSequences(const FactorSet& factors);

}  // namespace forge
