#include "remote/trees.h"

#include <algorithm>
#include <utility>

#include "base/path.h"

namespace forge::remote {
namespace {

// Two clients that only differ in join_only open the same tree.
std::string KeyOf(Open open) {
  open.join_only = false;
  return wire::Encode(open);
}

// A relative path would start in the server's own folder.
bool NamesAreAbsolute(const Open& open, const Config& config) {
  const auto found_by_path = [](const std::string& program) {
    return program.find('/') == std::string::npos || IsAbsolutePath(program);
  };
  return !open.roots.empty() && std::all_of(open.roots.begin(), open.roots.end(), IsAbsolutePath) &&
         IsAbsolutePath(open.working_dir) && found_by_path(config.search.binary) &&
         found_by_path(config.search.fallback_binary);
}

}  // namespace

// Its lock is held while the engine is created or destroyed: a client that comes
// meanwhile waits, instead of finding the store locked by the other one.
struct Trees::Tree {
  Mutex mutex;
  std::unique_ptr<Engine> engine GUARDED_BY(mutex);
  std::uint64_t leases GUARDED_BY(mutex) = 0;
  Clock::time_point unused_since GUARDED_BY(mutex) = {};
};

Trees::Trees(EngineMaker make, std::function<void(const std::string&)> log, std::chrono::milliseconds idle,
             const os::Clocks& clocks)
    : make_(std::move(make)), log_(std::move(log)), idle_(idle), clocks_(clocks) {}

Trees::~Trees() = default;

Trees::Lease::~Lease() {
  if (tree_ == nullptr) return;
  const Lock lock(tree_->mutex);
  --tree_->leases;
  tree_->unused_since = clocks_->Steady();
}

// The engine stays as long as the lease does, so its address needs the lock only
// here.
Engine* Trees::Lease::engine() const {
  if (tree_ == nullptr) return nullptr;
  const Lock lock(tree_->mutex);
  return tree_->engine.get();
}

std::variant<std::shared_ptr<Trees::Tree>, RefusedBecause> Trees::Find(const Open& open,
                                                                       std::unique_ptr<Engine>& dropped) {
  const Lock lock(mutex_);
  const std::string key = KeyOf(open);
  if (const auto found = trees_.find(key); found != trees_.end()) return found->second;
  if (open.join_only) return RefusedBecause::kNotOpen;
  if (trees_.size() == kMost && !MakeRoom(dropped)) return RefusedBecause::kTooMany;
  return trees_.emplace(key, std::make_shared<Tree>()).first->second;
}

bool Trees::MakeRoom(std::unique_ptr<Engine>& dropped) {
  auto oldest = trees_.end();
  Clock::time_point since = Clock::time_point::max();
  for (auto at = trees_.begin(); at != trees_.end(); ++at) {
    if (at->second.use_count() > 1) continue;  // a client has it, or opens it right now
    Tree& tree = *at->second;
    const Lock lock(tree.mutex);
    if (tree.unused_since >= since) continue;
    oldest = at;
    since = tree.unused_since;
  }
  if (oldest == trees_.end()) return false;
  {
    Tree& tree = *oldest->second;
    const Lock lock(tree.mutex);
    dropped = std::move(tree.engine);
  }
  trees_.erase(oldest);
  return true;
}

std::variant<Trees::Lease, RefusedBecause> Trees::Take(const Open& open) {
  auto config = DecodeConfig(open.config);
  if (!config || !NamesAreAbsolute(open, *config)) return RefusedBecause::kBadRequest;
  std::unique_ptr<Engine> dropped;  // destroyed last, when no lock is held
  const auto found = Find(open, dropped);
  if (const auto* refused = std::get_if<RefusedBecause>(&found)) return *refused;
  const std::shared_ptr<Tree> tree = *std::get_if<std::shared_ptr<Tree>>(&found);
  const Lock lock(tree->mutex);
  if (tree->engine == nullptr) {
    if (open.join_only) return RefusedBecause::kNotOpen;
    auto made = Make(open, *std::move(config));
    tree->unused_since = clocks_.Steady();
    if (!made) return RefusedBecause::kCannotCreate;
    tree->engine = *std::move(made);
  }
  ++tree->leases;
  return Lease(tree, clocks_);
}

Result<std::unique_ptr<Engine>> Trees::Make(const Open& open, Config config) const {
  auto engine = make_(EnvironmentOf(open.environment), {.config = std::move(config),
                                                        .roots = open.roots,
                                                        .working_dir = open.working_dir,
                                                        .indexing = EngineOptions::Indexing::kBackground,
                                                        .log = log_});
  if (engine) (*engine)->StartIndexing();
  return engine;
}

void Trees::DropIdle() {
  const Clock::time_point now = clocks_.Steady();
  for (const std::shared_ptr<Tree>& tree : All()) {
    const Lock lock(tree->mutex);
    if (tree->leases == 0 && now - tree->unused_since >= idle_) tree->engine.reset();
  }
  const Lock lock(mutex_);
  for (auto at = trees_.begin(); at != trees_.end();) {
    // No other thread can get at it: that needs our lock.
    const bool unused = at->second.use_count() == 1;
    const auto is_empty = [](Tree& tree) {
      const Lock inner(tree.mutex);
      return tree.engine == nullptr;
    };
    at = unused && is_empty(*at->second) ? trees_.erase(at) : std::next(at);
  }
}

std::vector<std::shared_ptr<Trees::Tree>> Trees::All() const {
  const Lock lock(mutex_);
  std::vector<std::shared_ptr<Tree>> out;
  for (const auto& [key, tree] : trees_) out.push_back(tree);
  return out;
}

std::size_t Trees::size() const {
  const Lock lock(mutex_);
  return trees_.size();
}

std::vector<TreeReport> Trees::Report() const {
  std::vector<TreeReport> out;
  for (const std::shared_ptr<Tree>& tree : All()) {
    const Lock lock(tree->mutex);
    if (tree->engine == nullptr) continue;
    Engine& engine = *tree->engine;
    out.push_back({engine.roots(), engine.working_dir(), tree->leases, engine.index_status()});
  }
  return out;
}

}  // namespace forge::remote
