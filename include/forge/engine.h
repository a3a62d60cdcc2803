// The main class of the library.
//
//   auto engine = forge::Engine::Create({.roots = {"/home/me/project"}});
//   if (!engine) return Report(engine.error());
//   auto answer = (*engine)->Search({.pattern = "TODO"});
//
// Thread-safe: one engine serves any number of concurrent searches. It reads
// and never writes inside the roots, and installs no signal handlers. It has
// threads: after fork() only the parent may use it or destroy it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "forge/config.h"
#include "forge/index.h"
#include "forge/keyword.h"
#include "forge/result.h"
#include "forge/search.h"

namespace forge {

struct EngineOptions {
  Config config = {};
  // Folders that may be searched; the first is where relative paths start,
  // unless working_dir says otherwise. Empty: config.sandbox.allowed_roots,
  // then the current folder.
  std::vector<std::string> roots = {};
  std::string working_dir = {};  // inside a root
  // How the engine uses the index, if the configuration has one.
  enum class Indexing {
    kStored,      // uses a stored index if there is one; never builds
    kBackground,  // builds, watches and updates, from StartIndexing() on
    kForeground,  // BuildIndexes() may be called; it builds at full speed
  };
  Indexing indexing = Indexing::kStored;
  // Called with a line about each problem that the threads of kBackground meet,
  // such as a store that is lost, on their thread. Empty: it is only in
  // index_status().
  std::function<void(const std::string&)> log = {};
};

// What we know about one configured backend.
struct BackendReport {
  std::string configured;  // as written in the configuration
  std::string path;        // where it was found; empty if nowhere
  std::string id;          // "ugrep@3.11.2"; empty if it did not say
  std::vector<std::string> capabilities;
  bool usable = false;
  std::string problem;  // why not, and what to do about it
};

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Create(EngineOptions options);

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual Result<SearchResponse> Search(const SearchRequest& request, const SearchOptions& options = {}) = 0;

  // Sends excerpts of files to a language model. Keys and addresses are those of
  // the configuration and of the process's environment.
  virtual Result<KeywordSearchResponse> KeywordSearch(const KeywordSearchRequest& request,
                                                      const CancelToken& cancel = {}) = 0;

  virtual const Config& config() const = 0;
  virtual const std::vector<std::string>& roots() const = 0;  // canonical
  virtual const std::string& working_dir() const = 0;         // canonical
  virtual std::vector<BackendReport> backends() const = 0;    // in order of preference
  // Why `fallback_binary` is used and not `binary`; empty if it is not.
  virtual const std::vector<std::string>& backend_diagnostics() const = 0;

  // --- the index; while index_mode is off, these do nothing and return nothing
  // ---

  // Starts the threads of Indexing::kBackground, once: later calls do nothing. Searches
  // never wait for them.
  virtual void StartIndexing() = 0;
  virtual std::vector<IndexStatus> index_status() = 0;
  // Problems with the configured roots or the cache folder.
  virtual const std::vector<std::string>& index_diagnostics() const = 0;
  // Brings every index up to date and waits for that; calls `progress` some
  // times a second. With `anew`, reuses nothing. An error with kBackground, where
  // the engine's own threads do it.
  virtual Status BuildIndexes(bool anew, const std::function<void(const IndexStatus&)>& progress,
                              const CancelToken& cancel) = 0;
  // Re-reads the tree and checks the index against it.
  virtual Result<std::vector<IndexVerification>> VerifyIndexes(const CancelToken& cancel) = 0;
  virtual Status ClearIndexes() = 0;
  virtual Result<std::vector<StoredIndexInfo>> stored_indexes() = 0;
  // How the index would answer a request.
  virtual Result<IndexExplanation> ExplainIndex(const SearchRequest& request) = 0;

 protected:
  Engine() = default;
};

}  // namespace forge
