// The engine, created when it is first needed. Thread-safe. A failure is not
// kept: the next call tries again, as the folder may be there by then.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/mutex.h"
#include "forge/engine.h"
#include "forge/result.h"

namespace forge::cli {

class LazyEngine {
 public:
  using Create = std::function<Result<std::unique_ptr<Engine>>()>;

  explicit LazyEngine(Create create) : create_(std::move(create)) {}

  Result<Engine*> Get() {
    const Lock lock(mutex_);
    if (engine_ == nullptr) {
      auto created = create_();
      if (!created) return created.error();
      engine_ = *std::move(created);
    }
    return engine_.get();
  }

 private:
  const Create create_;
  Mutex mutex_;
  std::unique_ptr<Engine> engine_ GUARDED_BY(mutex_);
};

}  // namespace forge::cli
