// The tables of a stored index: those of Appendix E, with sheets of the catalog
// instead of a row for each file.
//
// Each read compares the bytes with their checksum (see meta_record.h); a
// difference is damage. Callers hold a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "index/store/meta_record.h"
#include "index/store/sqlite.h"

namespace forge::index {

enum class Tables {
  kNone,   // the database is empty
  kOurs,   // of this version
  kOlder,  // of another version of forge-search, which this one does not read
  kNewer,
};
inline bool IsForeign(Tables tables) { return tables == Tables::kOlder || tables == Tables::kNewer; }
// Damage if the database is something else.
Result<Tables> LookAtTables(SqliteDatabase& db);
Status CreateTables(SqliteDatabase& db);

// Nothing if no commit was made.
Result<std::optional<MetaRecord>> ReadMeta(SqliteDatabase& db);
Status WriteMeta(SqliteDatabase& db, const std::string& hash, const MetaRecord& record);

// Appends the rows of the sheet.
Status ReadSheet(SqliteStatement& select, const SheetEntry& sheet, std::vector<CatalogRow>& rows);
Result<SqliteStatement> PrepareReadSheet(SqliteDatabase& db);
Status WriteSheet(SqliteDatabase& db, std::uint64_t id, std::string_view content);
Status DeleteSheet(SqliteDatabase& db, std::uint64_t id);
Status DeleteSheets(SqliteDatabase& db);

Result<std::vector<SegmentRecord>> ReadSegments(SqliteDatabase& db, const MetaRecord& record);
Status WriteSegments(SqliteDatabase& db, std::span<const SegmentRecord> segments);

}  // namespace forge::index
