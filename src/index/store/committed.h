// What the last commit wrote, and how the next one is written.
//
// A writer keeps no rows between commits. It keeps the first key of each sheet, which
// is enough to read, change and write only the sheets that a change touches.
//
// Callers hold a transaction.
#pragma once

#include <map>
#include <vector>

#include "forge/result.h"
#include "index/catalog/catalog_sheet.h"
#include "index/store/meta_record.h"
#include "index/store/sqlite.h"
#include "index/store/store.h"

namespace forge::index {

struct Committed {
  MetaRecord record;
  std::vector<OrderKey> first;  // first key of each sheet
  std::vector<SegmentRecord> segments;
};

// Segments whose files are written and that no commit names yet.
using WrittenSegments = std::map<SegmentId, SegmentRecord>;

// Reads the rows and segments that `record` confirms into `index`.
Result<Committed> ReadCommitted(SqliteDatabase& db, MetaRecord record, StoredIndex& index);

// Applies a change to what was committed `before`. Returns what is committed once the
// transaction ends well.
Result<Committed> WriteChange(SqliteDatabase& db, const IndexKey& key, const StoreChange& change,
                              const WrittenSegments& written, Committed before);

}  // namespace forge::index
