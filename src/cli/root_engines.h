// Creates the engine for the current folders when it is first needed.
//
// An MCP client may change its roots while calls run, and a call keeps the engine
// it started with. So engines are shared: we keep the few that were used last, one
// for each set of folders, and drop the others; a call that still uses one of
// those ends it. To come back to dropped folders takes what a start takes. A
// failure is not kept: the next call tries again, because the folder may exist by
// then.
//
// Thread-safe.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "forge/engine.h"
#include "forge/result.h"

namespace forge::cli {

class RootEngines {
 public:
  using Roots = std::vector<std::string>;
  using Choose = std::function<Result<Roots>()>;  // may wait for the client
  using Create = std::function<Result<std::unique_ptr<Engine>>(const Roots&)>;

  // A session works in one set of folders, or goes back and forth between a few. Each
  // may hold an index and watches.
  static constexpr std::size_t kMost = 4;

  RootEngines(Choose choose, Create create) : choose_(std::move(choose)), create_(std::move(create)) {}

  Result<std::shared_ptr<Engine>> Get() {
    auto roots = choose_();
    if (!roots) return roots.error();
    std::shared_ptr<Engine> dropped;  // destroyed last, without the lock: it may save its index
    const Lock lock(mutex_);
    if (auto found = Find(*roots)) return found;
    auto created = create_(*roots);
    if (!created) return created.error();
    if (engines_.size() == kMost) {
      dropped = std::move(engines_.back().second);
      engines_.pop_back();
    }
    engines_.emplace_front(*std::move(roots), *std::move(created));
    return engines_.front().second;
  }

 private:
  std::shared_ptr<Engine> Find(const Roots& roots) REQUIRES(mutex_) {
    const auto found = std::ranges::find(
        engines_, roots, [](const auto& entry) -> auto& { return entry.first; });
    if (found == engines_.end()) return nullptr;
    engines_.splice(engines_.begin(), engines_, found);
    return found->second;
  }

  const Choose choose_;
  const Create create_;
  Mutex mutex_;
  std::list<std::pair<Roots, std::shared_ptr<Engine>>> engines_ GUARDED_BY(mutex_);  // the last used first
};

}  // namespace forge::cli
