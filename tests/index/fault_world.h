// One tree, searched with and without an index, for tests of failures.
//
//   FaultWorld world({.storage = "sqlite"});
//   world.tree.Write("a", "needle\n");
//   world.Open();
//   world.root().Build(false);
//   world.ExpectSame("after a build");
//
// No test waits: Heal() does the work of the background thread, with a clock
// that runs ahead.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/select.h"
#include "base/names.h"
#include "indexer/index_set.h"
#include "indexer/work/testing/noisy_builder.h"
#include "search/service.h"
#include "tests/testing/temp_tree.h"
#include "tool/write.h"

namespace forge::testing {

struct FaultOptions {
  std::string storage = "memory";
  std::string structure = "postings";
  bool server = true;      // with a watcher
  std::string below = {};  // the root, relative to the tree; it must exist at Open
  TempTree::Place place = TempTree::Place::kAnywhere;
};

class FaultWorld {
 public:
  explicit FaultWorld(FaultOptions options = {}) : tree(options.place), options_(std::move(options)) {
    config.binary = "native";
    config.fallback_binary = "";
    config.emit_stats = true;
    config.index.mode = IndexMode::kOn;
    config.index.storage = *FromName<IndexStorage>(options_.storage);
    config.index.token_structure = *FromName<TokenStructure>(options_.structure);
    config.index.path = cache.Path("index");
  }
  ~FaultWorld() { Close(); }

  TempTree tree;
  TempTree cache;
  SearchConfig config;
  bool write = true;  // may write to the store
  std::vector<std::string> denies = {"*.secret"};
  std::vector<std::string> diagnostics;

  // Like a new process: it knows only what is stored.
  void Open() {
    Close();
    diagnostics.clear();
    SandboxConfig rules;
    rules.denied_patterns = denies;
    auto sandbox = Sandbox::Create({Root()}, "", rules);
    ASSERT_TRUE(sandbox.ok()) << sandbox.error().message;
    backend_ = SelectBackend(config, "/usr/bin:/bin", false).backend;
    ASSERT_TRUE(backend_ != nullptr);
    sandbox_ = std::make_shared<const Sandbox>(*sandbox);
    indexer::IndexSetOptions options;
    options.config = config.index;
    options.size_limit = {static_cast<std::uint64_t>(config.max_file_size_bytes)};
    options.server = options_.server;
    options.write = write;
    options.full_speed = true;
    indexes_ = indexer::IndexSet::Create(options, *sandbox_, diagnostics);
    plain_ = std::make_unique<SearchService>(config, *sandbox_, backend_, "");
    indexed_ = std::make_unique<SearchService>(config, *sandbox_, backend_, "", indexes_.get());
  }

  void OpenStored() {
    Open();
    indexes_->OpenStored();
  }

  // With the mode "off" there is no index.
  void OpenOff() {
    Open();
    ASSERT_TRUE(indexes_ == nullptr);
  }

  // Whether the configured backend is installed.
  bool HasBackend() const { return SelectBackend(config, "/usr/bin:/bin", false).backend != nullptr; }

  // Searches the tree with a watcher of the test, in memory. Calls
  // `before_reading` each time a thread of a build is about to read, and `after_file`
  // when it has read one.
  void OpenWith(
      std::unique_ptr<os::Watcher> watcher, std::function<void()> before_reading = [] {},
      std::function<void()> after_file = [] {}) {
    Open();
    indexer::RootSetup setup;
    setup.sandbox = sandbox_;
    setup.root = Root();
    setup.config = config.index;
    setup.size_limit = {static_cast<std::uint64_t>(config.max_file_size_bytes)};
    setup.key.root = Root();
    setup.watcher = std::move(watcher);
    setup.make_builder = [before_reading = std::move(before_reading), after_file = std::move(after_file)] {
      before_reading();
      return std::make_unique<indexer::NoisyBuilder>(after_file);
    };
    indexes_->roots()[0] = std::make_unique<indexer::RootIndex>(std::move(setup));
  }

  // No thread is left, so the process may fork now.
  void Close() {
    indexed_.reset();
    plain_.reset();
    backend_.reset();
    if (indexes_) indexes_->Shutdown();
    indexes_.reset();
  }

  std::string Root() const { return options_.below.empty() ? tree.root() : tree.Path(options_.below); }
  indexer::IndexSet& indexes() { return *indexes_; }
  indexer::RootIndex& root() { return *indexes_->roots()[0]; }
  std::string State() {
    if (!indexes_) return "OFF";
    const IndexStatus status = root().status();
    const std::string state(Name(status.state));
    return status.reason == IndexReason::kNone ? state : state + "/" + std::string(Name(status.reason));
  }

  // One step of the background thread, as if time had passed; false if there is
  // nothing to do but a sweep.
  bool Step() {
    const std::int64_t later = os::FileClockNow() + 60'000'000'000;
    const bool sweep = root().need(later) == indexer::Need::kSweep;
    if (root().Work(later, indexes_->automatic()) && !sweep) return true;
    root().CatchUp();
    return false;
  }

  // Steps until the index is complete and everything is indexed. The stamps of
  // a file that was just written are reliable only some milliseconds later.
  ::testing::AssertionResult Heal() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
      root().CatchUp();
      if (State() != "COMPLETE") Step();
      root().SettleNow();
      if (State() == "COMPLETE" && root().status().pending_files == 0) return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << "state " << State() << ", " << root().status().problem << ", "
                                         << root().status().pending_files << " pending";
  }

  // With background threads: waits until the index is complete.
  ::testing::AssertionResult AwaitComplete(std::chrono::milliseconds most = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + most;
    while (std::chrono::steady_clock::now() < end) {
      if (State() == "COMPLETE") return ::testing::AssertionSuccess();
      std::this_thread::yield();
    }
    return ::testing::AssertionFailure() << "still " << State() << ", " << root().status().problem;
  }

  static SearchRequest Request(std::string pattern, std::string path = ".") {
    SearchRequest request;
    request.pattern = std::move(pattern);
    request.path = std::move(path);
    return request;
  }

  std::string Plain(const SearchRequest& request) { return AnswerOf(*plain_, request, nullptr); }
  IndexExplanation Explain(const SearchRequest& request) { return *indexed_->ExplainIndex(request); }
  std::string Indexed(const SearchRequest& request) { return AnswerOf(*indexed_, request, &stats); }

  // What both searches say would have matched; the same, it is hoped.
  std::vector<Hint> PlainHints(const SearchRequest& request) { return plain_->Search(request, {.hints = true})->hints; }
  std::vector<Hint> IndexedHints(const SearchRequest& request) {
    return indexed_->Search(request, {.counted = false, .hints = true})->hints;
  }

  // A call as the MCP server makes it.
  void SearchForHints(const SearchRequest& request) { ASSERT_TRUE(indexed_->Search(request, {.hints = true}).ok()); }

  // May be called by several threads at once.
  std::string IndexedQuietly(const SearchRequest& request) const { return AnswerOf(*indexed_, request, nullptr); }

  // The same, as a value.
  SearchResponse Search(const SearchRequest& request) const { return *indexed_->Search(request, {}); }

  // Stats of the last search with the index.
  SearchStats stats;

  void ExpectSame(const SearchRequest& request, const std::string& what) {
    ASSERT_EQ(Indexed(request), Plain(request)) << what << "; " << request.pattern << "; state " << State();
  }
  void ExpectSame(const std::string& what) {
    for (const char* pattern : {"needle", "alpha\\d+", "nowhere_to_be_found", "xyz|nee.le", "."}) {
      ExpectSame(Request(pattern), what);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  static std::string AnswerOf(const SearchService& service, const SearchRequest& request, SearchStats* stats) {
    auto response = service.Search(request, {});
    std::ostringstream out;
    if (response) {
      if (stats != nullptr && response->stats) *stats = *response->stats;
      response->stats.reset();
      tool::ToDocument(std::move(*response)).Write(out);
    } else {
      tool::ToDocument(response.error()).Write(out);
    }
    return out.str();
  }

  const FaultOptions options_;
  std::shared_ptr<const Backend> backend_;
  std::shared_ptr<const Sandbox> sandbox_;
  std::unique_ptr<SearchService> plain_;
  std::unique_ptr<indexer::IndexSet> indexes_;
  std::unique_ptr<SearchService> indexed_;
};

// A tree of `count` files in folders of ten; each has its own word "alphaN".
inline void FillTree(const TempTree& tree, int count, const std::string& below = "") {
  for (int i = 0; i < count; ++i) {
    tree.Write(below + "d" + std::to_string(i / 10) + "/f" + std::to_string(i) + ".txt",
               "alpha" + std::to_string(i) + "\nsome text\n" + (i % 7 == 0 ? "needle\n" : ""));
  }
}

}  // namespace forge::testing
