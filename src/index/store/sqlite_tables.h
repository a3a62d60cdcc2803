// The tables of a stored index (Appendix E, with pages in place of a row a file).
//
// What is read is compared with the checksum that vouches for it (see
// meta_record.h); a difference is damage. Callers hold a transaction.
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

// True if the tables are there, false if the database is empty; damage if it is
// something else or of another version.
Result<bool> HasTables(SqliteDatabase& db);
Status CreateTables(SqliteDatabase& db);

// Nothing if no commit was made.
Result<std::optional<MetaRecord>> ReadMeta(SqliteDatabase& db);
Status WriteMeta(SqliteDatabase& db, const std::string& hash, const MetaRecord& record);

// Appends the rows of the page.
Status ReadPage(SqliteStatement& select, const PageEntry& page, std::vector<CatalogRow>& rows);
Result<SqliteStatement> PrepareReadPage(SqliteDatabase& db);
Status WritePage(SqliteDatabase& db, std::uint64_t id, std::string_view content);
Status DeletePage(SqliteDatabase& db, std::uint64_t id);
Status DeletePages(SqliteDatabase& db);

Result<std::vector<SegmentRecord>> ReadSegments(SqliteDatabase& db, const MetaRecord& record);
Status WriteSegments(SqliteDatabase& db, std::span<const SegmentRecord> segments);

Result<std::vector<DirtyEntry>> ReadDirty(SqliteDatabase& db, const MetaRecord& record);
Status WriteDirty(SqliteDatabase& db, std::span<const DirtyEntry> dirty);

}  // namespace forge::index
