#include "index/snapshot/open_segment.h"

#include "index/bloom/bloom_segment.h"
#include "index/format/damage.h"
#include "index/postings/postings_segment.h"
#include "index/segment/segment_header.h"

namespace forge::index {

Result<std::shared_ptr<const Segment>> OpenSegment(std::unique_ptr<SegmentBytes> bytes) {
  const Result<std::uint8_t> kind = SegmentKind(*bytes);
  if (!kind) return kind.error();
  switch (*kind) {
    case kPostingsKind: return OpenPostings(std::move(bytes));
    case kBloomKind: return OpenBloomSegment(std::move(bytes));
    default: return Damaged("a segment of an unknown kind");
  }
}

}  // namespace forge::index
