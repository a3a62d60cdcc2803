// What the index offers one request, as values. The texts are for statistics
// and status (docs/index.md lists them).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/snapshot/snapshot.h"
#include "index/store/cache_folder.h"
#include "indexer/safety/safety.h"

namespace forge::indexer {

// The part of a request that decides whether the index covers its files.
struct ViewRequest {
  std::string folder = {};  // canonical; where the search happens
  bool hidden = false;
  bool follow = false;
  bool no_ignore = false;
};

// Where the index is kept.
enum class Storage { kNone, kMemory, kSqlite };
std::string_view ToString(Storage storage);  // "sqlite"

// Why a request does not use the index.
enum class Bypass {
  kNone,
  kIndexOff,
  kNoIndexRoot,       // no index holds the request's folder
  kKeyDiffers,        // the request may see more than the index does
  kRemoteFileSystem,  // stamps of files are not reliable
  kState,             // the index is not COMPLETE, or is in doubt: see the view's state and reason
  kDamaged,           // this request found the damage
  kNoRequiredGram,    // any file could match the pattern
};

// What a build or reconcile is doing.
enum class Phase { kIdle, kEnumerate, kTokenize, kPersist, kActivate };
std::string_view ToString(Phase phase);  // "ENUMERATE"; "" for kIdle

struct BuildProgress {
  Phase phase = Phase::kIdle;
  std::uint64_t files_total = 0;
  std::uint64_t files_done = 0;
  std::int64_t elapsed_ms = 0;
};

struct View {
  // Null: no help; `bypass` says why.
  index::SnapshotPtr snapshot;
  // The catalog is the list of eligible files, and its rows are up to date.
  // Else the request walks and compares each file's state with its row.
  bool trusted = false;
  std::string prefix;  // the request's folder, relative to the index root

  index::State state = index::State::kDisabled;
  index::Reason reason = index::Reason::kNone;
  Bypass bypass = Bypass::kNone;
  Storage storage = Storage::kNone;
  std::optional<index::FallbackReason> storage_fallback;
  bool doubts_arose = false;  // what changed just before this request put the index in doubt
  std::optional<BuildProgress> build;
};

// "KEY_DIFFERS"; for kState the view's reason or state; "" for kNone.
std::string_view ToString(Bypass bypass, const View& view);

}  // namespace forge::indexer
