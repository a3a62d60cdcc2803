// The index part of forge::Engine: creates the indexes from the configuration
// and passes the engine's calls on to them. It has no threads and no loops of
// its own; those are in src/indexer.
//
// indexes() and Statuses() are for any thread, the rest for one at a
// time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/environment.h"
#include "forge/engine.h"
#include "indexer/index_set.h"
#include "scope/sandbox.h"
#include "tree/git_config.h"

namespace forge {

class IndexApi {
 public:
  // What the environment decides: where the cache is, and git's ignore rules.
  struct Surroundings {
    Environment environment;
    std::shared_ptr<const GitEnvironment> git;
  };

  // Of `options`, uses `indexing` and `log`.
  IndexApi(Surroundings surroundings, const Config& config, const EngineOptions& options, const Sandbox& sandbox);
  ~IndexApi();

  indexer::IndexSet* indexes() { return indexes_.get(); }  // null: off
  const std::vector<std::string>& diagnostics() const { return diagnostics_; }

  void Start();
  std::vector<IndexStatus> Statuses();
  Status Build(bool anew, const std::function<void(const IndexStatus&)>& progress, const CancelToken& cancel);
  Result<std::vector<IndexVerification>> Verify(const Sandbox& sandbox, const CancelToken& cancel);
  Status Clear();
  Result<std::vector<StoredIndexInfo>> Stored(const Sandbox& sandbox);

 private:
  Status NeedIndexes() const;

  const Surroundings surroundings_;
  const IndexConfig config_;
  const EngineOptions::Indexing indexing_;
  std::vector<std::string> diagnostics_;
  std::unique_ptr<indexer::IndexSet> indexes_;
};

}  // namespace forge
