// Creates the engine when it is first needed. Thread-safe. It does not keep a
// failure: the next call tries again, because the folder may exist by then.
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

  Result<std::shared_ptr<Engine>> Get() {
    const Lock lock(mutex_);
    if (engine_ == nullptr) {
      auto created = create_();
      if (!created) return created.error();
      engine_ = *std::move(created);
    }
    return engine_;
  }

 private:
  const Create create_;
  Mutex mutex_;
  std::shared_ptr<Engine> engine_ GUARDED_BY(mutex_);
};

}  // namespace forge::cli
