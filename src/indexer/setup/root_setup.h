// What the index of one root is made of: where the root is, what the index may
// do, and the parts it uses for that.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/size_limit.h"
#include "forge/config.h"
#include "index/segment/segment.h"
#include "index/store/cache_folder.h"
#include "index/store/store.h"
#include "indexer/setup/throttle.h"
#include "os/clocks.h"
#include "os/memory.h"
#include "os/mounts.h"
#include "os/watch.h"
#include "scope/sandbox.h"
#include "tree/git_config.h"

namespace forge::indexer {

struct RootSetup {
  std::shared_ptr<const Sandbox> sandbox;
  std::string root;  // canonical
  IndexConfig config;
  SizeLimit size_limit;
  std::chrono::milliseconds default_timeout = SearchConfig().default_timeout;  // of a request that names none
  index::IndexKey key;
  std::string policy_hash;
  std::shared_ptr<const GitEnvironment> git;  // null: the process environment
  std::unique_ptr<os::Watcher> watcher;       // null: none
  std::unique_ptr<os::Mounts> mounts;         // null: unknown
  bool should_watch = false;                  // a server: without a watcher, nothing reports changes
  std::unique_ptr<index::Store> store;        // null: in memory
  index::StoreOptions store_options;
  std::string store_folder;
  std::optional<StorageFallback> storage_fallback;  // why it is in memory (F27)
  bool trustworthy_stamps = true;                   // else nothing is ever excluded (remote file systems)
  std::uint64_t text_cache_bytes = 0;               // 0: no texts are kept
  const os::Memory* memory = &os::Memory::System();
  std::function<void()> return_memory = os::ReturnFreedMemory;
  std::int64_t stamp_granularity_ns = 50'000'000;
  std::function<std::unique_ptr<index::SegmentBuilder>()> make_builder;
  ThrottleOptions throttle;
  unsigned threads = 2;
  bool low_priority = false;
  std::function<void(const std::string&)> log;  // may be empty
  const os::Clocks* clocks = &os::Clocks::System();
};

}  // namespace forge::indexer
