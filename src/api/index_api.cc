#include "api/index_api.h"

#include <utility>

#include "index/store/cache_folder.h"
#include "indexer/inspect.h"
#include "indexer/runner.h"

namespace forge {
namespace {

indexer::IndexSetOptions OptionsOf(const IndexApi::Surroundings& surroundings, const Config& config,
                                   const EngineOptions& engine) {
  using Indexing = EngineOptions::Indexing;
  const Indexing indexing = engine.indexing;
  indexer::IndexSetOptions options;
  options.config = config.search.index;
  options.size_limit = {static_cast<std::uint64_t>(config.search.max_file_size_bytes)};
  options.default_timeout = config.search.default_timeout;
  options.server = indexing == Indexing::kBackground;
  options.write = indexing != Indexing::kStored;
  options.full_speed = indexing == Indexing::kForeground;
  options.environment = surroundings.environment;
  options.git = surroundings.git;
  options.log = engine.log;
  return options;
}

}  // namespace

IndexApi::IndexApi(Surroundings surroundings, const Config& config, const EngineOptions& options,
                   const Sandbox& sandbox)
    : surroundings_(std::move(surroundings)),
      config_(config.search.index),
      indexing_(options.indexing),
      indexes_(indexer::IndexSet::Create(OptionsOf(surroundings_, config, options), sandbox, diagnostics_)) {
  // The threads of a server open the stored index themselves.
  if (indexes_ && indexing_ != EngineOptions::Indexing::kBackground) indexes_->OpenStored();
}

IndexApi::~IndexApi() = default;

Status IndexApi::NeedIndexes() const {
  if (indexes_) return {};
  return ExecutionFailed("the index is off; set tools.search.index_mode to \"auto\" or \"on\", or use --index=on");
}

void IndexApi::Start() {
  if (indexes_ && indexing_ == EngineOptions::Indexing::kBackground) indexes_->Start();
}

std::vector<IndexStatus> IndexApi::Statuses() {
  std::vector<IndexStatus> out;
  if (!indexes_) return out;
  for (const auto& root : indexes_->roots()) out.push_back(root->status());
  return out;
}

Status IndexApi::Build(bool anew, const std::function<void(const IndexStatus&)>& progress, const CancelToken& cancel) {
  if (Status status = NeedIndexes(); !status.ok()) return status;
  if (indexing_ == EngineOptions::Indexing::kBackground) {
    return ExecutionFailed("this engine builds its index by itself; BuildIndexes() needs Indexing::kForeground");
  }
  for (const auto& root : indexes_->roots()) {
    if (anew) {
      if (Status status = root->Clear(); !status.ok()) return status;
    }
    if (Status status = indexer::BuildNow(*root, progress, cancel); !status.ok()) return status;
  }
  return {};
}

Result<std::vector<IndexVerification>> IndexApi::Verify(const Sandbox& sandbox, const CancelToken& cancel) {
  if (Status status = NeedIndexes(); !status.ok()) return status.error();
  std::vector<IndexVerification> out;
  for (const auto& root : indexes_->roots()) {
    const index::SnapshotPtr snapshot = root->snapshot();
    if (!snapshot) {
      IndexVerification none;
      const IndexStatus status = root->status();
      none.problems.push_back("no index of " + root->root() + (status.problem.empty() ? "" : ": " + status.problem) +
                              "; build one with: forge-search index build");
      out.push_back(std::move(none));
      continue;
    }
    const auto files = SearchRoot::Open(sandbox, root->root(), snapshot->key.traversal.follow);
    if (!files.ok()) return ExecutionFailed(root->root() + ": " + files.error().message());
    out.push_back(indexer::Verify(*files, *snapshot, cancel));
  }
  return out;
}

Status IndexApi::Clear() {
  if (Status status = NeedIndexes(); !status.ok()) return status;
  for (const auto& root : indexes_->roots()) {
    if (Status status = root->Clear(); !status.ok()) return status;
  }
  return {};
}

Result<std::vector<StoredIndexInfo>> IndexApi::Stored(const Sandbox& sandbox) {
  index::CacheFolderRequest request;
  request.index_path = config_.path;
  request.working_dir = sandbox.working_dir();
  index::StoreOptions store;
  store.folder = index::ChosenCachePath(request, surroundings_.environment);
  store.lock_timeout_ms = config_.lock_timeout.count();
  std::vector<StoredIndexInfo> out;
  for (const index::StoredSummary& stored : index::ListStored(store)) {
    StoredIndexInfo& info = out.emplace_back();
    info.hash = stored.hash;
    info.root = stored.meta.key.root;
    if (stored.problem.empty()) info.token_structure = stored.meta.key.token_structure;
    info.state = stored.meta.state;
    info.hidden = stored.meta.key.traversal.hidden;
    info.no_ignore = stored.meta.key.traversal.no_ignore;
    info.version = stored.meta.key.implementation;
    info.files = stored.files;
    info.bytes = stored.bytes;
    const std::chrono::milliseconds accessed(stored.used_ms);
    if (accessed.count() != 0) info.accessed = WallTime(accessed);
    info.problem = stored.problem;
  }
  return out;
}

}  // namespace forge
