#include "index/store/sqlite.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "index/store/store_errors.h"

namespace forge::index {
namespace {

// The system's error, if the last system call of SQLite failed.
bool IsFull(int code, int system_error) {
  // SQLITE_IOERR_SHMSIZE: the shared memory cannot grow; the system's error is lost.
  if ((code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_SHMSIZE) return true;
  return (code & 0xFF) == SQLITE_IOERR && IsOutOfSpace(system_error);
}

// Our statements are constants. So if SQLite finds one wrong, the schema is not the one
// that we wrote: the file is damaged.
bool IsDamageCode(int code) {
  switch (code) {
    case SQLITE_IOERR_SHORT_READ:
    case SQLITE_IOERR_CORRUPTFS:
    case SQLITE_IOERR_DATA:
    case SQLITE_READONLY:  // the header says so; the file's permissions do not
    case SQLITE_READONLY_DBMOVED: return true;
    default: break;
  }
  switch (code & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
    case SQLITE_SCHEMA:
    case SQLITE_FORMAT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH: return true;
    default: return false;
  }
}

bool IsLockCode(int code) {
  const int kind = code & 0xFF;
  return kind == SQLITE_BUSY || kind == SQLITE_LOCKED || kind == SQLITE_PROTOCOL;
}

Error ErrorOf(sqlite3* db, int code) {
  const int extended = db == nullptr ? code : sqlite3_extended_errcode(db);
  const std::string text = db == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(db);
  if (IsFull(extended, db == nullptr ? 0 : sqlite3_system_errno(db))) return DiskFull(text);
  if (IsLockCode(extended)) return Locked(text);
  if (IsDamageCode(extended)) return Damaged(text);
  // A reader may not undo what a writer left half-done.
  if ((extended & 0xFF) == SQLITE_READONLY) {
    return ExecutionFailed("its last writer was interrupted; the next server or `index build` repairs it");
  }
  return ExecutionFailed("the index database cannot be used: " + text);
}

Status StatusOf(sqlite3* db, int code) {
  if (code == SQLITE_OK) return {};
  return ErrorOf(db, code);
}

// SQLite asks this when another process holds a lock: 0 gives up.
int Wait(void* patience, int attempt) {
  const auto& deadline = *static_cast<const Deadline*>(patience);
  if (deadline.over()) return 0;
  constexpr int kLongestMs = 16;
  const int pause_ms = std::min(attempt < 4 ? 1 << attempt : kLongestMs, std::max(deadline.PollTimeout(), 1));
  std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
  return 1;
}

// A process that was stopped while it changed the index of the log leaves it half
// written. SQLite then looks a hundred times, with longer and longer pauses, ten
// seconds in all, and asks no busy handler. With these pauses it takes 0.1 s.
int SleepShortly(sqlite3_vfs* /*vfs*/, int microseconds) {
  constexpr int kLongest = 1000;
  sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
  return usual->xSleep(usual, std::min(microseconds, kLongest));
}

// The usual access to files, with shorter pauses.
const char* OurVfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *sqlite3_vfs_find(nullptr);
    copy.zName = "forge-search";
    copy.pNext = nullptr;
    copy.xSleep = SleepShortly;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? vfs.zName : nullptr;
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void SqliteStatement::Note(int code) {
  if (bind_error_ == SQLITE_OK) bind_error_ = code;
}

void SqliteStatement::Bind(int parameter, std::int64_t value) {
  Note(sqlite3_bind_int64(statement_.get(), parameter, value));
}

void SqliteStatement::BindText(int parameter, std::string_view text) {
  // A null pointer would be stored as NULL.
  const char* bytes = text.empty() ? "" : text.data();
  Note(sqlite3_bind_text64(statement_.get(), parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void SqliteStatement::BindBytes(int parameter, std::string_view bytes) {
  const char* data = bytes.empty() ? "" : bytes.data();
  Note(sqlite3_bind_blob64(statement_.get(), parameter, data, bytes.size(), SQLITE_STATIC));
}

Result<bool> SqliteStatement::Step() {
  sqlite3* db = sqlite3_db_handle(statement_.get());
  if (bind_error_ != SQLITE_OK) return ErrorOf(db, bind_error_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return ErrorOf(db, code);
}

Status SqliteStatement::Run() {
  const Result<bool> stepped = Step();
  Reset();
  if (!stepped) return stepped.error();
  return {};
}

void SqliteStatement::Reset() {
  sqlite3_reset(statement_.get());
  bind_error_ = SQLITE_OK;
}

std::int64_t SqliteStatement::Int(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string_view SqliteStatement::Bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void SqliteDatabase::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<SqliteDatabase> SqliteDatabase::Open(const std::string& path, Mode mode, const Deadline& patience) {
  sqlite3* raw = nullptr;
  const int access = mode == Mode::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const int code = sqlite3_open_v2(path.c_str(), &raw, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, OurVfs());
  SqliteDatabase db(raw, patience);
  if (code != SQLITE_OK) return ErrorOf(raw, code);
  const Status configured = db.Configure(mode);
  if (!configured) return configured.error();
  return db;
}

// We believe nothing that the file says: its schema may not call functions, and SQLite
// checks cells before it uses them. No mmap: if the file is cut short while it is
// mapped, the process dies.
Status SqliteDatabase::Configure(Mode mode) {
  sqlite3_extended_result_codes(db_.get(), 1);
  sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_busy_handler(db_.get(), Wait, patience_.get());
  Status common = Run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0");
  if (!common || mode == Mode::kRead) return common;
  // page_size counts only for a new file. secure_delete: what was cleared is not left
  // in free pages (SEC-LSI-02). An idle indexer moves the log into the database
  // (FR-LSI-BG-13.5); the automatic limit is for one that is never idle.
  Status set = Run("PRAGMA page_size=8192; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=4000");
  if (!set) return set;
  const Result<std::string> journal = Text("PRAGMA journal_mode=WAL");
  if (!journal) return journal.error();
  // With a log, NORMAL keeps the database whole, though a power failure may lose the
  // last commits. Without one, only FULL keeps it whole.
  return Run(*journal == "wal" ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL");
}

Status SqliteDatabase::Run(const char* sql) {
  return StatusOf(db_.get(), sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr));
}

Result<SqliteStatement> SqliteDatabase::Prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  if (code != SQLITE_OK) return ErrorOf(db_.get(), code);
  return SqliteStatement(raw);
}

Result<std::string> SqliteDatabase::Text(std::string_view sql) {
  Result<SqliteStatement> statement = Prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->Step();
  if (!row) return row.error();
  if (!*row) return Damaged("SQLite gave no answer to " + std::string(sql));
  return std::string(statement->Bytes(0));
}

Result<std::int64_t> SqliteDatabase::Int(std::string_view sql) {
  Result<SqliteStatement> statement = Prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->Step();
  if (!row) return row.error();
  if (!*row) return Damaged("SQLite gave no answer to " + std::string(sql));
  return statement->Int(0);
}

Status SqliteDatabase::Checkpoint() {
  // This never waits for a reader: frames that a reader still needs stay in the log.
  const int code = sqlite3_wal_checkpoint_v2(db_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (code != SQLITE_OK) return ErrorOf(db_.get(), code);
  WaitUntil(Deadline::After(0));
  const Status cut = EmptyLog();
  return cut || cut.error().code == ErrorCode::kLocked ? Status() : cut;
}

Status SqliteDatabase::EmptyLog() {
  return StatusOf(db_.get(),
                  sqlite3_wal_checkpoint_v2(db_.get(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr));
}

Result<SqliteTransaction> SqliteTransaction::Begin(SqliteDatabase& db, SqliteDatabase::Mode mode) {
  const Status begun = db.Run(mode == SqliteDatabase::Mode::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
  if (!begun) return begun.error();
  return SqliteTransaction(db);
}

SqliteTransaction::~SqliteTransaction() {
  // If an error ended the transaction already, this fails, and nothing is lost.
  if (db_ != nullptr) static_cast<void>(db_->Run("ROLLBACK"));
}

Status SqliteTransaction::Commit() {
  Status committed = db_->Run("COMMIT");
  if (committed) db_ = nullptr;
  return committed;
}

std::string SqliteProblem() {
  constexpr int kOldest = 3031000;  // SQLITE_OPEN_NOFOLLOW
  if (sqlite3_libversion_number() < kOldest) {
    return std::string("SQLite ") + sqlite3_libversion() + " is too old, 3.31 is needed";
  }
  if (sqlite3_threadsafe() == 0) return "SQLite was built without support for threads";
  return "";
}

}  // namespace forge::index
