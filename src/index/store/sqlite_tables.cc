#include "index/store/sqlite_tables.h"

#include "base/names.h"
#include "index/catalog/catalog_sheet.h"
#include "index/store/store_errors.h"

namespace forge::index {
namespace {

constexpr std::int64_t kApplicationId = 0x46534958;  // "FSIX"

// Paths are blobs: a name need not be UTF-8, and two names may become equal
// when converted (E24).
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
  unicode_normalization TEXT NOT NULL CHECK (unicode_normalization IN ('NONE','NFC')),
  implementation_version TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_updated_at_ms INTEGER NOT NULL,
  last_accessed_at_ms INTEGER NOT NULL,
  safety_state TEXT NOT NULL CHECK (
    safety_state IN ('ABSENT','BUILDING','COMPLETE','UNCERTAIN','CORRUPT','DISABLED')),
  uncertain_reason TEXT NOT NULL,
  coverage_epoch INTEGER NOT NULL,
  policy_hash TEXT NOT NULL,
  generation INTEGER NOT NULL,
  catalog_sheets BLOB NOT NULL,
  segments_digest INTEGER NOT NULL,
  row_checksum INTEGER NOT NULL
);
CREATE TABLE catalog_sheets (sheet_id INTEGER PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE segments (
  segment_id INTEGER PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  edges_checksum INTEGER NOT NULL
);
)";

constexpr std::string_view kSelectMeta =
    "SELECT schema_version, root_path_canon, signature_hidden, signature_follow, signature_no_ignore, backend_id, "
    "token_structure, tokenizer_id, casefold_strategy, unicode_normalization, implementation_version, created_at_ms, "
    "last_updated_at_ms, last_accessed_at_ms, safety_state, uncertain_reason, coverage_epoch, "
    "policy_hash, generation, catalog_sheets, segments_digest, row_checksum "
    "FROM index_meta";

constexpr std::string_view kInsertMeta =
    "INSERT OR REPLACE INTO index_meta (schema_version, root_path_canon, signature_hidden, signature_follow, "
    "signature_no_ignore, backend_id, token_structure, tokenizer_id, casefold_strategy, unicode_normalization, "
    "implementation_version, created_at_ms, last_updated_at_ms, last_accessed_at_ms, safety_state, uncertain_reason, "
    "coverage_epoch, policy_hash, generation, catalog_sheets, segments_digest, row_checksum, "
    "index_key_hash) "
    "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

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

// Reads a word that must belong to a closed set.
template <typename Enum>
bool Take(std::optional<Enum> word, Enum& out) {
  if (word) out = *word;
  return word.has_value();
}

bool ReadKey(Columns& in, IndexKey& key) {
  key.schema_version = static_cast<int>(in.Int());
  key.root = in.Text();
  key.traversal.hidden = in.Flag();
  key.traversal.follow = in.Flag();
  key.traversal.no_ignore = in.Flag();
  key.backend_id = in.Text();
  bool known = Take(FromName<TokenStructure>(in.Bytes()), key.token_structure);
  key.tokenizer_id = in.Text();
  known &= Take(CasefoldNamed(in.Bytes()), key.casefold);
  known &= Take(NormalizationNamed(in.Bytes()), key.normalization);
  key.implementation = in.Text();
  return known;
}

void BindKey(const IndexKey& key, Parameters& out) {
  out.Int(key.schema_version);
  out.Bytes(key.root);
  out.Flag(key.traversal.hidden);
  out.Flag(key.traversal.follow);
  out.Flag(key.traversal.no_ignore);
  out.Text(key.backend_id);
  out.Text(Name(key.token_structure));
  out.Text(key.tokenizer_id);
  out.Text(ToString(key.casefold));
  out.Text(ToString(key.normalization));
  out.Text(key.implementation);
}

bool ReadIndexMeta(Columns& in, IndexMeta& meta) {
  bool known = ReadKey(in, meta.key);
  meta.created_ms = in.Int();
  meta.updated_ms = in.Int();
  meta.accessed_ms = in.Int();
  known &= Take(FromName<State>(in.Bytes()), meta.state);
  known &= Take(FromName<Reason>(in.Bytes()), meta.reason);
  meta.coverage_epoch = in.Unsigned();
  meta.policy_hash = in.Text();
  return known;
}

void BindIndexMeta(const IndexMeta& meta, Parameters& out) {
  BindKey(meta.key, out);
  out.Int(meta.created_ms);
  out.Int(meta.updated_ms);
  out.Int(meta.accessed_ms);
  out.Text(Name(meta.state));
  out.Text(Name(meta.reason));
  out.Unsigned(meta.coverage_epoch);
  out.Text(meta.policy_hash);
}

// Whether the row is as it was written.
bool ReadRecord(const SqliteStatement& row, MetaRecord& record) {
  Columns in(row);
  const bool known = ReadIndexMeta(in, record.meta);
  record.generation = in.Unsigned();
  if (!known || !UnpackSheets(in.Bytes(), record.sheets)) return false;
  record.segments_digest = in.Unsigned();
  return in.Unsigned() == ChecksumOf(record);
}

Status RunOnce(SqliteDatabase& db, std::string_view sql, std::uint64_t id) {
  Result<SqliteStatement> statement = db.Prepare(sql);
  if (!statement) return statement.error();
  statement->BindUnsigned(1, id);
  return statement->Run();
}

// SQLite keeps the text of the schema without a checksum. Without this check,
// only the first write would notice that a column has another name, and no code
// would ever notice that a constraint is missing.
Status CheckSchema(SqliteDatabase& db) {
  const Result<std::string> schema = db.Text(
      "SELECT char(10) || group_concat(sql || ';' || char(10), '') FROM "
      "(SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid)");
  if (!schema) return schema.error();
  if (*schema != kSchema) return Damaged("its tables are not those that forge-search made");
  return {};
}

}  // namespace

Result<Tables> LookAtTables(SqliteDatabase& db) {
  const Result<std::int64_t> application = db.Int("PRAGMA application_id");
  if (!application) return application.error();
  const Result<std::int64_t> version = db.Int("PRAGMA user_version");
  if (!version) return version.error();
  if (*application == kApplicationId && *version == kSchemaVersion) {
    const Status same = CheckSchema(db);
    if (!same) return same.error();
    return Tables::kOurs;
  }
  const Result<std::int64_t> tables = db.Int("SELECT count(*) FROM sqlite_master");
  if (!tables) return tables.error();
  if (*tables == 0) return Tables::kNone;
  if (*application != kApplicationId) return Damaged("the file is not an index of forge-search");
  return *version < kSchemaVersion ? Tables::kOlder : Tables::kNewer;
}

Status CreateTables(SqliteDatabase& db) {
  Status created = db.Run(kSchema);
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
  const std::string sheets = PackSheets(record.sheets);
  Parameters out(*insert);
  BindIndexMeta(record.meta, out);
  out.Unsigned(record.generation);
  out.Bytes(sheets);
  out.Unsigned(record.segments_digest);
  out.Unsigned(ChecksumOf(record));
  out.Text(hash);
  return insert->Run();
}

Result<SqliteStatement> PrepareReadSheet(SqliteDatabase& db) {
  return db.Prepare("SELECT content FROM catalog_sheets WHERE sheet_id = ?");
}

Status ReadSheet(SqliteStatement& select, const SheetEntry& sheet, std::vector<CatalogRow>& rows) {
  select.BindUnsigned(1, sheet.id);
  const Result<bool> row = select.Step();
  if (!row) return row.error();
  if (!*row) return Damaged("a sheet of the catalog is missing");
  const std::string_view content = select.Bytes(0);
  const std::size_t before = rows.size();
  if (SheetChecksum(sheet.id, content) != sheet.checksum || !DecodeSheet(content, rows) ||
      rows.size() - before != sheet.rows) {
    return Damaged("a sheet of the catalog has the wrong checksum");
  }
  select.Reset();
  return {};
}

Status WriteSheet(SqliteDatabase& db, std::uint64_t id, std::string_view content) {
  Result<SqliteStatement> insert = db.Prepare("INSERT OR REPLACE INTO catalog_sheets (sheet_id, content) VALUES (?,?)");
  if (!insert) return insert.error();
  insert->BindUnsigned(1, id);
  insert->BindBytes(2, content);
  return insert->Run();
}

Status DeleteSheet(SqliteDatabase& db, std::uint64_t id) {
  return RunOnce(db, "DELETE FROM catalog_sheets WHERE sheet_id = ?", id);
}

Status DeleteSheets(SqliteDatabase& db) { return db.Run("DELETE FROM catalog_sheets"); }

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
  Status deleted = db.Run("DELETE FROM segments");
  if (!deleted) return deleted;
  Result<SqliteStatement> insert = db.Prepare("INSERT INTO segments VALUES (?,?,?,?)");
  if (!insert) return insert.error();
  for (const SegmentRecord& segment : segments) {
    Parameters out(*insert);
    out.Unsigned(segment.id);
    out.Unsigned(segment.size);
    out.Unsigned(segment.checksum);
    out.Unsigned(segment.edges_checksum);
    Status inserted = insert->Run();
    if (!inserted) return inserted;
  }
  return {};
}

}  // namespace forge::index
