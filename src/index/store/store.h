// Where an index is kept between processes.
//
// The SQLite store is a database a key, `<hash>.db`, with segment files beside
// it, `<hash>.<id>.seg`. A segment is written, synced and only then named by a
// transaction; files that no transaction names are collected at the next open.
// Everything read is checked (checksums of catalog pages and segments; SQLite's
// own integrity check when asked): damage is an error, never a short answer.
// No file content is stored.
//
// One writer at a time and any number of readers, in any process (F18): the
// writer holds an OS lock on `<hash>.lock`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forge/result.h"
#include "index/catalog/catalog_row.h"
#include "index/format/damage.h"
#include "index/segment/segment.h"
#include "index/snapshot/key.h"

namespace forge::index {

// What is known about the index as a whole.
struct IndexMeta {
  IndexKey key;
  std::string state = "ABSENT";  // as it was when written; for people
  std::string reason;            // Appendix D; empty for none
  std::uint64_t coverage_epoch = 0;
  std::int64_t created_ms = 0;
  std::int64_t updated_ms = 0;
  std::int64_t accessed_ms = 0;
  std::uint64_t enumerate_errors = 0;
  std::string policy_hash;  // of deny list and roots (I6)
  bool complete = false;    // a build reached its end; else: a checkpoint
  bool clean = false;       // closed in order

  friend bool operator==(const IndexMeta&, const IndexMeta&) = default;
};

// A path that had changed and was not indexed again when the process ended.
struct DirtyEntry {
  std::string path;
  bool subtree = false;
  std::int64_t queued_ms = 0;
};

struct StoredIndex {
  IndexMeta meta;
  std::vector<CatalogRow> rows;  // in catalog order (sort key, then raw bytes)
  std::vector<SegmentId> segments;
  std::vector<DirtyEntry> dirty;
};

// One transaction.
struct StoreChange {
  IndexMeta meta;
  bool replace_rows = false;     // the catalog is what follows, nothing else
  std::vector<CatalogRow> rows;  // in order; added or replaced
  std::vector<std::string> removed;
  std::vector<SegmentId> new_segments;      // written before
  std::vector<SegmentId> dropped_segments;  // no row refers to them any more
  std::optional<std::vector<DirtyEntry>> dirty;
};

struct StoreOptions {
  std::string folder;  // exists, 0700, checked (see cache_folder.h)
  std::int64_t lock_timeout_ms = 250;
  bool integrity_check = true;
};

// One index of the store. Not thread-safe; segments that were opened are.
class Store {
 public:
  virtual ~Store() = default;

  // Whether this process is the writer.
  virtual bool writable() const = 0;

  // Nothing if there is no index under the key. An error says that it is
  // damaged, of another schema, or locked (see IsDamage).
  virtual Result<std::optional<StoredIndex>> Load() = 0;
  virtual Result<std::shared_ptr<const Segment>> Open(SegmentId id) = 0;
  virtual std::string SegmentPath(SegmentId id) const = 0;

  // Writers only.
  virtual Status WriteSegment(SegmentId id, std::string_view image) = 0;
  virtual Status Commit(const StoreChange& change) = 0;
  virtual Status Touch(std::int64_t accessed_ms) = 0;
  virtual Status Clear() = 0;       // removes the index and its files
  virtual Status Checkpoint() = 0;  // the WAL, when idle

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
  std::string problem;  // why it cannot be read, if it cannot
};
std::vector<StoredSummary> ListStored(const StoreOptions& options);

// Deletes indexes until the limits hold: least recently used, then largest,
// then by hash (FR-LSI-IDX-RM-02). Never `keep`, never one that a process has
// open. Returns the hashes of those deleted.
std::vector<std::string> Evict(const StoreOptions& options, std::uint64_t max_bytes, std::uint64_t max_indexes,
                               const std::string& keep);

// The disk is full, or the user's share of it: what was stored before still is.
bool IsDiskFull(const Error& error);

// Another process was in the way for longer than the timeout.
bool IsLocked(const Error& error);

}  // namespace forge::index
