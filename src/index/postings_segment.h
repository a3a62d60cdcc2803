// A segment with postings: for each trigram the blocks that hold it.
//
// Opening loads and checks everything but the postings (see segment_header.h
// for the layout); lists are read and checked when a query needs them.
#pragma once

#include <memory>

#include "index/segment.h"

namespace forge::index {

// OpenSegment for images of kind kPostingsKind.
Result<std::shared_ptr<const Segment>> OpenPostings(std::unique_ptr<SegmentBytes> bytes);

}  // namespace forge::index
