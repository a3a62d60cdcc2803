// An engine that answers as a test tells it to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "forge/engine.h"

namespace forge::testing {

class FakeEngine : public Engine {
 public:
  using Answer = std::function<Result<SearchResponse>(const SearchRequest&, const SearchOptions&)>;

  FakeEngine(EngineOptions options, Answer answer, std::vector<BackendReport> backends)
      : options_(std::move(options)), answer_(std::move(answer)), backends_(std::move(backends)) {
    if (options_.roots.empty()) options_.roots = {"/fake"};
    if (options_.working_dir.empty()) options_.working_dir = options_.roots.front();
  }

  Result<SearchResponse> Search(const SearchRequest& request, const SearchOptions& options) override {
    return answer_(request, options);
  }
  Result<KeywordSearchResponse> KeywordSearch(const KeywordSearchRequest& request, const CancelToken&) override {
    keyword_request = request;
    return keyword_response;
  }
  const Config& config() const override { return options_.config; }
  const std::vector<std::string>& roots() const override { return options_.roots; }
  const std::string& working_dir() const override { return options_.working_dir; }
  std::vector<BackendReport> backends() const override { return backends_; }
  const std::vector<std::string>& backend_diagnostics() const override { return backend_problems; }

  // It has no index, but can report one.
  void StartIndexing() override {}
  std::vector<IndexStatus> index_status() override { return statuses; }
  const std::vector<std::string>& index_diagnostics() const override { return diagnostics; }
  Status BuildIndexes(bool, const std::function<void(const IndexStatus&)>&, const CancelToken&) override { return {}; }
  Result<std::vector<IndexVerification>> VerifyIndexes(const CancelToken&) override {
    return std::vector<IndexVerification>();
  }
  Status ClearIndexes() override { return {}; }
  Result<std::vector<StoredIndexInfo>> stored_indexes() override { return std::vector<StoredIndexInfo>(); }
  Result<IndexExplanation> ExplainIndex(const SearchRequest&) override { return IndexExplanation(); }

  KeywordSearchRequest keyword_request;  // the last one
  Result<KeywordSearchResponse> keyword_response = KeywordSearchResponse{};
  std::vector<IndexStatus> statuses;
  std::vector<std::string> diagnostics;
  std::vector<std::string> backend_problems;

 private:
  EngineOptions options_;
  Answer answer_;
  std::vector<BackendReport> backends_;
};

// For a tool that asks for its engine, and that the engine outlives.
inline Result<std::shared_ptr<Engine>> Borrow(Engine& engine) {
  return std::shared_ptr<Engine>(&engine, [](Engine*) {});
}

}  // namespace forge::testing
