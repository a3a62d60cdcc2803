#include "match/shift_and.h"

namespace forge {

ShiftAnd::ShiftAnd(const std::vector<ByteSequence>& sequences) {
  std::size_t bit = 0;
  for (const ByteSequence& sequence : sequences) {
    start_ |= std::uint64_t{1} << bit;
    for (const BytePosition& position : sequence) {
      const std::uint64_t here = std::uint64_t{1} << bit++;
      for (std::size_t b = 0; b < 256; ++b) {
        if (position.bytes[b]) mask_[b] |= here;
      }
      if (position.loops) loop_ |= here;
    }
    final_ |= std::uint64_t{1} << (bit - 1);
  }
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
    // The shift may move the last bit of one sequence into the first bit of the
    // next; that bit is a start anyway.
    state = ((state << 1) | start_ | stay) & mask_[byte];
    if ((state & final_) != 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace forge
