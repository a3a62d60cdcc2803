#include "index/store/committed.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "index/catalog/catalog_edit.h"
#include "index/format/damage.h"
#include "index/store/sqlite_tables.h"

namespace forge::index {
namespace {

// What is denied has rows in memory only: not even its name may be stored
// (SEC-LSI-02). A process that needs to know of it walks the tree first.
std::vector<CatalogRow> FilesOf(const std::vector<CatalogRow>& rows) {
  std::vector<CatalogRow> files;
  files.reserve(rows.size());
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(files),
               [](const CatalogRow& row) { return row.kind == CatalogRow::Kind::kFile; });
  return files;
}

// Adds sheets with these rows; the first of them as sheet `id`, if given.
Status PutSheets(SqliteDatabase& db, const std::vector<CatalogRow>& rows, std::optional<std::uint64_t> id,
                 std::uint64_t& next_id, Committed& next) {
  for (const std::span<const CatalogRow> part : CutIntoSheets(rows)) {
    const std::uint64_t sheet = id ? *id : next_id++;
    id.reset();
    const std::string content = EncodeSheet(part);
    Status written = WriteSheet(db, sheet, content);
    if (!written) return written;
    next.record.sheets.push_back({sheet, SheetChecksum(sheet, content), part.size()});
    next.first.push_back(OrderKeyOf(part.front().path));
  }
  return {};
}

Status ReplaceRows(SqliteDatabase& db, const StoreChange& change, Committed& next) {
  Status deleted = DeleteSheets(db);
  if (!deleted) return deleted;
  next.record.sheets.clear();
  next.first.clear();
  std::uint64_t next_id = 1;
  return PutSheets(db, FilesOf(change.rows), std::nullopt, next_id, next);
}

Status ChangeRows(SqliteDatabase& db, const StoreChange& change, Committed& next) {
  if (change.rows.empty() && change.removed.empty()) return {};
  const std::vector<SheetEntry> old = std::exchange(next.record.sheets, {});
  std::vector<OrderKey> first = std::exchange(next.first, {});
  Result<SqliteStatement> select = PrepareReadSheet(db);
  if (!select) return select.error();
  const auto read = [&](std::size_t sheet) -> Result<std::vector<CatalogRow>> {
    std::vector<CatalogRow> rows;
    Status done = ReadSheet(*select, old[sheet], rows);
    if (!done) return done.error();
    return rows;
  };
  const Result<std::vector<EditedSheet>> edited = EditSheets(first, FilesOf(change.rows), change.removed, read);
  if (!edited) return edited.error();

  std::uint64_t next_id = 1;
  for (const SheetEntry& sheet : old) next_id = std::max(next_id, sheet.id + 1);
  auto edit = edited->begin();
  if (old.empty() && edit != edited->end()) return PutSheets(db, edit->rows, std::nullopt, next_id, next);
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (edit == edited->end() || edit->sheet != i) {
      next.record.sheets.push_back(old[i]);
      next.first.push_back(std::move(first[i]));
      continue;
    }
    Status done = edit->rows.empty() ? DeleteSheet(db, old[i].id) : PutSheets(db, edit->rows, old[i].id, next_id, next);
    if (!done) return done;
    ++edit;
  }
  return {};
}

Status ChangeSegments(SqliteDatabase& db, const StoreChange& change, const WrittenSegments& written, Committed& next) {
  std::map<SegmentId, SegmentRecord> segments;
  for (const SegmentRecord& segment : next.segments) segments[segment.id] = segment;
  for (const SegmentId id : change.new_segments) {
    const auto found = written.find(id);
    if (found == written.end()) return ExecutionFailed("segment " + std::to_string(id) + " was not written");
    segments[id] = found->second;
  }
  for (const SegmentId id : change.dropped_segments) segments.erase(id);
  next.segments.clear();
  for (const auto& [id, segment] : segments) next.segments.push_back(segment);
  const std::uint64_t digest = DigestOf(next.segments);
  if (digest == next.record.segments_digest) return {};
  next.record.segments_digest = digest;
  return WriteSegments(db, next.segments);
}

}  // namespace

Result<Committed> ReadCommitted(SqliteDatabase& db, MetaRecord record, StoredIndex& index) {
  Result<std::vector<SegmentRecord>> segments = ReadSegments(db, record);
  if (!segments) return segments.error();
  for (const SegmentRecord& segment : *segments) index.segments.push_back(segment.id);

  Committed known;
  Result<SqliteStatement> select = PrepareReadSheet(db);
  if (!select) return select.error();
  index.rows.reserve(record.files());
  for (const SheetEntry& sheet : record.sheets) {
    const std::size_t first = index.rows.size();
    const Status read = ReadSheet(*select, sheet, index.rows);
    if (!read) return read.error();
    if (first == index.rows.size()) return Damaged("a sheet of the catalog is empty");
    known.first.push_back(OrderKeyOf(index.rows[first].path));
  }
  index.meta = record.meta;
  known.record = std::move(record);
  known.segments = std::move(*segments);
  return known;
}

Result<Committed> WriteChange(SqliteDatabase& db, const IndexKey& key, const StoreChange& change,
                              const WrittenSegments& written, Committed before) {
  Committed next = std::move(before);
  next.record.meta = change.meta;
  next.record.meta.key = key;
  ++next.record.generation;
  Status done = change.replace_rows ? ReplaceRows(db, change, next) : ChangeRows(db, change, next);
  if (done) done = ChangeSegments(db, change, written, next);
  if (done) done = WriteMeta(db, HashOf(key), next.record);
  if (!done) return done.error();
  return next;
}

}  // namespace forge::index
