#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/deadline.h"
#include "index/snapshot/open_segment.h"
#include "index/store/commit_stamp.h"
#include "index/store/committed.h"
#include "index/store/meta_record.h"
#include "index/store/segment_file.h"
#include "index/store/sqlite.h"
#include "index/store/sqlite_tables.h"
#include "index/store/store.h"
#include "index/store/store_errors.h"
#include "index/store/store_files.h"
#include "os/file_lock.h"
#include "os/named_file.h"
#include "os/private_file.h"

namespace forge::index {
namespace {

using Mode = SqliteDatabase::Mode;

class SqliteStore : public Store {
 public:
  SqliteStore(StoreOptions options, IndexKey key, StoreFiles files, os::FileLock use, os::FileLock writer,
              std::string holder)
      : options_(std::move(options)),
        key_(std::move(key)),
        files_(std::move(files)),
        use_(std::move(use)),
        writer_(std::move(writer)),
        holder_(std::move(holder)) {}

  bool writable() const override { return writer_.held(); }
  Error NotWritable() const override;
  Result<std::optional<StoredIndex>> Load() override;
  Result<std::shared_ptr<const Segment>> Open(SegmentId id) override;
  std::string SegmentPath(SegmentId id) const { return files_.folder + "/" + files_.SegmentName(id); }
  Status WriteSegment(SegmentId id, std::string_view image) override;
  Status Commit(const StoreChange& change) override;
  Status Clear() override;
  Status Checkpoint() override;
  void Touch(std::int64_t now_ms) const override { files_.NoteUse(now_ms); }
  std::uint64_t bytes_on_disk() const override { return files_.Bytes(); }

  // Deletes the files that a writer left behind when it died.
  void CollectLeftovers();

 private:
  using Loaded = std::optional<StoredIndex>;

  // What a writer finds when it opens the index.
  enum class Found { kIndex, kNothing, kRest };

  Result<Loaded> LoadOnce(const CommitStamp& stamp, const Deadline& patience);
  Result<Loaded> LoadFrom(SqliteDatabase& db, const CommitStamp& stamp);
  Result<std::optional<MetaRecord>> CheckedMeta(SqliteDatabase& db, const CommitStamp& stamp) const;
  Status CheckIntegrity(SqliteDatabase& db);

  Result<Found> LookAtWhatIsThere(const CommitStamp& stamp, std::vector<SegmentId>& named);
  Status OpenForWriting(const Deadline& patience);
  Status MakeKnown();
  Result<Committed> Write(const StoreChange& change);
  Error Explained(const Error& error) const;
  bool Use(os::LockMode mode, std::int64_t timeout_ms);
  Status RemoveAllContent();
  Status ClearInPlace();

  StoreOptions options_;
  IndexKey key_;
  StoreFiles files_;
  os::FileLock use_;
  os::FileLock writer_;
  std::string holder_;  // the process that has the writer's lock, if we wanted it
  // The connection of a writer. A reader connects for one load only, because a
  // writer may replace the files. Declared after the locks, so that it closes
  // before they are released.
  std::optional<SqliteDatabase> db_;
  bool checked_ = false;   // SQLite's own check, once for each writer
  bool log_grew_ = false;  // since the last checkpoint
  std::optional<Committed> known_;
  WrittenSegments written_;
};

Error SqliteStore::NotWritable() const {
  if (holder_.empty()) return Locked("this process may only read " + files_.hash.substr(0, 12));
  return Locked(holder_ + " writes it");
}

Result<std::optional<StoredIndex>> SqliteStore::Load() {
  // A writer may clear and fill the index while we read; if something seems wrong
  // then, we read again.
  constexpr int kAttempts = 3;
  const Deadline patience = options_.patience();
  for (int attempt = 1;; ++attempt) {
    const Result<CommitStamp> stamp = ReadStamp(files_.stamp());
    if (!stamp) return stamp.error();
    Result<Loaded> loaded = LoadOnce(*stamp, patience);
    if (loaded && loaded->has_value()) return loaded;
    if (!loaded && loaded.error().code != ErrorCode::kDamaged) return loaded;
    const Result<CommitStamp> now = ReadStamp(files_.stamp());
    if (attempt == kAttempts || !now || *now == *stamp) return loaded;
  }
}

Result<std::optional<StoredIndex>> SqliteStore::LoadOnce(const CommitStamp& stamp, const Deadline& patience) {
  known_.reset();
  if (!files_.HasDatabase()) return Loaded();
  if (writable()) {
    Status opened = OpenForWriting(patience);
    if (!opened) return opened.error();
    return LoadFrom(*db_, stamp);
  }
  if (const Status kinds = files_.CheckKinds(); !kinds) return kinds.error();
  Result<SqliteDatabase> db = SqliteDatabase::Open(files_.database(), Mode::kRead, patience);
  if (!db) return db.error();
  return LoadFrom(*db, stamp);
}

Result<std::optional<StoredIndex>> SqliteStore::LoadFrom(SqliteDatabase& db, const CommitStamp& stamp) {
  Result<SqliteTransaction> transaction = SqliteTransaction::Begin(db, Mode::kRead);
  if (!transaction) return transaction.error();
  const Status checked = CheckIntegrity(db);
  if (!checked) return checked.error();
  Result<std::optional<MetaRecord>> record = CheckedMeta(db, stamp);
  if (!record) return record.error();
  if (!*record) return Loaded();
  StoredIndex index;
  Result<Committed> known = ReadCommitted(db, std::move(**record), index);
  if (!known) return known.error();
  known_ = std::move(*known);
  return Loaded(std::move(index));
}

// For writers only. What we read has its own checksums, but SQLite's free list has
// none, and writing with a wrong one would spread the damage.
Status SqliteStore::CheckIntegrity(SqliteDatabase& db) {
  if (!options_.integrity_check || !writable() || checked_) return {};
  const Result<std::string> answer = db.Text("PRAGMA integrity_check(1)");
  if (!answer) return answer.error();
  if (*answer != "ok") return Damaged(*answer);
  checked_ = true;
  return {};
}

Result<std::optional<MetaRecord>> SqliteStore::CheckedMeta(SqliteDatabase& db, const CommitStamp& stamp) const {
  const Result<Tables> tables = LookAtTables(db);
  if (!tables) return tables.error();
  std::optional<MetaRecord> record;
  if (IsForeign(*tables)) return record;
  if (*tables == Tables::kOurs) {
    Result<std::optional<MetaRecord>> read = ReadMeta(db);
    if (!read) return read.error();
    record = std::move(*read);
  }
  if (!record) {
    if (!stamp.cleared) return Damaged("the committed data is missing");
    return record;
  }
  if (record->generation < stamp.generation) {
    // A process died while it cleared the index.
    if (stamp.cleared) return std::optional<MetaRecord>();
    return Damaged("the last commit is lost");
  }
  if (record->meta.key != key_) return Damaged("it belongs to another key: " + Mismatch(record->meta.key, key_));
  return record;
}

Result<std::shared_ptr<const Segment>> SqliteStore::Open(SegmentId id) {
  const SegmentRecord* record = nullptr;
  if (known_) {
    for (const SegmentRecord& segment : known_->segments) {
      if (segment.id == id) record = &segment;
    }
  }
  if (const auto pending = written_.find(id); pending != written_.end()) record = &pending->second;
  if (record == nullptr) return ExecutionFailed("the index has no segment " + std::to_string(id));
  Result<std::unique_ptr<SegmentBytes>> bytes = OpenSegmentFile(files_, *record, options_.integrity_check);
  if (bytes) return OpenSegment(std::move(*bytes));
  // A writer elsewhere deletes segments that its commits no longer name.
  if (!writable()) {
    const Result<CommitStamp> stamp = ReadStamp(files_.stamp());
    if (stamp && known_ && stamp->generation != known_->record.generation) {
      return Locked("the index has changed since it was loaded");
    }
  }
  return bytes.error();
}

Status SqliteStore::WriteSegment(SegmentId id, std::string_view image) {
  if (!writable()) return NotWritable();
  Result<SegmentRecord> record = WriteSegmentFile(files_, id, image);
  if (!record) return record.error();
  written_[id] = *record;
  return {};
}

Status SqliteStore::OpenForWriting(const Deadline& patience) {
  if (db_) {
    db_->WaitUntil(patience);
    return {};
  }
  if (Status kinds = files_.CheckKinds(); !kinds) return kinds;
  {
    // We make the file, because SQLite would let others read it. SQLite's helper files
    // get the permissions of the database. It is closed before SQLite opens it: closing
    // it later would drop SQLite's locks.
    const os::OsResult<os::Fd> file = os::OpenPrivateFile(files_.database());
    if (!file.ok()) return SystemError("cannot open " + files_.database(), file.error());
  }
  Result<SqliteDatabase> db = SqliteDatabase::Open(files_.database(), Mode::kWrite, patience);
  if (!db) return db.error();
  db_ = std::move(*db);
  return {};
}

// Loads what the next change applies to, unless it is known.
Status SqliteStore::MakeKnown() {
  if (known_) return {};
  const Result<Loaded> loaded = Load();
  if (!loaded) return loaded.error();
  if (known_) return {};
  const Result<CommitStamp> stamp = ReadStamp(files_.stamp());
  if (!stamp) return stamp.error();
  known_.emplace();
  known_->record.generation = stamp->generation;
  known_->record.segments_digest = DigestOf(known_->segments);
  return {};
}

Status SqliteStore::Commit(const StoreChange& change) {
  if (!writable()) return NotWritable();
  Status ready = MakeKnown();
  if (ready) ready = OpenForWriting(options_.patience());
  if (!ready) return Explained(ready.error());
  Result<Committed> next = Write(change);
  if (!next) {
    known_.reset();
    return Explained(next.error());
  }
  known_ = std::move(*next);
  log_grew_ = true;
  // The commit stands even if this fails; only a later loss would go unnoticed.
  static_cast<void>(WriteStamp(files_.stamp(), {known_->record.generation, false}));
  for (const SegmentId id : change.new_segments) written_.erase(id);
  for (const SegmentId id : change.dropped_segments) {
    os::RemoveFile(SegmentPath(id));
  }
  return {};
}

// SQLite forgets why the system refused a write, unless the disk is full. A quota or a
// limit on the size of files is no different for us, so we ask the system again.
Error SqliteStore::Explained(const Error& error) const {
  if (error.code != ErrorCode::kNone) return error;
  constexpr std::size_t kSome = 1 << 16;
  const os::OsResult<bool> written = os::TryWriting(files_.folder, kSome);
  return !written.ok() && IsOutOfSpace(written.error().code) ? DiskFull(written.error().message()) : error;
}

Result<Committed> SqliteStore::Write(const StoreChange& change) {
  Result<SqliteTransaction> transaction = SqliteTransaction::Begin(*db_, Mode::kWrite);
  if (!transaction) return transaction.error();
  const Result<Tables> tables = LookAtTables(*db_);
  if (!tables) return tables.error();
  if (IsForeign(*tables)) return Damaged("another version of forge-search wrote to it");
  if (const Status made = *tables == Tables::kOurs ? Status() : CreateTables(*db_); !made) return made.error();
  Result<Committed> next = WriteChange(*db_, key_, change, written_, *known_);
  if (!next) return next;
  if (const Status done = transaction->Commit(); !done) return done.error();
  return next;
}

// While there are readers we empty the tables instead of replacing the files: a
// reader might see the old database with the new log. Its checksums would tell, but
// it would take that for damage. A damaged database can only be replaced.
Status SqliteStore::Clear() {
  if (!writable()) return NotWritable();
  const Result<CommitStamp> stamp = ReadStamp(files_.stamp());
  std::uint64_t generation = stamp ? stamp->generation : 0;
  if (known_) generation = std::max(generation, known_->record.generation);
  // First the stamp: if the process dies after it, what remains counts as nothing, and
  // the next writer removes it.
  Status stamped = WriteStamp(files_.stamp(), {generation + 1, true});
  if (!stamped) return stamped;
  known_.reset();
  written_.clear();
  return RemoveAllContent();
}

Status SqliteStore::RemoveAllContent() {
  const bool alone = Use(os::LockMode::kExclusive, 0);
  if (alone || !ClearInPlace()) {
    db_.reset();
    checked_ = false;
    files_.RemoveContent();
  }
  if (!alone) files_.RemoveUnnamed({});
  if (!Use(os::LockMode::kShared, options_.lock_timeout_ms)) return Locked("it is in use");
  return {};
}

// No other process can delete the index meanwhile: that needs the writer's lock,
// which we hold.
bool SqliteStore::Use(os::LockMode mode, std::int64_t timeout_ms) {
  use_.Release();
  os::OsResult<os::FileLock> lock = os::FileLock::Take(files_.use(), mode, Deadline::After(timeout_ms));
  if (lock.ok()) use_ = std::move(*lock);
  return use_.held();
}

Status SqliteStore::ClearInPlace() {
  if (!files_.HasDatabase()) return {};
  Status opened = OpenForWriting(options_.patience());
  if (!opened) return opened;
  const Result<std::string> answer = db_->Text("PRAGMA integrity_check(1)");
  if (!answer) return answer.error();
  if (*answer != "ok") return Damaged(*answer);
  {
    Result<SqliteTransaction> transaction = SqliteTransaction::Begin(*db_, Mode::kWrite);
    if (!transaction) return transaction.error();
    const Result<Tables> tables = LookAtTables(*db_);
    if (!tables) return tables.error();
    if (IsForeign(*tables)) return Damaged("another version of forge-search wrote it");
    Status done = *tables == Tables::kNone
                      ? Status()
                      : db_->Run("DELETE FROM index_meta; DELETE FROM catalog_sheets; DELETE FROM segments");
    if (done) done = transaction->Commit();
    if (!done) return done;
  }
  // The log still has what was deleted.
  return db_->EmptyLog();
}

Status SqliteStore::Checkpoint() {
  if (!writable()) return NotWritable();
  if (!db_ || !log_grew_) return {};
  Status done = db_->Checkpoint();
  if (done) log_grew_ = false;
  return done;
}

Result<SqliteStore::Found> SqliteStore::LookAtWhatIsThere(const CommitStamp& stamp, std::vector<SegmentId>& named) {
  Result<SqliteTransaction> transaction = SqliteTransaction::Begin(*db_, Mode::kRead);
  if (!transaction) return transaction.error();
  const Result<Tables> tables = LookAtTables(*db_);
  if (!tables) return tables.error();
  if (IsForeign(*tables)) return Found::kRest;
  const Result<std::optional<MetaRecord>> record = CheckedMeta(*db_, stamp);
  if (!record) return record.error();
  if (!*record) return *tables == Tables::kOurs ? Found::kRest : Found::kNothing;
  const Result<std::vector<SegmentRecord>> segments = ReadSegments(*db_, **record);
  if (!segments) return segments.error();
  for (const SegmentRecord& segment : *segments) named.push_back(segment.id);
  return Found::kIndex;
}

void SqliteStore::CollectLeftovers() {
  if (!files_.HasDatabase()) return files_.RemoveContent();
  const Result<CommitStamp> stamp = ReadStamp(files_.stamp());
  if (!stamp || !OpenForWriting(options_.patience())) return;
  std::vector<SegmentId> named;
  const Result<Found> found = LookAtWhatIsThere(*stamp, named);
  if (!found) return;  // damaged: it will be cleared
  if (*found == Found::kRest) {
    static_cast<void>(Clear());  // else the next writer does
  } else {
    files_.RemoveUnnamed(named);
  }
}

std::string HolderOf(const std::string& lock) {
  const std::int64_t number = os::FileLock::SignerOf(lock);
  return number == 0 ? "another process" : "process " + std::to_string(number);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options, const IndexKey& key, bool write) {
  const auto folder = os::CanonicalPath(options.folder);
  if (!folder.ok()) return SystemError("cannot use the index folder " + options.folder, folder.error());
  StoreFiles files{*folder, HashOf(key)};
  const Deadline deadline = options.patience();
  os::OsResult<os::FileLock> use = os::FileLock::Take(files.use(), os::LockMode::kShared, deadline);
  if (!use.ok() && use.error().code == EAGAIN) return Locked("it is being deleted");
  if (!use.ok()) return SystemError("cannot open " + files.use(), use.error());
  os::FileLock writer;
  std::string holder;
  if (write) {
    os::OsResult<os::FileLock> lock = os::FileLock::Take(files.lock(), os::LockMode::kExclusive, deadline);
    if (!lock.ok() && lock.error().code != EAGAIN) return SystemError("cannot open " + files.lock(), lock.error());
    if (lock.ok()) {
      writer = std::move(*lock);
      writer.Sign();
    } else {
      holder = HolderOf(files.lock());
    }
  }
  auto store = std::make_unique<SqliteStore>(options, key, std::move(files), std::move(*use), std::move(writer),
                                             std::move(holder));
  if (store->writable()) store->CollectLeftovers();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace forge::index
