#include "index/segment/segment_header.h"

#include <array>

#include "index/format/damage.h"

namespace forge::index {

Result<std::uint8_t> SegmentKind(const SegmentBytes& bytes) {
  std::array<char, kSegmentKindAt + 1> start;
  if (bytes.size() < start.size() || !bytes.Read(0, start.size(), start.data())) {
    return Damaged("a segment cannot be read");
  }
  if (!std::string_view(start.data(), start.size()).starts_with(kSegmentMagic)) return Damaged("not a segment");
  if (static_cast<std::uint8_t>(start[kSegmentVersionAt]) != kSegmentVersion) {
    return Damaged("a segment of another version");
  }
  return static_cast<std::uint8_t>(start[kSegmentKindAt]);
}

}  // namespace forge::index
