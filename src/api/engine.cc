#include "forge/engine.h"

#include <utility>

#include "api/create.h"
#include "api/index_api.h"
#include "backend/select.h"
#include "base/environment.h"
#include "keyword/service.h"
#include "llm/curl.h"
#include "os/wait.h"
#include "scope/sandbox.h"
#include "search/service.h"

namespace forge {
namespace {

std::string SearchPath(const Environment& environment) {
  const auto path = environment.all().find("PATH");
  return path != environment.all().end() ? path->second : "/usr/local/bin:/usr/bin:/bin";
}

// The roots that the user named. The current folder is only a default.
std::vector<std::string> NamedRoots(const EngineOptions& options) {
  return options.roots.empty() ? options.config.sandbox.allowed_roots : options.roots;
}

std::vector<std::string> RootsOf(const EngineOptions& options) {
  std::vector<std::string> named = NamedRoots(options);
  return named.empty() ? std::vector<std::string>{"."} : named;
}

class EngineImpl final : public Engine {
 public:
  EngineImpl(const Environment& environment, EngineOptions options, std::vector<std::string> named_roots,
             Sandbox sandbox, const Selection& selection)
      : environment_(environment),
        git_(std::make_shared<GitEnvironment>(GitEnvironment::From(environment))),
        config_(std::move(options.config)),
        named_roots_(std::move(named_roots)),
        backend_diagnostics_(FallbackDiagnostics(selection)),
        index_({environment, git_}, config_, options, sandbox),
        search_(config_.search, std::move(sandbox), selection.backend, NoBackendMessage(selection.reports),
                index_.indexes(), git_) {}

  Result<SearchResponse> Search(const SearchRequest& request, const SearchOptions& options) override {
    if (!options.limits) return search_.Search(request, options);
    return search_.WithConfig(Under(*options.limits)).Search(request, options);
  }

  Result<KeywordSearchResponse> KeywordSearch(const KeywordSearchRequest& request, const CancelToken& cancel) override {
    const auto http = llm::MakeCurlClient();
    return keyword::KeywordService(search_, config_, named_roots_, environment_, *http, os::WaitFor)
        .Search(request, cancel);
  }

  const Config& config() const override { return config_; }
  const std::vector<std::string>& roots() const override { return search_.sandbox().roots(); }
  const std::string& working_dir() const override { return search_.sandbox().working_dir(); }
  std::vector<BackendReport> backends() const override {
    return SelectBackend(config_.search, SearchPath(environment_), true).reports;
  }

  const std::vector<std::string>& backend_diagnostics() const override { return backend_diagnostics_; }

  void StartIndexing() override { index_.Start(); }
  std::vector<IndexStatus> index_status() override { return index_.Statuses(); }
  const std::vector<std::string>& index_diagnostics() const override { return index_.diagnostics(); }
  Status BuildIndexes(bool anew, const std::function<void(const IndexStatus&)>& progress,
                      const CancelToken& cancel) override {
    return index_.Build(anew, progress, cancel);
  }
  Result<std::vector<IndexVerification>> VerifyIndexes(const CancelToken& cancel) override {
    return index_.Verify(search_.sandbox(), cancel);
  }
  Status ClearIndexes() override { return index_.Clear(); }
  Result<std::vector<StoredIndexInfo>> stored_indexes() override { return index_.Stored(search_.sandbox()); }
  Result<IndexExplanation> ExplainIndex(const SearchRequest& request) override { return search_.ExplainIndex(request); }

 private:
  SearchConfig Under(const AnswerLimits& limits) const {
    SearchConfig config = config_.search;
    config.default_timeout = limits.timeout;
    config.default_max_results = limits.max_results;
    config.max_matches_per_file = limits.max_matches_per_file;
    config.max_files = limits.max_files;
    config.max_file_size_bytes = limits.max_file_size_bytes;
    return config;
  }

  const Environment environment_;
  const std::shared_ptr<const GitEnvironment> git_;
  const Config config_;
  const std::vector<std::string> named_roots_;
  const std::vector<std::string> backend_diagnostics_;
  IndexApi index_;
  const SearchService search_;
};

}  // namespace

Result<std::unique_ptr<Engine>> CreateEngineIn(const Environment& environment, EngineOptions options) {
  std::vector<std::string> named = NamedRoots(options);
  auto sandbox = Sandbox::Create(RootsOf(options), options.working_dir, options.config.sandbox);
  if (!sandbox) return sandbox.error();
  const Selection selection = SelectBackend(options.config.search, SearchPath(environment), false);
  return std::unique_ptr<Engine>(
      std::make_unique<EngineImpl>(environment, std::move(options), std::move(named), std::move(*sandbox), selection));
}

Result<std::unique_ptr<Engine>> Engine::Create(EngineOptions options) {
  return CreateEngineIn(Environment::FromProcess(), std::move(options));
}

}  // namespace forge
