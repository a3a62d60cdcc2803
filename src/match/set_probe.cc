#include "match/set_probe.h"

#include <algorithm>
#include <utility>

namespace forge {
namespace {

// A sequence that is more common than this (one place in 2^8) is found in every
// second block: Shift-And is as fast.
constexpr double kMinBits = 8;

bool IsPlain(const BytePosition& position) {
  return !position.loops &&
         std::none_of(position.bytes.begin() + 128, position.bytes.end(), [](bool in) { return in; });
}

double BitsOf(const ByteSequence& sequence) {
  double bits = 0;
  for (const BytePosition& position : sequence) bits += RarityBitsOf(position);
  return bits;
}

// The rarest stretch of ASCII. Every occurrence of the sequence contains it.
ByteSequence BestStretch(const ByteSequence& sequence) {
  ByteSequence best;
  ByteSequence stretch;
  for (const BytePosition& position : sequence) {
    if (!IsPlain(position)) {
      stretch.clear();
      continue;
    }
    stretch.push_back(position);
    if (BitsOf(stretch) > BitsOf(best)) best = stretch;
  }
  return best;
}

}  // namespace

std::unique_ptr<SetProbe> SetProbe::For(const std::vector<ByteSequence>& sequences) {
  if (!Supported() || sequences.size() != 1) return nullptr;
  const ByteSequence stretch = BestStretch(sequences[0]);
  if (stretch.size() < 2 || BitsOf(stretch) < kMinBits) return nullptr;
  return std::unique_ptr<SetProbe>(new SetProbe(stretch));
}

SetProbe::SetProbe(const ByteSequence& sequence) : size_(sequence.size()), shift_and_({sequence}) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    Place place{.offset = i, .bits = RarityBitsOf(sequence[i])};
    for (std::size_t b = 0; b < 128; ++b) {
      if (sequence[i].bytes[b]) place.rows[b % 16] |= static_cast<std::uint8_t>(1U << (b / 16));
    }
    places_.push_back(place);
  }
  std::stable_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.bits > b.bits; });
}

std::size_t SetProbe::Find(std::string_view text, std::size_t from) const {
  if (text.size() < size_ || from > text.size() - size_) return std::string_view::npos;
  const std::size_t at = Scan(text.data(), from, text.size() - size_ + 1);
  return at != std::string_view::npos ? at : shift_and_.Find(text, from);
}

}  // namespace forge
