// Where an index is kept between processes.
//
// The SQLite store has a database for each key, `<hash>.db`, with segment files
// beside it, `<hash>.<id>.seg`. A segment is written and synced first; only
// then a transaction names it. The next writer removes files that no
// transaction names. Readers check everything they read (checksums of catalog
// sheets and segments; SQLite's own integrity check when asked): damage is an
// error, never a short answer. No file content is stored.
//
// There is no table of changed files. A file that waits to be indexed again is a
// row that says so (TokenStatus::kNone). It excludes nothing, in this process and in
// the next, and the next scan indexes it.
//
// One writer at a time and any number of readers, in any process (F18): the
// writer holds an OS lock on `<hash>.lock`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "forge/result.h"
#include "index/catalog/catalog_row.h"
#include "index/segment/segment.h"
#include "index/snapshot/key.h"
#include "index/snapshot/state.h"

namespace forge::index {

// Facts about the index as a whole.
struct IndexMeta {
  IndexKey key;
  State state = State::kAbsent;  // when it was written; shown to people
  Reason reason = Reason::kNone;
  std::uint64_t coverage_epoch = 0;
  std::int64_t created_ms = 0;
  std::int64_t updated_ms = 0;
  std::int64_t accessed_ms = 0;
  std::string policy_hash;  // of the deny list (I6)

  friend bool operator==(const IndexMeta&, const IndexMeta&) = default;
};

struct StoredIndex {
  IndexMeta meta;
  std::vector<CatalogRow> rows;  // in catalog order (sort key, then raw bytes)
  std::vector<SegmentId> segments;
};

// One transaction.
struct StoreChange {
  IndexMeta meta;
  bool replace_rows = false;     // the catalog is what follows, nothing else
  std::vector<CatalogRow> rows;  // in order; added or replaced
  std::vector<std::string> removed;
  std::vector<SegmentId> new_segments;      // written before
  std::vector<SegmentId> dropped_segments;  // no row refers to them any more
};

struct StoreOptions {
  std::string folder;                  // exists, 0700, checked (see cache_folder.h)
  std::int64_t lock_timeout_ms = 250;  // for each call, however many locks it needs
  bool integrity_check = true;

  Deadline patience() const { return Deadline::After(lock_timeout_ms); }
};

// One index of the store. Not thread-safe; segments that were opened are.
class Store {
 public:
  virtual ~Store() = default;

  // Whether this process is the writer.
  virtual bool writable() const = 0;
  // Why it is not, if it was opened to write: which process is the writer.
  virtual Error NotWritable() const = 0;

  // Nothing if there is no index under the key, or one of another schema. The code of
  // an error tells damage from a lock.
  virtual Result<std::optional<StoredIndex>> Load() = 0;
  virtual Result<std::shared_ptr<const Segment>> Open(SegmentId id) = 0;

  // Writers only.
  virtual Status WriteSegment(SegmentId id, std::string_view image) = 0;
  virtual Status Commit(const StoreChange& change) = 0;
  // Removes the index and its files. Nothing of it is left on the disk, not even in
  // free pages of the database.
  virtual Status Clear() = 0;
  // Moves SQLite's log into the database; does nothing if there was no commit
  // since the last time. For moments without other work: it does not wait for
  // readers, but it uses the disk (FR-LSI-BG-13.5).
  virtual Status Checkpoint() = 0;

  // Notes that the index is in use, for the eviction of others. Readers do so, too.
  virtual void Touch(std::int64_t now_ms) const = 0;
  virtual std::uint64_t bytes_on_disk() const = 0;
};

// Opens the index of `key`. With `write`, takes the writer's lock if it is free
// within the time; else the store is read-only. Errors: the folder or the
// database cannot be used at all.
Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options, const IndexKey& key, bool write);

// What `index list` shows and eviction looks at.
struct StoredSummary {
  std::string hash;
  IndexMeta meta;
  std::uint64_t bytes = 0;  // database, WAL, segments
  std::uint64_t files = 0;
  std::int64_t used_ms = 0;
  std::string problem;  // why it cannot be read, if it cannot
};
std::vector<StoredSummary> ListStored(const StoreOptions& options);

// Deletes indexes until the limits hold: least recently used, then largest,
// then by hash (FR-LSI-IDX-RM-02). Never `keep`, never one that a process has
// open. Returns the hashes of those deleted.
std::vector<std::string> Evict(const StoreOptions& options, std::uint64_t max_bytes, std::uint64_t max_indexes,
                               const std::string& keep);

// How much is stored in the folder.
struct StoredTotal {
  std::uint64_t bytes = 0;
  std::uint64_t indexes = 0;
};
StoredTotal TotalOf(const std::string& folder);

// Deletes what must not stay: indexes of an older schema, which no process of this
// version reads, and those of the same files under other deny patterns, which may
// hold what is denied now (SEC-LSI-02). Never the one of `meta` itself, never one
// that a process has open. Returns the hashes of those deleted.
std::vector<std::string> RemoveOutdated(const StoreOptions& options, const IndexMeta& meta);

}  // namespace forge::index
