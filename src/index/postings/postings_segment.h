// A segment with postings: for each trigram the blocks that hold it.
//
// Opening loads and checks everything but the postings (see postings_header.h
// for the layout); lists are read and checked when a query needs them.
#pragma once

#include <memory>

#include "index/segment/segment.h"

namespace forge::index {

// Only for segments of kind kPostingsKind; OpenSegment opens both kinds.
Result<std::shared_ptr<const Segment>> OpenPostings(std::unique_ptr<SegmentBytes> bytes);

std::unique_ptr<SegmentBuilder> MakePostingsBuilder();

}  // namespace forge::index
