// SQLite, as little of it as the store needs: connections and statements that
// close themselves, and errors that say what to do.
//
//   Result<SqliteDatabase> db = SqliteDatabase::Open(path, SqliteDatabase::Mode::kRead, Deadline::After(250));
//   Result<SqliteStatement> get = db->Prepare("SELECT content FROM catalog_sheets WHERE sheet_id = ?");
//   get->Bind(1, 7);
//   if (Result<bool> row = get->Step(); row && *row) Use(get->Bytes(0));
//
// Values come out as the bytes that are stored, without conversion: the caller compares
// them with a checksum. One thread at a time.
//
// Where another process holds a lock, a call waits until the deadline that was given
// last, and no longer. SQLite alone would wait up to ten seconds for a process that
// was stopped while it changed the index of the log.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/deadline.h"
#include "forge/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace forge::index {

class SqliteStatement {
 public:
  // Parameters count from 1, columns from 0. Bytes are not copied: they must live
  // until the statement has run.
  void Bind(int parameter, std::int64_t value);
  void BindUnsigned(int parameter, std::uint64_t value) { Bind(parameter, static_cast<std::int64_t>(value)); }
  void BindText(int parameter, std::string_view text);
  void BindBytes(int parameter, std::string_view bytes);

  // True for a row, false at the end.
  Result<bool> Step();
  // For statements without rows; it can be bound and run again.
  Status Run();
  void Reset();

  std::int64_t Int(int column) const;
  std::uint64_t Unsigned(int column) const { return static_cast<std::uint64_t>(Int(column)); }
  // Valid until the next step.
  std::string_view Bytes(int column) const;

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}
  void Note(int code);

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bind_error_ = 0;
};

class SqliteDatabase {
 public:
  enum class Mode { kRead, kWrite };

  // The file must exist, and nothing on its path may be a symlink.
  static Result<SqliteDatabase> Open(const std::string& path, Mode mode, const Deadline& patience);
  // For the calls from now on.
  void WaitUntil(const Deadline& patience) { *patience_ = patience; }

  // Statements without parameters, separated by semicolons; rows are dropped.
  Status Run(const char* sql);
  Result<SqliteStatement> Prepare(std::string_view sql);
  // The first column of the first row.
  Result<std::string> Text(std::string_view sql);
  Result<std::int64_t> Int(std::string_view sql);

  // Moves the log into the database, and empties it if no reader is in the way.
  Status Checkpoint();
  // The same, but waits for readers; an error if they stay.
  Status EmptyLog();

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  SqliteDatabase(sqlite3* db, const Deadline& patience) : patience_(std::make_unique<Deadline>(patience)), db_(db) {}
  Status Configure(Mode mode);

  std::unique_ptr<Deadline> patience_;  // SQLite has its address
  std::unique_ptr<sqlite3, Close> db_;
};

// A transaction that is undone unless it was committed.
class SqliteTransaction {
 public:
  static Result<SqliteTransaction> Begin(SqliteDatabase& db, SqliteDatabase::Mode mode);
  SqliteTransaction(SqliteTransaction&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  ~SqliteTransaction();
  Status Commit();

 private:
  explicit SqliteTransaction(SqliteDatabase& db) : db_(&db) {}

  SqliteDatabase* db_;
};

// Why the SQLite that is linked cannot be used; "" if it can.
std::string SqliteProblem();

}  // namespace forge::index
