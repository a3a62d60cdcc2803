// What the index offers one request, as values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "backend/text_cache.h"
#include "forge/index.h"
#include "index/snapshot/snapshot.h"
#include "indexer/safety/safety.h"
#include "tree/eligibility.h"

namespace forge::indexer {

// The part of a request that decides whether the index covers its files.
struct ViewRequest {
  std::string folder = {};  // canonical; where the search happens
  Traversal traversal = {};
  bool counted = true;  // see SearchOptions
  // Takes the index as it is now, and does not wait for it: for hints, which claim
  // only what was read just now.
  bool peek = false;
};

using Phase = IndexPhase;

struct BuildProgress {
  Phase phase = Phase::kIdle;
  std::uint64_t files_total = 0;
  std::uint64_t files_done = 0;
  std::chrono::milliseconds elapsed{};
};

struct View {
  // Null: no help; `bypass` says why.
  index::SnapshotPtr snapshot;
  // The catalog is the list of eligible files, and its rows are up to date.
  // Else the request walks and compares each file's state with its row.
  bool trusted = false;
  std::string prefix;  // the request's folder, relative to the index root
  // Texts of files that the catalog vouches for; null if it is not trusted.
  TextCache* texts = nullptr;
  TextCache::Turn turn = 0;

  index::State state = index::State::kDisabled;
  index::Reason reason = index::Reason::kNone;
  std::optional<BypassReason> bypass;
  std::optional<IndexStorage> storage;
  std::optional<StorageFallback> storage_fallback;
  bool doubts_arose = false;  // what changed just before this request put the index in doubt
  std::optional<BuildProgress> build;
};

}  // namespace forge::indexer
