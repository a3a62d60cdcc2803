// Opens a segment of either kind: its first bytes say which one it is.
#pragma once

#include <memory>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

// Checks the header and loads the dictionary. The rest is read and checked when
// a query needs it.
Result<std::shared_ptr<const Segment>> OpenSegment(std::unique_ptr<SegmentBytes> bytes);

}  // namespace forge::index
