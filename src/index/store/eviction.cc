#include <algorithm>
#include <tuple>

#include "base/deadline.h"
#include "index/store/sqlite.h"
#include "index/store/sqlite_tables.h"
#include "index/store/store.h"
#include "index/store/store_errors.h"
#include "index/store/store_files.h"
#include "os/file_lock.h"

namespace forge::index {
namespace {

Result<MetaRecord> ReadMetaOf(const StoreFiles& files, std::int64_t timeout_ms) {
  Result<SqliteDatabase> db = SqliteDatabase::Open(files.database(), SqliteDatabase::Mode::kRead, timeout_ms);
  if (!db) return db.error();
  const Result<bool> tables = HasTables(*db);
  if (!tables) return tables.error();
  if (!*tables) return ExecutionFailed("nothing was committed yet");
  Result<std::optional<MetaRecord>> record = ReadMeta(*db);
  if (!record) return record.error();
  if (!*record) return ExecutionFailed("nothing was committed yet");
  return std::move(**record);
}

// Whether `a` is deleted before `b` (FR-LSI-IDX-RM-02). An index that cannot be read
// has no time of use, so it counts as the oldest.
bool GoesFirst(const StoredSummary& a, const StoredSummary& b) {
  return std::tuple(a.meta.accessed_ms, b.bytes, a.hash) < std::tuple(b.meta.accessed_ms, a.bytes, b.hash);
}

// Deletes an index unless a process has it open; the locks keep others from opening it
// meanwhile (FR-LSI-IDX-RM-03).
bool Delete(const StoreFiles& files) {
  const Deadline now = Deadline::After(0);
  const os::OsResult<os::FileLock> use = os::FileLock::Take(files.use(), os::LockMode::kExclusive, now);
  if (!use.ok()) return false;
  const os::OsResult<os::FileLock> writer = os::FileLock::Take(files.lock(), os::LockMode::kExclusive, now);
  if (!writer.ok()) return false;
  files.RemoveAll();
  return !files.HasDatabase();
}

}  // namespace

std::vector<StoredSummary> ListStored(const StoreOptions& options) {
  std::vector<StoredSummary> stored;
  for (const std::string& hash : StoredHashes(options.folder)) {
    const StoreFiles files{options.folder, hash};
    StoredSummary summary;
    summary.hash = hash;
    Result<MetaRecord> record = ReadMetaOf(files, options.lock_timeout_ms);
    if (record) {
      summary.files = record->files();
      summary.meta = std::move(record->meta);
    } else {
      if (!files.HasDatabase()) continue;  // deleted meanwhile
      summary.problem = record.error().message;
    }
    summary.bytes = files.Bytes();
    stored.push_back(std::move(summary));
  }
  return stored;
}

std::vector<std::string> Evict(const StoreOptions& options, std::uint64_t max_bytes, std::uint64_t max_indexes,
                               const std::string& keep) {
  std::vector<StoredSummary> stored = ListStored(options);
  std::sort(stored.begin(), stored.end(), GoesFirst);
  std::uint64_t bytes = 0;
  for (const StoredSummary& summary : stored) bytes += summary.bytes;
  std::uint64_t count = stored.size();
  std::vector<std::string> deleted;
  for (const StoredSummary& summary : stored) {
    if (bytes <= max_bytes && count <= max_indexes) break;
    if (summary.hash == keep || !Delete({options.folder, summary.hash})) continue;
    bytes -= summary.bytes;
    --count;
    deleted.push_back(summary.hash);
  }
  return deleted;
}

}  // namespace forge::index
