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

std::size_t ShiftAnd::Find(std::string_view text, std::size_t from, std::uint64_t& state) const {
  std::uint64_t now = state;  // a reference would be stored at each byte
  std::size_t i = from;
  if (loop_ == 0) {
    for (; i < text.size(); ++i) {
      now = ((now << 1) | start_) & mask_[static_cast<unsigned char>(text[i])];
      if ((now & final_) != 0) break;
    }
  } else {
    for (; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      const std::uint64_t stay = byte >= 0x80 ? now & loop_ : 0;
      // The shift may move the last bit of one sequence into the first bit of the
      // next; that bit is a start anyway.
      now = ((now << 1) | start_ | stay) & mask_[byte];
      if ((now & final_) != 0) break;
    }
  }
  state = now;
  return i < text.size() ? i : std::string_view::npos;
}

}  // namespace forge
