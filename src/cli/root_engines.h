// Creates the engine for the current folders when it is first needed.
//
// An MCP client may change its roots while calls run, and a call keeps the
// engine it started with. So engines stay until the end, one for each set of
// folders. There is a limit that no real session reaches; beyond it we refuse
// further sets. A failure is not kept: the next call tries again, because the
// folder may exist by then.
//
// Thread-safe.
#pragma once

#include <functional>
#include <map>
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

  static constexpr std::size_t kMost = 32;

  RootEngines(Choose choose, Create create) : choose_(std::move(choose)), create_(std::move(create)) {}

  Result<Engine*> Get() {
    auto roots = choose_();
    if (!roots) return roots.error();
    const Lock lock(mutex_);
    if (const auto found = engines_.find(*roots); found != engines_.end()) return found->second.get();
    if (engines_.size() == kMost) {
      return ExecutionFailed("the client has changed its roots too often; restart the server");
    }
    auto created = create_(*roots);
    if (!created) return created.error();
    return engines_.emplace(*std::move(roots), *std::move(created)).first->second.get();
  }

 private:
  const Choose choose_;
  const Create create_;
  Mutex mutex_;
  std::map<Roots, std::unique_ptr<Engine>> engines_ GUARDED_BY(mutex_);
};

}  // namespace forge::cli
