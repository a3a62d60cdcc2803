// The engines of the shared server: one for each set of configuration, roots,
// working folder and variables that a client has opened.
//
// All of them index in the background, for clients that would only use a stored
// index as well: an answer does not depend on it. An engine that no client uses for
// the idle time is destroyed, and its watches with it; if there are too many, the
// one that was unused the longest.
//
// Thread-safe. Creating one engine keeps no other client waiting.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/environment.h"
#include "base/mutex.h"
#include "forge/engine.h"
#include "os/clocks.h"
#include "remote/engine_maker.h"
#include "remote/protocol.h"

namespace forge::remote {

class Trees {
  struct Tree;

 public:
  static constexpr std::size_t kMost = 32;

  Trees(EngineMaker make, std::function<void(const std::string&)> log, std::chrono::milliseconds idle,
        const os::Clocks& clocks);
  ~Trees();

  // Keeps the engine while it lives. It must not outlive the Trees.
  class Lease {
   public:
    Lease() = default;
    Lease(std::shared_ptr<Tree> tree, const os::Clocks& clocks) : tree_(std::move(tree)), clocks_(&clocks) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&& other) noexcept {
      std::swap(tree_, other.tree_);
      std::swap(clocks_, other.clocks_);
      return *this;
    }
    ~Lease();

    Engine* engine() const;  // null: empty

   private:
    std::shared_ptr<Tree> tree_;
    const os::Clocks* clocks_ = nullptr;
  };

  // `open` is checked like any input.
  std::variant<Lease, RefusedBecause> Take(const Open& open);

  // Destroys what was idle long enough.
  void DropIdle();
  std::size_t size() const;
  std::vector<TreeReport> Report() const;

 private:
  // May have to drop an engine that nobody uses; the caller destroys it.
  std::variant<std::shared_ptr<Tree>, RefusedBecause> Find(const Open& open, std::unique_ptr<Engine>& dropped);
  bool MakeRoom(std::unique_ptr<Engine>& dropped) REQUIRES(mutex_);
  Result<std::unique_ptr<Engine>> Make(const Open& open, Config config) const;
  std::vector<std::shared_ptr<Tree>> All() const;

  const EngineMaker make_;
  const std::function<void(const std::string&)> log_;
  const std::chrono::milliseconds idle_;
  const os::Clocks& clocks_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<Tree>> trees_ GUARDED_BY(mutex_);
};

}  // namespace forge::remote
