#include "index/segment/segment_header.h"

#include <array>

#include "index/format/damage.h"

namespace forge::index {

std::string SegmentStart(std::uint8_t kind, std::size_t size) {
  std::string out(kSegmentMagic);
  out.resize(size);
  out[kSegmentVersionAt] = static_cast<char>(kSegmentVersion);
  out[kSegmentKindAt] = static_cast<char>(kind);
  return out;
}

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
