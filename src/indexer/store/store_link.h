// Connects the index of a root with the store that keeps it for the next
// process: opens it, writes it, loses and finds it again, and keeps its limits.
//
//   StoreLink store(setup, [&](const Error& error) { ... });
//   auto id = store.Keep(image, segments);   // in the store, or else in memory
//   store.Commit(change);
//
// There may be no store (memory was configured, or the folder may not be used);
// another writer may own it; or it may be lost, because the disk is full or the
// folder is gone. In all these cases the index continues in memory (A16), and
// writes() is false. What was stored before a loss stays as it was, and the
// next process compares it with the tree.
//
// If another program locks the database for a moment, the store is not lost: the
// change waits, and is stored together with the next one.
//
// What is stored belongs to one deny list. Under another one it is removed before
// anything else happens, with the indexes of other keys that overlap (SEC-LSI-02).
//
// Requests ask storage() and fallback(), on any thread. The rest is for the thread that
// works on the index (RootIndex lets one work at a time). No method calls back with the
// mutex held.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "index/snapshot/snapshot.h"
#include "index/store/store.h"
#include "indexer/safety/safety.h"
#include "indexer/setup/root_setup.h"

namespace forge::indexer {

class StoreLink {
 public:
  // Calls `on_lost` each time the store is lost.
  StoreLink(RootSetup& setup, std::function<void(const Error&)> on_lost);
  ~StoreLink();

  // Whether what is built is written to the store.
  bool writes() const { return store_ && store_->writable() && !lost_ && !sealed_; }
  bool exists() const { return store_ != nullptr; }
  // An error that names the process that writes to the store instead of this one.
  Status HasNoOtherWriter() const;
  IndexStorage storage() const { return store_ && !lost_ ? IndexStorage::kSqlite : IndexStorage::kMemory; }
  std::optional<StorageFallback> fallback() const EXCLUDES(mutex_);
  std::string problem() const EXCLUDES(mutex_);  // why the store was lost; empty if it is not
  std::uint64_t bytes_on_disk() const { return store_ ? store_->bytes_on_disk() : 0; }
  std::int64_t updated_ms() const { return updated_ms_; }  // 0: never

  struct Loaded {
    index::IndexMeta meta;
    index::Catalog catalog;
    index::Segments segments;
  };
  // Nothing if nothing is stored. What was stored under other deny patterns comes
  // without catalog and segments. Requires exists().
  Result<std::optional<Loaded>> Load();

  // Gives a new segment a number and a place: in the store, or in memory if it
  // cannot be written.
  Result<index::SegmentId> Keep(std::string image, index::Segments& segments);
  // What is stored with the catalog. A finished or interrupted scan also stores
  // the time.
  index::IndexMeta MetaOf(const index::Safety& safety) const;
  void NoteScan(const index::IndexMeta& meta);
  // Requires writes(). Returns an error only if the stored index is damaged. After a
  // lock the change waits; after any other problem the store counts as lost. True if
  // it is stored.
  Result<bool> Commit(index::StoreChange change);
  // For the end. If it fails, the next process finds what was stored before.
  void SaveCheckpoint(const index::StoreChange& change);

  // For moments when no work waits for the disk: stores what waits, and moves
  // SQLite's log into the database (FR-LSI-BG-13.5). Requires writes().
  void Tidy();

  // Reads everything again, as the next process will.
  Status CheckStored(const CancelToken& stop) const;

  // Whether the limits of the cache folder hold when this index grows by `more`
  // bytes; evicts other indexes for that. False if this index alone is too large. If
  // other processes use the rest, the store counts as lost.
  bool MakeRoom(std::uint64_t more);
  void ClearIfWritable();
  Status Clear();  // an error if it cannot

  void FindAgain() EXCLUDES(mutex_);
  // Writes nothing from now on; for a shutdown that takes too long.
  void Seal() { sealed_ = true; }
  bool sealed() const { return sealed_; }

 private:
  bool HasDenied(const std::vector<index::CatalogRow>& rows) const;
  Loaded Purge(index::IndexMeta meta);
  // The change that waits, which then waits no longer.
  std::optional<index::StoreChange> TakeWaiting() EXCLUDES(mutex_);
  bool waits() const EXCLUDES(mutex_);
  void Lose(const Error& error) EXCLUDES(mutex_);
  void SetProblem(const std::string& problem) EXCLUDES(mutex_);

  const RootSetup& setup_;
  const std::unique_ptr<index::Store> store_;  // null: none
  const std::function<void(const Error&)> on_lost_;
  std::atomic<bool> lost_ = false;
  std::atomic<bool> sealed_ = false;
  std::atomic<std::int64_t> updated_ms_ = 0;
  std::atomic<std::int64_t> created_ms_ = 0;
  std::atomic<index::SegmentId> next_segment_ = 1;

  mutable Mutex mutex_;
  std::optional<index::StoreChange> waiting_ GUARDED_BY(mutex_);  // until no other program holds the database
  std::optional<StorageFallback> fallback_ GUARDED_BY(mutex_);
  std::string problem_ GUARDED_BY(mutex_);
};

}  // namespace forge::indexer
