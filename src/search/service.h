// The Search tool: one request in, one answer out. Knows no JSON, no flags.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "forge/config.h"
#include "forge/index.h"
#include "forge/result.h"
#include "forge/search.h"
#include "indexer/index_set.h"
#include "scope/sandbox.h"
#include "search/fuzzy_fallback.h"
#include "search/hints.h"
#include "search/index_share.h"
#include "search/pass.h"

namespace forge {

// Immutable from the first search on, so thread-safe.
class SearchService {
 public:
  // `backend` may be null; then every valid request fails with
  // `no_backend_message`. `indexes` may be null, and must outlive this. `git` is
  // null for the environment of the process.
  SearchService(SearchConfig config, Sandbox sandbox, std::shared_ptr<const Backend> backend,
                std::string no_backend_message, indexer::IndexSet* indexes = nullptr,
                std::shared_ptr<const GitEnvironment> git = {});

  // The same tree, backend and indexes under another configuration.
  SearchService WithConfig(SearchConfig config) const {
    return {std::move(config), sandbox_, backend_, no_backend_message_, indexes_, git_};
  }

  Result<SearchResponse> Search(const SearchRequest& request, const SearchOptions& options) const;

  // How the index would answer the request, by the same way that Search takes.
  Result<IndexExplanation> ExplainIndex(const SearchRequest& request) const;

  // Before the first search. For tests, which also run where everything takes long.
  void SetHintTime(std::chrono::milliseconds time) { hint_time_ = time; }

  const Sandbox& sandbox() const { return sandbox_; }
  const SearchConfig& config() const { return config_; }

 private:
  struct Prepared;
  struct Clues;

  Status CheckBackend(const Query& query) const;
  Result<Prepared> Prepare(const SearchRequest& request, const CancelToken& cancel) const;
  // May be called again, at another fuzzy level; each pass walks the tree anew.
  // `clues`, if given, gets what hints need.
  Result<Pass> RunOnce(const Prepared& prepared, std::optional<int> fuzzy, const SearchOptions& options,
                       Clues* clues = nullptr) const;
  IndexShare ShareOf(const Prepared& prepared, const Query& query, const SearchOptions& options,
                     bool peek = false) const;
  std::vector<Hint> Hints(const Prepared& prepared, const SearchResponse& response, const Clues& clues) const;
  TryResult Look(const HintTry& hint, const Clues& clues, const Deadline& deadline) const;
  std::vector<LeftOutEntry> LeftOutOf(const Prepared& prepared, const Clues& clues, Hint::Change change) const;
  FuzzyRunner RunnerFor(const Prepared& prepared, const SearchOptions& options) const;

  const SearchConfig config_;
  const Sandbox sandbox_;
  const std::shared_ptr<const Backend> backend_;
  const std::string no_backend_message_;
  indexer::IndexSet* const indexes_;  // null: none
  const std::shared_ptr<const GitEnvironment> git_;
  std::chrono::milliseconds hint_time_ = kHintTime;
};

}  // namespace forge
