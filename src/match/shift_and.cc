#include "match/shift_and.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/byte_rarity.h"
#include "base/utf8.h"

namespace forge {
namespace {

constexpr std::size_t kBits = 64;

// One position of a sequence, over bytes.
struct Position {
  std::array<bool, 256> bytes{};
  bool loops = false;
};

std::vector<Position> ToBytes(const Factor& factor) {
  std::vector<Position> out;
  for (const Atom& atom : factor) {
    if (atom.single) {
      std::string utf8;
      AppendUtf8(atom.code, utf8);
      for (const char c : utf8) out.emplace_back().bytes[static_cast<unsigned char>(c)] = true;
      continue;
    }
    Position& position = out.emplace_back();
    for (std::size_t c = 0; c < 128; ++c) position.bytes[c] = atom.set.ascii[c] && c != '\n';
    if (atom.set.other) std::fill(position.bytes.begin() + 128, position.bytes.end(), true);
    position.loops = atom.set.other;
  }
  return out;
}

double Bits(const Position& position) {
  double p = 0;
  for (std::size_t b = 0; b < 256; ++b) {
    if (position.bytes[b]) p += std::exp2(-RarityBits(static_cast<unsigned char>(b)));
  }
  return p > 0 ? -std::log2(p) : 30;
}

// The window of at most `room` positions that says the most. A shorter
// sequence is still contained in every occurrence of the longer one.
std::vector<Position> BestWindow(std::vector<Position> all, std::size_t room) {
  if (all.size() <= room) return all;
  std::size_t best = 0;
  double best_bits = -1;
  for (std::size_t begin = 0; begin + room <= all.size(); ++begin) {
    double bits = 0;
    for (std::size_t i = begin; i < begin + room; ++i) bits += Bits(all[i]);
    if (bits > best_bits) {
      best = begin;
      best_bits = bits;
    }
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(best), all.begin() + static_cast<std::ptrdiff_t>(best + room)};
}

}  // namespace

std::optional<ShiftAnd> ShiftAnd::For(const FactorSet& factors) {
  if (factors.empty() || factors.size() > kBits / 2) return std::nullopt;
  const std::size_t room = std::min<std::size_t>(kBits / factors.size(), 16);
  ShiftAnd automaton;
  std::size_t bit = 0;
  for (const Factor& factor : factors) {
    const std::vector<Position> sequence = BestWindow(ToBytes(factor), room);
    automaton.start_ |= std::uint64_t{1} << bit;
    for (const Position& position : sequence) {
      const std::uint64_t here = std::uint64_t{1} << bit++;
      for (std::size_t b = 0; b < 256; ++b) {
        if (position.bytes[b]) automaton.mask_[b] |= here;
      }
      if (position.loops) automaton.loop_ |= here;
    }
    automaton.final_ |= std::uint64_t{1} << (bit - 1);
  }
  return automaton;
}

std::size_t ShiftAnd::Find(std::string_view text, std::size_t from) const {
  std::uint64_t state = 0;
  if (loop_ == 0) {
    for (std::size_t i = from; i < text.size(); ++i) {
      state = ((state << 1) | start_) & mask_[static_cast<unsigned char>(text[i])];
      if ((state & final_) != 0) return i;
    }
    return std::string_view::npos;
  }
  for (std::size_t i = from; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::uint64_t stay = byte >= 0x80 ? state & loop_ : 0;
    // A sequence's first bit may come from the last one of its neighbour: it is
    // a start anyway.
    state = ((state << 1) | start_ | stay) & mask_[byte];
    if ((state & final_) != 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace forge
