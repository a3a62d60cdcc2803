// The index as a user of the library sees it: its state, and its commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/config.h"

namespace forge {

// What an index is worth; docs/index.md says what each state means.
enum class IndexState { kAbsent, kBuilding, kComplete, kUncertain, kCorrupt, kDisabled };

// Why it is UNCERTAIN or DISABLED. Of several reasons the first in this order is
// shown.
enum class IndexReason {
  kNone,  // every other state
  // of DISABLED
  kMemoryBudgetExceeded,
  kBelowThreshold,
  // of UNCERTAIN
  kWatcherOverflow,
  kWatcherOverflowDuringBuild,
  kWatcherDown,
  kEligibilityChanged,
  kPolicyChanged,
  kEnumerationError,
  kRenameUncertain,
  kOpenRequiresValidation,
  kBuildBudgetExceeded,
  kMaintBudgetExceeded,
};

// The words of the stats, of `index status` and of the stored index.
std::string_view Name(IndexState state);    // "COMPLETE"
std::string_view Name(IndexReason reason);  // "WATCHER_OVERFLOW"; "" for kNone

// One index root. Times are milliseconds since 1970.
struct IndexStatus {
  std::string root;
  IndexState state = IndexState::kAbsent;
  IndexReason reason = IndexReason::kNone;
  std::vector<IndexReason> causes;  // all open ones
  TokenStructure token_structure = TokenStructure::kPostings;
  std::string storage;                  // memory, sqlite, none
  std::string storage_fallback_reason;  // why not what was configured; empty if it is
  std::string problem;                  // what went wrong last, for people
  std::string folder;                   // of the stored index
  std::uint64_t files = 0;
  std::uint64_t indexed_files = 0;  // that a search may exclude
  std::uint64_t pending_files = 0;  // changed, to be indexed again
  std::uint64_t segments = 0;
  std::uint64_t documents = 0;
  std::uint64_t bytes_on_disk = 0;
  std::uint64_t bytes_in_memory = 0;
  std::uint64_t coverage_epoch = 0;
  bool watching = false;
  std::uint64_t watches = 0;
  // Of the build that runs, or ran last.
  std::string phase;  // ENUMERATE, TOKENIZE, PERSIST, ACTIVATE; empty when idle
  std::uint64_t files_total = 0;
  std::uint64_t files_done = 0;
  std::uint64_t bytes_total = 0;
  std::uint64_t bytes_done = 0;
  std::int64_t elapsed_ms = 0;
  std::int64_t updated_ms = 0;  // 0: never
};

// One index in the cache folder, of this configuration or another.
struct StoredIndexInfo {
  std::string hash;
  std::string root;
  std::optional<TokenStructure> token_structure;  // nothing if there is a problem
  IndexState state = IndexState::kAbsent;         // when it was written
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::int64_t accessed_ms = 0;
  std::string problem;
};

// How a search for a pattern would use the index.
struct IndexExplanation {
  std::string plan;
  std::string bypass;  // why the index would not be used; empty if it would
  std::uint64_t files = 0;
  struct Step {
    std::string part;         // of the plan
    std::uint64_t files = 0;  // that may match by this part alone
  };
  std::vector<Step> steps;
  std::uint64_t candidates = 0;
};

// The result of checking the index against the tree.
struct IndexVerification {
  std::uint64_t files = 0;            // compared
  std::uint64_t changed = 0;          // on disk since they were indexed; not an error
  std::uint64_t not_indexed = 0;      // always candidates
  std::vector<std::string> problems;  // what is wrong
};

}  // namespace forge
