#include <algorithm>
#include <optional>
#include <tuple>

#include "base/deadline.h"
#include "base/path.h"
#include "index/store/sqlite.h"
#include "index/store/sqlite_tables.h"
#include "index/store/store.h"
#include "index/store/store_errors.h"
#include "index/store/store_files.h"
#include "os/file_lock.h"

namespace forge::index {
namespace {

struct ReadIndex {
  Tables tables = Tables::kNone;
  std::optional<MetaRecord> record;
};

Result<ReadIndex> ReadMetaOf(const StoreFiles& files, const Deadline& patience) {
  if (const Status kinds = files.CheckKinds(); !kinds) return kinds.error();
  Result<SqliteDatabase> db = SqliteDatabase::Open(files.database(), SqliteDatabase::Mode::kRead, patience);
  if (!db) return db.error();
  const Result<Tables> tables = LookAtTables(*db);
  if (!tables) return tables.error();
  if (*tables != Tables::kOurs) return ReadIndex{*tables, std::nullopt};
  Result<std::optional<MetaRecord>> record = ReadMeta(*db);
  if (!record) return record.error();
  return ReadIndex{Tables::kOurs, std::move(*record)};
}

// Whether `a` is deleted before `b` (FR-LSI-IDX-RM-02). An index that cannot be read
// has no time of use, so it counts as the oldest.
bool GoesFirst(const StoredSummary& a, const StoredSummary& b) {
  return std::tuple(a.used_ms, b.bytes, a.hash) < std::tuple(b.used_ms, a.bytes, b.hash);
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

bool Overlap(const std::string& a, const std::string& b) { return IsWithin(a, b) || IsWithin(b, a); }

}  // namespace

std::vector<StoredSummary> ListStored(const StoreOptions& options) {
  std::vector<StoredSummary> stored;
  const Deadline patience = options.patience();
  for (const std::string& hash : StoredHashes(options.folder)) {
    const StoreFiles files{options.folder, hash};
    StoredSummary summary;
    summary.hash = hash;
    Result<ReadIndex> read = ReadMetaOf(files, patience);
    if (read && read->record) {
      summary.files = read->record->files();
      summary.meta = std::move(read->record->meta);
      // A reader cannot write its use into the database; a writer that was killed did
      // not.
      summary.used_ms = std::max(summary.meta.accessed_ms, files.UsedMs());
    } else {
      if (!files.HasDatabase()) continue;  // deleted meanwhile
      summary.problem = !read                     ? read.error().message
                        : IsForeign(read->tables) ? "another version of forge-search made it"
                                                  : "nothing was committed yet";
    }
    summary.bytes = files.Bytes();
    stored.push_back(std::move(summary));
  }
  return stored;
}

std::vector<std::string> Evict(const StoreOptions& options, std::uint64_t max_bytes, std::uint64_t max_indexes,
                               const std::string& keep) {
  // Asked at every growth; mostly the limits hold, and no database is opened.
  auto [bytes, count] = TotalOf(options.folder);
  if (bytes <= max_bytes && count <= max_indexes) return {};
  std::vector<StoredSummary> stored = ListStored(options);
  std::sort(stored.begin(), stored.end(), GoesFirst);
  std::vector<std::string> deleted;
  for (const StoredSummary& summary : stored) {
    if (bytes <= max_bytes && count <= max_indexes) break;
    if (summary.hash == keep || !Delete({options.folder, summary.hash})) continue;
    bytes -= std::min(bytes, summary.bytes);
    --count;
    deleted.push_back(summary.hash);
  }
  return deleted;
}

StoredTotal TotalOf(const std::string& folder) {
  StoredTotal total;
  for (const std::string& hash : StoredHashes(folder)) {
    total.bytes += StoreFiles{folder, hash}.Bytes();
    ++total.indexes;
  }
  return total;
}

std::vector<std::string> RemoveOutdated(const StoreOptions& options, const IndexMeta& meta) {
  const std::string own = HashOf(meta.key);
  const Deadline patience = options.patience();
  std::vector<std::string> deleted;
  for (const std::string& hash : StoredHashes(options.folder)) {
    const StoreFiles files{options.folder, hash};
    if (hash == own) continue;
    const Result<ReadIndex> read = ReadMetaOf(files, patience);
    if (!read) continue;
    const bool denied = read->record && read->record->meta.policy_hash != meta.policy_hash &&
                        Overlap(read->record->meta.key.root, meta.key.root);
    if ((read->tables == Tables::kOlder || denied) && Delete(files)) deleted.push_back(hash);
  }
  return deleted;
}

}  // namespace forge::index
