// Segments as files.
//
// A file is written whole under a temporary name, synced, and then renamed: a process
// that sees the name sees all of the bytes. A reader keeps the file open, so it can read
// on when the file is deleted.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "forge/result.h"
#include "index/segment/segment.h"
#include "index/store/meta_record.h"
#include "index/store/store_files.h"

namespace forge::index {

Result<SegmentRecord> WriteSegmentFile(const StoreFiles& files, SegmentId id, std::string_view image);

// Damage if the file is missing or not the one that `record` describes. With
// `whole`, reads the whole file for that; else its size, beginning and end, and
// the segment checks the middle when it is used.
Result<std::unique_ptr<SegmentBytes>> OpenSegmentFile(const StoreFiles& files, const SegmentRecord& record, bool whole);

}  // namespace forge::index
