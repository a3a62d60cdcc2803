#include "index/store/sqlite_tables.h"

#include "index/catalog/catalog_pages.h"
#include "index/store/store_errors.h"

namespace forge::index {
namespace {

constexpr std::int64_t kApplicationId = 0x46534958;  // "FSIX"

// Paths are blobs: names need not be UTF-8, and lossy ones may collide (E24).
constexpr const char* kSchema = R"(
CREATE TABLE index_meta (
  index_key_hash TEXT PRIMARY KEY,
  schema_version INTEGER NOT NULL,
  root_path_canon BLOB NOT NULL,
  signature_hidden INTEGER NOT NULL,
  signature_follow INTEGER NOT NULL,
  signature_no_ignore INTEGER NOT NULL,
  backend_id TEXT NOT NULL,
  token_structure TEXT NOT NULL,
  tokenizer_id TEXT NOT NULL,
  casefold_strategy TEXT NOT NULL CHECK (casefold_strategy IN ('ASCII','UNICODE_SIMPLE')),
  unicode_normalization TEXT NOT NULL CHECK (unicode_normalization IN ('NONE','NFC','NFD')),
  created_at_ms INTEGER NOT NULL,
  last_updated_at_ms INTEGER NOT NULL,
  last_accessed_at_ms INTEGER NOT NULL,
  safety_state TEXT NOT NULL CHECK (
    safety_state IN ('ABSENT','BUILDING','COMPLETE','UNCERTAIN','CORRUPT','DISABLED')),
  uncertain_reason TEXT NOT NULL,
  coverage_epoch INTEGER NOT NULL,
  enumerate_error_count INTEGER NOT NULL,
  policy_hash TEXT NOT NULL,
  build_complete INTEGER NOT NULL,
  closed_clean INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  catalog_pages BLOB NOT NULL,
  segments_digest INTEGER NOT NULL,
  dirty_digest INTEGER NOT NULL,
  row_checksum INTEGER NOT NULL
);
CREATE TABLE catalog_pages (page_id INTEGER PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE segments (
  segment_id INTEGER PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  edges_checksum INTEGER NOT NULL
);
CREATE TABLE dirty_queue (
  rel_path BLOB PRIMARY KEY,
  dirty_kind TEXT NOT NULL CHECK (dirty_kind IN ('FILE','SUBTREE')),
  queued_at_ms INTEGER NOT NULL
) WITHOUT ROWID;
)";

constexpr std::string_view kSelectMeta =
    "SELECT schema_version, root_path_canon, signature_hidden, signature_follow, signature_no_ignore, backend_id, "
    "token_structure, tokenizer_id, casefold_strategy, unicode_normalization, created_at_ms, last_updated_at_ms, "
    "last_accessed_at_ms, safety_state, uncertain_reason, coverage_epoch, enumerate_error_count, policy_hash, "
    "build_complete, closed_clean, generation, catalog_pages, segments_digest, dirty_digest, row_checksum "
    "FROM index_meta";

constexpr std::string_view kInsertMeta =
    "INSERT OR REPLACE INTO index_meta (schema_version, root_path_canon, signature_hidden, signature_follow, "
    "signature_no_ignore, backend_id, token_structure, tokenizer_id, casefold_strategy, unicode_normalization, "
    "created_at_ms, last_updated_at_ms, last_accessed_at_ms, safety_state, uncertain_reason, coverage_epoch, "
    "enumerate_error_count, policy_hash, build_complete, closed_clean, generation, catalog_pages, segments_digest, "
    "dirty_digest, row_checksum, index_key_hash) "
    "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

// Columns one after the other, in the order of the statement.
class Columns {
 public:
  explicit Columns(const SqliteStatement& row) : row_(row) {}
  std::int64_t Int() { return row_.Int(next_++); }
  std::uint64_t Unsigned() { return row_.Unsigned(next_++); }
  bool Flag() { return Int() == 1; }
  std::string Text() { return std::string(row_.Bytes(next_++)); }
  std::string_view Bytes() { return row_.Bytes(next_++); }

 private:
  const SqliteStatement& row_;
  int next_ = 0;
};

class Parameters {
 public:
  explicit Parameters(SqliteStatement& statement) : statement_(statement) {}
  void Int(std::int64_t value) { statement_.Bind(next_++, value); }
  void Unsigned(std::uint64_t value) { statement_.BindUnsigned(next_++, value); }
  void Flag(bool value) { Int(value ? 1 : 0); }
  void Text(std::string_view text) { statement_.BindText(next_++, text); }
  void Bytes(std::string_view bytes) { statement_.BindBytes(next_++, bytes); }

 private:
  SqliteStatement& statement_;
  int next_ = 1;
};

IndexKey ReadKey(Columns& in) {
  IndexKey key;
  key.schema_version = static_cast<int>(in.Int());
  key.root = in.Text();
  key.hidden = in.Flag();
  key.follow = in.Flag();
  key.no_ignore = in.Flag();
  key.backend_id = in.Text();
  key.token_structure = in.Text();
  key.tokenizer_id = in.Text();
  key.casefold = in.Text();
  key.normalization = in.Text();
  return key;
}

void BindKey(const IndexKey& key, Parameters& out) {
  out.Int(key.schema_version);
  out.Bytes(key.root);
  out.Flag(key.hidden);
  out.Flag(key.follow);
  out.Flag(key.no_ignore);
  out.Text(key.backend_id);
  out.Text(key.token_structure);
  out.Text(key.tokenizer_id);
  out.Text(key.casefold);
  out.Text(key.normalization);
}

IndexMeta ReadIndexMeta(Columns& in) {
  IndexMeta meta;
  meta.key = ReadKey(in);
  meta.created_ms = in.Int();
  meta.updated_ms = in.Int();
  meta.accessed_ms = in.Int();
  meta.state = in.Text();
  meta.reason = in.Text();
  meta.coverage_epoch = in.Unsigned();
  meta.enumerate_errors = in.Unsigned();
  meta.policy_hash = in.Text();
  meta.complete = in.Flag();
  meta.clean = in.Flag();
  return meta;
}

void BindIndexMeta(const IndexMeta& meta, Parameters& out) {
  BindKey(meta.key, out);
  out.Int(meta.created_ms);
  out.Int(meta.updated_ms);
  out.Int(meta.accessed_ms);
  out.Text(meta.state);
  out.Text(meta.reason);
  out.Unsigned(meta.coverage_epoch);
  out.Unsigned(meta.enumerate_errors);
  out.Text(meta.policy_hash);
  out.Flag(meta.complete);
  out.Flag(meta.clean);
}

// Whether the row is as it was written.
bool ReadRecord(const SqliteStatement& row, MetaRecord& record) {
  Columns in(row);
  record.meta = ReadIndexMeta(in);
  record.generation = in.Unsigned();
  if (!UnpackPages(in.Bytes(), record.pages)) return false;
  record.segments_digest = in.Unsigned();
  record.dirty_digest = in.Unsigned();
  return in.Unsigned() == ChecksumOf(record);
}

Status RunOnce(SqliteDatabase& db, std::string_view sql, std::uint64_t id) {
  Result<SqliteStatement> statement = db.Prepare(sql);
  if (!statement) return statement.error();
  statement->BindUnsigned(1, id);
  return statement->Run();
}

}  // namespace

namespace {

// SQLite keeps the text and has no checksum of it: a column with another name
// would be missed by the first who writes to it, and a constraint never.
Status CheckSchema(SqliteDatabase& db) {
  const Result<std::string> schema = db.Text(
      "SELECT char(10) || group_concat(sql || ';' || char(10), '') FROM "
      "(SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid)");
  if (!schema) return schema.error();
  if (*schema != kSchema) return Damaged("its tables are not those that were made");
  return {};
}

}  // namespace

Result<bool> HasTables(SqliteDatabase& db) {
  const Result<std::int64_t> application = db.Int("PRAGMA application_id");
  if (!application) return application.error();
  const Result<std::int64_t> version = db.Int("PRAGMA user_version");
  if (!version) return version.error();
  if (*application == kApplicationId && *version == kSchemaVersion) {
    const Status same = CheckSchema(db);
    if (!same) return same.error();
    return true;
  }
  const Result<std::int64_t> tables = db.Int("SELECT count(*) FROM sqlite_master");
  if (!tables) return tables.error();
  if (*tables == 0) return false;
  if (*application != kApplicationId) return Damaged("the file is not an index of forge-search");
  return Damaged("it has version " + std::to_string(*version) + " of the schema, not " +
                 std::to_string(kSchemaVersion));
}

Status CreateTables(SqliteDatabase& db) {
  const Status created = db.Run(kSchema);
  if (!created) return created;
  const std::string header = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                             "; PRAGMA user_version=" + std::to_string(kSchemaVersion);
  return db.Run(header.c_str());
}

Result<std::optional<MetaRecord>> ReadMeta(SqliteDatabase& db) {
  Result<SqliteStatement> select = db.Prepare(kSelectMeta);
  if (!select) return select.error();
  Result<bool> row = select->Step();
  if (!row) return row.error();
  if (!*row) return std::optional<MetaRecord>();
  MetaRecord record;
  if (!ReadRecord(*select, record)) return Damaged("index_meta has the wrong checksum");
  row = select->Step();
  if (!row) return row.error();
  if (*row) return Damaged("index_meta has two rows");
  return std::optional<MetaRecord>(std::move(record));
}

Status WriteMeta(SqliteDatabase& db, const std::string& hash, const MetaRecord& record) {
  Result<SqliteStatement> insert = db.Prepare(kInsertMeta);
  if (!insert) return insert.error();
  const std::string pages = PackPages(record.pages);
  Parameters out(*insert);
  BindIndexMeta(record.meta, out);
  out.Unsigned(record.generation);
  out.Bytes(pages);
  out.Unsigned(record.segments_digest);
  out.Unsigned(record.dirty_digest);
  out.Unsigned(ChecksumOf(record));
  out.Text(hash);
  return insert->Run();
}

Result<SqliteStatement> PrepareReadPage(SqliteDatabase& db) {
  return db.Prepare("SELECT content FROM catalog_pages WHERE page_id = ?");
}

Status ReadPage(SqliteStatement& select, const PageEntry& page, std::vector<CatalogRow>& rows) {
  select.BindUnsigned(1, page.id);
  const Result<bool> row = select.Step();
  if (!row) return row.error();
  if (!*row) return Damaged("a page of the catalog is missing");
  const std::string_view content = select.Bytes(0);
  const std::size_t before = rows.size();
  if (PageChecksum(page.id, content) != page.checksum || !DecodePage(content, rows) ||
      rows.size() - before != page.rows) {
    return Damaged("a page of the catalog has the wrong checksum");
  }
  select.Reset();
  return {};
}

Status WritePage(SqliteDatabase& db, std::uint64_t id, std::string_view content) {
  Result<SqliteStatement> insert = db.Prepare("INSERT OR REPLACE INTO catalog_pages (page_id, content) VALUES (?,?)");
  if (!insert) return insert.error();
  insert->BindUnsigned(1, id);
  insert->BindBytes(2, content);
  return insert->Run();
}

Status DeletePage(SqliteDatabase& db, std::uint64_t id) {
  return RunOnce(db, "DELETE FROM catalog_pages WHERE page_id = ?", id);
}

Status DeletePages(SqliteDatabase& db) { return db.Run("DELETE FROM catalog_pages"); }

Result<std::vector<SegmentRecord>> ReadSegments(SqliteDatabase& db, const MetaRecord& record) {
  Result<SqliteStatement> select =
      db.Prepare("SELECT segment_id, size_bytes, checksum, edges_checksum FROM segments ORDER BY segment_id");
  if (!select) return select.error();
  std::vector<SegmentRecord> segments;
  while (true) {
    const Result<bool> row = select->Step();
    if (!row) return row.error();
    if (!*row) break;
    Columns in(*select);
    const std::uint64_t id = in.Unsigned();
    const std::uint64_t size = in.Unsigned();
    const std::uint64_t checksum = in.Unsigned();
    segments.push_back({static_cast<SegmentId>(id), size, checksum, in.Unsigned()});
  }
  if (DigestOf(segments) != record.segments_digest) return Damaged("the list of segments has the wrong checksum");
  return segments;
}

Status WriteSegments(SqliteDatabase& db, std::span<const SegmentRecord> segments) {
  const Status deleted = db.Run("DELETE FROM segments");
  if (!deleted) return deleted;
  Result<SqliteStatement> insert = db.Prepare("INSERT INTO segments VALUES (?,?,?,?)");
  if (!insert) return insert.error();
  for (const SegmentRecord& segment : segments) {
    Parameters out(*insert);
    out.Unsigned(segment.id);
    out.Unsigned(segment.size);
    out.Unsigned(segment.checksum);
    out.Unsigned(segment.edges_checksum);
    const Status inserted = insert->Run();
    if (!inserted) return inserted;
  }
  return {};
}

Result<std::vector<DirtyEntry>> ReadDirty(SqliteDatabase& db, const MetaRecord& record) {
  Result<SqliteStatement> select =
      db.Prepare("SELECT rel_path, dirty_kind, queued_at_ms FROM dirty_queue ORDER BY rel_path");
  if (!select) return select.error();
  std::vector<DirtyEntry> dirty;
  while (true) {
    const Result<bool> row = select->Step();
    if (!row) return row.error();
    if (!*row) break;
    Columns in(*select);
    DirtyEntry entry;
    entry.path = in.Text();
    entry.subtree = in.Bytes() == "SUBTREE";
    entry.queued_ms = in.Int();
    dirty.push_back(std::move(entry));
  }
  if (DigestOf(dirty) != record.dirty_digest) return Damaged("the dirty queue has the wrong checksum");
  return dirty;
}

Status WriteDirty(SqliteDatabase& db, std::span<const DirtyEntry> dirty) {
  const Status deleted = db.Run("DELETE FROM dirty_queue");
  if (!deleted) return deleted;
  Result<SqliteStatement> insert = db.Prepare("INSERT INTO dirty_queue VALUES (?,?,?)");
  if (!insert) return insert.error();
  for (const DirtyEntry& entry : dirty) {
    Parameters out(*insert);
    out.Bytes(entry.path);
    out.Text(entry.subtree ? "SUBTREE" : "FILE");
    out.Int(entry.queued_ms);
    const Status inserted = insert->Run();
    if (!inserted) return inserted;
  }
  return {};
}

}  // namespace forge::index
