// The indexes of an engine, one for each root, and their threads.
//
// A server starts a thread for each root; it builds, watches and updates. A
// one-shot command only opens what is stored. Its requests walk the tree to
// check the index, and it neither builds nor waits.
//
// One thread creates, starts and ends it. Find() is for any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/mutex.h"
#include "base/size_limit.h"
#include "forge/config.h"
#include "forge/index.h"
#include "indexer/publish/view.h"
#include "indexer/root_index.h"
#include "indexer/runner.h"
#include "scope/sandbox.h"

namespace forge::indexer {

struct IndexSetOptions {
  IndexConfig config;
  SizeLimit size_limit;
  std::chrono::milliseconds default_timeout = SearchConfig().default_timeout;  // of a request that names none
  bool server = false;                                                         // watch and build in the background
  bool write = false;       // may write to the store: a server, or `index build`
  bool full_speed = false;  // no throttle, no low priority: a person waits
  Environment environment;
  std::shared_ptr<const GitEnvironment> git = {};  // null: the process environment
  std::function<void(const std::string&)> log;     // of the background threads; may be empty
};

class IndexSet {
 public:
  // Null if the mode is off. A root that may not be indexed is left out, with a
  // diagnostic.
  static std::unique_ptr<IndexSet> Create(const IndexSetOptions& options, const Sandbox& sandbox,
                                          std::vector<std::string>& diagnostics);
  ~IndexSet();

  // Loads what is stored; for a one-shot command, which has no threads.
  void OpenStored();
  // Starts the background threads. If the system starts no thread for a root,
  // that root stays ABSENT, and is searched without an index.
  void Start() EXCLUDES(starting_);  // later calls do nothing
  // Ends and joins the threads. What they cannot save within the configured
  // time is lost (F13).
  void Shutdown() EXCLUDES(starting_);

  // The deepest root that holds the request's folder (FR-LSI-IDX-ROOT-02); null
  // if none does.
  RootIndex* Find(const std::string& folder);

  std::vector<std::unique_ptr<RootIndex>>& roots() { return roots_; }
  bool automatic() const { return automatic_; }

 private:
  IndexSet() = default;

  std::vector<std::unique_ptr<RootIndex>> roots_;
  Mutex starting_;
  std::vector<std::unique_ptr<Runner>> runners_ GUARDED_BY(starting_);  // one for each root, once started
  bool automatic_ = false;
  bool low_priority_ = false;
  std::int64_t shutdown_timeout_ms_ = 0;
};

}  // namespace forge::indexer
