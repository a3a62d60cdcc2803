// The index as a user of the library sees it: its state, and its commands.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace forge {

// One index root. Times are milliseconds since 1970.
struct IndexStatus {
  std::string root;
  std::string state;                // ABSENT, BUILDING, COMPLETE, UNCERTAIN, CORRUPT, DISABLED
  std::string reason;               // of UNCERTAIN and DISABLED, see docs/index.md
  std::vector<std::string> causes;  // all open ones
  std::string token_structure;
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
  std::string token_structure;
  std::string state;
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
