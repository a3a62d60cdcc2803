#include "forge/engine.h"

#include <cstdlib>
#include <utility>

#include "backend/select.h"
#include "scope/sandbox.h"
#include "search/service.h"

namespace forge {
namespace {

std::string SearchPath() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::vector<std::string> RootsOf(const EngineOptions& options) {
  if (!options.roots.empty()) return options.roots;
  if (!options.config.sandbox.allowed_roots.empty()) return options.config.sandbox.allowed_roots;
  return {"."};
}

class EngineImpl final : public Engine {
 public:
  EngineImpl(Config config, Sandbox sandbox, Selection selection)
      : config_(std::move(config)),
        search_(config_.search, std::move(sandbox), selection.backend, NoBackendMessage(selection.reports)) {}

  Result<SearchResponse> Search(const SearchRequest& request, const SearchOptions& options) override {
    return search_.Search(request, options);
  }

  const Config& config() const override { return config_; }
  const std::vector<std::string>& roots() const override { return search_.sandbox().roots(); }
  const std::string& working_dir() const override { return search_.sandbox().working_dir(); }
  std::vector<BackendReport> backends() const override {
    return SelectBackend(config_.search, SearchPath(), true).reports;
  }

 private:
  const Config config_;
  const SearchService search_;
};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Create(EngineOptions options) {
  auto sandbox = Sandbox::Create(RootsOf(options), options.working_dir, options.config.sandbox);
  if (!sandbox) return sandbox.error();
  Selection selection = SelectBackend(options.config.search, SearchPath(), false);
  return std::unique_ptr<Engine>(
      std::make_unique<EngineImpl>(std::move(options.config), std::move(*sandbox), std::move(selection)));
}

}  // namespace forge
