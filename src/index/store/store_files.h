// The files of one stored index, all beginning with the hash of its key.
//
//   <hash>.db  .db-wal  .db-shm   the database and SQLite's helpers
//   <hash>.<id>.seg               segments; <hash>.<id>.tmp while being written
//   <hash>.stamp                  the number of the last commit
//   <hash>.lock                   held by the writer, with the number of its process
//   <hash>.use                    held, shared, by every process that has it open
//
// The last two are never deleted: see os/file_lock.h. The time of the last is that
// of the last use.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "index/catalog/catalog_row.h"

namespace forge::index {

struct StoreFiles {
  std::string folder;
  std::string hash;

  std::string database() const { return Path(".db"); }
  std::string stamp() const { return Path(".stamp"); }
  std::string lock() const { return Path(".lock"); }
  std::string use() const { return Path(".use"); }
  std::string SegmentName(SegmentId id) const { return hash + "." + std::to_string(id) + ".seg"; }
  std::string TemporaryName(SegmentId id) const { return hash + "." + std::to_string(id) + ".tmp"; }

  // Bytes of the database, its helpers and the segments (F16).
  std::uint64_t Bytes() const;

  bool HasDatabase() const;
  // Damage if something else than a file has the name of the database or of one of
  // SQLite's helpers: opening a pipe would wait for ever. We do not open them to see: a
  // process that closes such a file loses SQLite's locks on it.
  Status CheckKinds() const;

  // When it was last used, in milliseconds of the wall clock; 0: unknown.
  std::int64_t UsedMs() const;
  void NoteUse(std::int64_t now_ms) const;

  // The database with its helpers, segments and leftovers; not the stamp.
  void RemoveContent() const;
  // The stamp too. The caller holds both locks exclusively.
  void RemoveAll() const;
  // Segments that `named` does not have, and unfinished ones.
  void RemoveUnnamed(const std::vector<SegmentId>& named) const;

 private:
  std::string Path(std::string_view suffix) const { return folder + "/" + hash + std::string(suffix); }
  // Every file of this index, by name.
  void ForEach(const std::function<void(const std::string& name)>& visit) const;
};

// The hashes of all indexes in a folder, sorted.
std::vector<std::string> StoredHashes(const std::string& folder);

}  // namespace forge::index
