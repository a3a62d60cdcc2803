// The index as a user of the library sees it: its state, and its commands.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "forge/config.h"

namespace forge {

// What an index is worth; docs/index-internals.md says what each state means.
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

// What a build or reconcile is doing.
enum class IndexPhase { kIdle, kEnumerate, kTokenize, kPersist, kActivate };

// Why an index is kept in memory although it should be stored (F27).
enum class StorageFallback {
  kInsideIndexRoot,
  kDeniedPattern,
  kPermissionDenied,
  kNotCreatable,
  kDiskFull,
  kUnsupportedSqlite,
};

// Why a request goes without the help of an index, however sound the index is.
enum class Bypass {
  kIndexOff,
  kNoIndexRoot,       // no index holds the request's folder
  kKeyDiffers,        // the request may see more than the index does
  kRemoteFileSystem,  // stamps of files cannot be believed
  kNoRequiredGram,    // any file could match the pattern
  kNamedFile,         // the request names a single file
};
// Why a request goes without the help of an index: one of these, or the reason
// for which the index is in doubt, or without a reason its state.
using BypassReason = std::variant<Bypass, IndexState, IndexReason>;

// A time of the clock on the wall.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

// The words of the stats, of `index status` and of the stored index.
std::string_view Name(IndexState state);    // "COMPLETE"
std::string_view Name(IndexReason reason);  // "WATCHER_OVERFLOW"; "" for kNone
std::string_view Name(IndexPhase phase);    // "ENUMERATE"; "" for kIdle
std::string_view Name(StorageFallback reason);
std::string_view Name(Bypass bypass);
std::string_view Name(const BypassReason& reason);  // that of what it holds

// One index root.
struct IndexStatus {
  std::string root;
  IndexState state = IndexState::kAbsent;
  IndexReason reason = IndexReason::kNone;
  std::vector<IndexReason> causes;  // all open ones
  TokenStructure token_structure = TokenStructure::kPostings;
  IndexStorage storage = IndexStorage::kMemory;
  std::optional<StorageFallback> storage_fallback_reason;  // why it is not what was configured
  std::string problem;                                     // what went wrong last, for people
  std::string folder;                                      // of the stored index
  std::uint64_t files = 0;
  std::uint64_t indexed_files = 0;  // that a search may exclude
  std::uint64_t pending_files = 0;  // changed, to be indexed again
  std::uint64_t segments = 0;
  std::uint64_t documents = 0;
  std::uint64_t bytes_on_disk = 0;
  std::uint64_t bytes_in_memory = 0;
  std::uint64_t text_bytes = 0;  // of files, kept in memory
  std::uint64_t coverage_epoch = 0;
  bool watching = false;
  std::uint64_t watches = 0;
  std::uint64_t unreported_changes = 0;  // that no event told, and a sweep found, since the process began
  // Of the build that runs, or ran last.
  IndexPhase phase = IndexPhase::kIdle;
  std::uint64_t files_total = 0;
  std::uint64_t files_done = 0;
  std::uint64_t bytes_total = 0;
  std::uint64_t bytes_done = 0;
  std::chrono::milliseconds elapsed{};
  std::optional<WallTime> updated;  // nothing: never
};

// One index in the cache folder, of this configuration or another.
struct StoredIndexInfo {
  std::string hash;
  std::string root;
  std::optional<TokenStructure> token_structure;  // nothing if there is a problem
  IndexState state = IndexState::kAbsent;         // when it was written
  bool hidden = false;                            // it has hidden files as well
  bool no_ignore = false;                         // and what ignore files leave out
  std::string version;                            // of the program that built it
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::optional<WallTime> accessed;  // nothing if that cannot be read
  std::string problem;
};

// How a search for a pattern would use the index.
struct IndexExplanation {
  std::string plan;
  std::optional<BypassReason> bypass;  // why the index would not be used
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
