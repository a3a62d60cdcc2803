#include "indexer/index_set.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/path.h"
#include "base/sha256.h"
#include "index/bloom/bloom.h"
#include "index/bloom/bloom_segment.h"
#include "index/postings/postings_segment.h"
#include "index/store/cache_folder.h"

namespace forge::indexer {
namespace {

ThrottleOptions ThrottleOf(const IndexSetOptions& options) {
  if (options.full_speed) return {};
  return {options.config.build_max_cpu_percent, options.config.build_throttle.count(),
          options.config.idle_boost.count()};
}

index::BloomParams BloomOf(const IndexConfig& config) {
  index::BloomParams params;
  params.ngram = static_cast<std::uint32_t>(config.bloom_ngram_k);
  params.target_fp_rate = config.bloom_target_fp_rate;
  params.max_tokenized_bytes = static_cast<std::uint64_t>(config.max_tokenized_bytes);
  return params;
}

index::IndexKey KeyOf(const IndexSetOptions& options, const std::string& root) {
  index::IndexKey key;
  key.root = root;
  key.traversal = {.hidden = options.config.default_hidden,
                   .follow = false,  // whatever is configured (A9)
                   .no_ignore = options.config.default_no_ignore};
  key.tokenizer_id = "trigram-fold-16k-v1";
  key.token_structure = options.config.token_structure;
  if (key.token_structure == TokenStructure::kBloom) {
    key.tokenizer_id = index::TokenizerId(BloomOf(options.config));
    key.normalization = index::Normalization::kNfc;
  }
  return key;
}

std::function<std::unique_ptr<index::SegmentBuilder>()> BuilderOf(const IndexConfig& config) {
  if (config.token_structure != TokenStructure::kBloom) return [] { return index::MakePostingsBuilder(); };
  return [params = BloomOf(config)] { return index::MakeBloomBuilder(params); };
}

std::vector<std::string> RootsOf(const IndexConfig& config, const Sandbox& sandbox,
                                 std::vector<std::string>& diagnostics) {
  if (config.roots.empty()) return {sandbox.working_dir()};
  std::vector<std::string> roots;
  for (const std::string& path : config.roots) {
    const auto target = sandbox.Resolve(path);
    if (!target) {
      diagnostics.push_back("index_roots: " + target.error().message);
    } else if (target->type() != os::FileType::kDirectory) {
      diagnostics.push_back("index_roots: " + path + " is not a folder");
    } else if (std::find(roots.begin(), roots.end(), target->path()) == roots.end()) {
      roots.push_back(target->path());
    }
  }
  return roots;
}

// Opens the store of one root; if that fails, the index is kept in memory
// (FR-LSI-STOR-FALLBACK-01).
void OpenStoreOf(const IndexSetOptions& options, const Sandbox& sandbox, const std::vector<std::string>& roots,
                 RootSetup& setup, std::vector<std::string>& diagnostics) {
  if (options.config.storage != IndexStorage::kSqlite) return;
  index::CacheFolderRequest request;
  request.index_path = options.config.path;
  request.working_dir = sandbox.working_dir();
  request.index_roots = roots;
  request.denies = &sandbox.denies();
  request.allow_insecure = options.config.allow_insecure_persistence;
  const index::CacheFolder folder = index::FindCacheFolder(request, options.environment);
  if (!folder.message.empty()) diagnostics.push_back(folder.message);
  if (folder.path.empty()) {
    setup.storage_fallback = folder.reason.value_or(StorageFallback::kNotCreatable);
    return;
  }
  index::StoreOptions store;
  store.folder = folder.path;
  store.lock_timeout_ms = options.config.lock_timeout.count();
  store.integrity_check = options.config.integrity_check != IntegrityCheck::kOff;
  auto opened = index::OpenStore(store, setup.key, options.write);
  if (!opened) {
    diagnostics.push_back("the stored index cannot be used: " + opened.error().message);
    setup.storage_fallback =
        opened.error().code == ErrorCode::kDiskFull ? StorageFallback::kDiskFull : StorageFallback::kPermissionDenied;
    return;
  }
  setup.store = std::move(*opened);
  setup.store_options = store;
  setup.store_folder = folder.path;
}

// Only a server asks for the same files again and again.
std::uint64_t TextCacheOf(const IndexSetOptions& options, const os::Memory& memory) {
  if (!options.server) return 0;
  const auto wanted = static_cast<std::uint64_t>(options.config.text_cache_bytes);
  return std::min(wanted, memory.Limit().value_or(wanted) / 8);
}

RootSetup SetupOf(const IndexSetOptions& options, const std::shared_ptr<const Sandbox>& sandbox,
                  const std::vector<std::string>& roots, const std::string& root,
                  std::vector<std::string>& diagnostics) {
  RootSetup setup;
  setup.sandbox = sandbox;
  setup.root = root;
  setup.config = options.config;
  setup.size_limit = options.size_limit;
  setup.default_timeout = options.default_timeout;
  setup.key = KeyOf(options, root);
  setup.policy_hash = Sha256Hex(sandbox->denies().description());
  setup.make_builder = BuilderOf(options.config);
  setup.throttle = ThrottleOf(options);
  setup.text_cache_bytes = TextCacheOf(options, *setup.memory);
  setup.threads = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  setup.low_priority = !options.full_speed;
  setup.log = options.log;
  setup.git = options.git;
  if (const auto fd = os::OpenExactFolder(root); fd.ok()) {
    setup.trustworthy_stamps = os::WatchableFolder(fd->get());
    setup.stamp_granularity_ns = os::StampGranularityNs(fd->get());
  }
  OpenStoreOf(options, *sandbox, roots, setup, diagnostics);
  setup.should_watch = options.server && setup.trustworthy_stamps;
  if (setup.should_watch) {
    if (auto mounts = os::OpenMounts(); mounts.ok()) setup.mounts = std::move(*mounts);
  }
  if (setup.should_watch && options.config.watch) {
    auto watcher = os::MakeWatcher();
    if (watcher.ok()) {
      setup.watcher = std::move(*watcher);
    } else {
      diagnostics.push_back("changes cannot be watched: " + watcher.error().message() +
                            "; each search looks at every file's state instead");
    }
  }
  return setup;
}

}  // namespace

std::unique_ptr<IndexSet> IndexSet::Create(const IndexSetOptions& options, const Sandbox& sandbox,
                                           std::vector<std::string>& diagnostics) {
  if (options.config.mode == IndexMode::kOff) return nullptr;
  if (options.config.default_follow) {
    diagnostics.emplace_back(
        "index_default_follow has no effect: an index never follows links, and searches that follow them do not use "
        "it");
  }
  auto set = std::unique_ptr<IndexSet>(new IndexSet());
  set->automatic_ = options.config.mode == IndexMode::kAuto;
  set->low_priority_ = !options.full_speed;
  set->shutdown_timeout_ms_ = options.config.shutdown_timeout.count();
  const auto shared = std::make_shared<const Sandbox>(sandbox);
  const std::vector<std::string> roots = RootsOf(options.config, sandbox, diagnostics);
  for (const std::string& root : roots) {
    set->roots_.push_back(std::make_unique<RootIndex>(SetupOf(options, shared, roots, root, diagnostics)));
  }
  // Deepest first: the first that holds a folder is the one to ask.
  std::sort(set->roots_.begin(), set->roots_.end(),
            [](const auto& a, const auto& b) { return a->root().size() > b->root().size(); });
  return set;
}

IndexSet::~IndexSet() { Shutdown(); }

RootIndex* IndexSet::Find(const std::string& folder) {
  for (const auto& root : roots_) {
    if (IsWithin(folder, root->root())) return root.get();
  }
  return nullptr;
}

void IndexSet::OpenStored() {
  for (const auto& root : roots_) root->Open();
}

void IndexSet::Start() {
  const Lock lock(starting_);
  if (!runners_.empty()) return;  // two threads for one root would take each other's wake-ups
  for (const auto& root : roots_) {
    auto runner = Runner::Start(*root, automatic_, low_priority_);
    if (!runner) return;
    runners_.push_back(std::move(runner));
  }
}

void IndexSet::Shutdown() {
  const Lock lock(starting_);
  for (const auto& runner : runners_) runner->Stop();
  const Deadline deadline = Deadline::After(shutdown_timeout_ms_);
  for (const auto& runner : runners_) runner->AwaitOrAbandon(deadline);
  runners_.clear();
}

}  // namespace forge::indexer
