#include "match/byte_sequence.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/byte_rarity.h"
#include "base/utf8.h"

namespace forge {
namespace {

ByteSequence ToBytes(const Factor& factor) {
  ByteSequence out;
  for (const Atom& atom : factor) {
    if (atom.single) {
      std::string utf8;
      AppendUtf8(atom.code, utf8);
      for (const char c : utf8) out.emplace_back().bytes[static_cast<unsigned char>(c)] = true;
      continue;
    }
    BytePosition& position = out.emplace_back();
    for (std::size_t c = 0; c < 128; ++c) position.bytes[c] = atom.set.ascii[c] && c != '\n';
    if (atom.set.other) std::fill(position.bytes.begin() + 128, position.bytes.end(), true);
    position.loops = atom.set.other;
  }
  return out;
}

// The most selective window of at most `room` positions. Every occurrence of
// the longer sequence contains the shorter one.
ByteSequence BestWindow(ByteSequence all, std::size_t room) {
  if (all.size() <= room) return all;
  std::size_t best = 0;
  double best_bits = -1;
  for (std::size_t begin = 0; begin + room <= all.size(); ++begin) {
    double bits = 0;
    for (std::size_t i = begin; i < begin + room; ++i) bits += RarityBitsOf(all[i]);
    if (bits > best_bits) {
      best = begin;
      best_bits = bits;
    }
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(best), all.begin() + static_cast<std::ptrdiff_t>(best + room)};
}

}  // namespace

double RarityBitsOf(const BytePosition& position) {
  double p = 0;
  for (std::size_t b = 0; b < 256; ++b) {
    if (position.bytes[b]) p += std::exp2(-RarityBits(static_cast<unsigned char>(b)));
  }
  return p > 0 ? -std::log2(p) : 30;
}

std::vector<ByteSequence> ToByteSequences(const FactorSet& factors) {
  std::vector<ByteSequence> out;
  if (factors.empty() || factors.size() > kMaxBytePositions / 2) return out;
  const std::size_t room = std::min<std::size_t>(kMaxBytePositions / factors.size(), 16);
  for (const Factor& factor : factors) out.push_back(BestWindow(ToBytes(factor), room));
  return out;
}

}  // namespace forge
