// The index never changes an answer: random trees, edits and requests, without
// an index and with an index in every state, structure and storage.
//
//   FORGE_TEST_SEED=7 FORGE_TEST_CASES=100000 build/release/index_tests
//
// The test does not wait: it calls the steps of the background thread itself,
// so that a request meets every point between an edit and its indexing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>

#include "backend/select.h"
#include "base/names.h"
#include "indexer/index_set.h"
#include "search/service.h"
#include "tests/equivalence/edit.h"
#include "tests/equivalence/world.h"
#include "tool/write.h"

namespace forge::testing {
namespace {

struct Variant {
  const char* name;
  const char* storage;
  const char* structure;
  bool server;  // with a watcher
  const char* backend;
};

constexpr Variant kVariants[] = {
    {"memory postings watched", "memory", "postings", true, "native"},
    {"sqlite postings watched", "sqlite", "postings", true, "native"},
    {"memory bloom watched", "memory", "bloom", true, "native"},
    {"sqlite bloom one-shot", "sqlite", "bloom", false, "native"},
    {"sqlite postings one-shot", "sqlite", "postings", false, "native"},
    {"memory postings watched ugrep", "memory", "postings", true, "ugrep"},
    {"memory postings watched rg", "memory", "postings", true, "rg"},
};

SearchConfig BaseConfig(const Variant& variant) {
  SearchConfig config;
  config.binary = variant.backend;
  config.fallback_binary = "";
  // A time limit is a matter of its own, and a busy machine must not meet it here.
  config.default_timeout = std::chrono::minutes(10);
  config.index.mode = IndexMode::kOn;
  config.index.storage = *FromName<IndexStorage>(variant.storage);
  config.index.token_structure = *FromName<TokenStructure>(variant.structure);
  config.index.max_tokenized_bytes = 1 << 16;
  return config;
}

// What the test saw of the index; if it never used the index, it would prove
// nothing.
struct Seen {
  std::uint64_t matches = 0;
  std::uint64_t excluding = 0;  // answers with a file left out
  std::uint64_t excluded = 0;   // files
  std::map<std::string, std::uint64_t> states;
  std::uint64_t with_texts = 0;  // answers of an index that had texts in memory

  void Count(const SearchStats& stats) {
    const std::string state(Name(stats.index_safety_state));
    ++states[state + " " + std::string(Name(stats.index_uncertain_reason))];
    excluded += stats.candidates_excluded;
    if (stats.candidates_excluded > 0) ++excluding;
  }
};

std::string Answer(const SearchService& service, const SearchRequest& request, Seen* seen = nullptr) {
  auto response = service.Search(request, {});
  std::ostringstream out;
  if (response) {
    if (seen != nullptr && response->stats) seen->Count(*response->stats);
    response->stats.reset();
    tool::ToDocument(std::move(*response)).Write(out);
  } else {
    tool::ToDocument(response.error()).Write(out);
  }
  return out.str();
}

// One tree with a search that has an index and one that has none.
class World {
 public:
  World(const Variant& variant, const TempTree& tree, const TempTree& cache, Random& random, Seen& seen)
      : variant_(variant), config_(BaseConfig(variant)), seen_(seen) {
    config_.index.path = cache.Path("index");
    config_.index.default_hidden = random.OneIn(3);
    config_.index.default_no_ignore = random.OneIn(4);
    if (random.OneIn(3)) config_.index.text_cache_bytes = 200'000;  // too little for the whole tree
    auto sandbox = Sandbox::Create({tree.root()}, "", {});
    EXPECT_TRUE(sandbox.ok());
    const Selection selection = SelectBackend(config_.search(), "/usr/bin:/bin", false);
    backend_ = selection.backend;
    EXPECT_TRUE(backend_ != nullptr);
    plain_ = std::make_unique<SearchService>(config_.search(), *sandbox, backend_, "");
    sandbox_ = std::make_unique<Sandbox>(*sandbox);
    Reopen();
  }

  // Like a new process: it knows only what is stored.
  void Reopen() {
    indexed_.reset();
    if (indexes_) root().Close();
    indexes_.reset();
    indexer::IndexSetOptions options;
    options.config = config_.index;
    options.size_limit = {static_cast<std::uint64_t>(config_.search().max_file_size_bytes)};
    options.server = variant_.server;
    options.write = true;
    options.full_speed = true;
    std::vector<std::string> diagnostics;
    indexes_ = indexer::IndexSet::Create(options, *sandbox_, diagnostics);
    EXPECT_THAT(diagnostics, ::testing::IsEmpty());
    indexes_->OpenStored();
    SearchConfig config = config_.search();
    config.emit_stats = true;
    indexed_ = std::make_unique<SearchService>(config, *sandbox_, backend_, "", indexes_.get());
  }

  indexer::RootIndex& root() { return *indexes_->roots()[0]; }

  // What the background thread would do now, or soon.
  void Step(Random& random) {
    const std::int64_t now = os::FileClockNow() + (random.OneIn(2) ? 10'000'000'000 : 0);
    if (!root().Work(now, false)) root().CatchUp();
    // The stamps of a file that was just written are not reliable yet; this
    // waits until they are.
    if (random.OneIn(2)) root().SettleNow();
  }

  void Compare(const SearchRequest& request, const std::string& what) {
    const std::string expected = Answer(*plain_, request);
    if (root().status().text_bytes > 0) ++seen_.with_texts;
    const std::string actual = Answer(*indexed_, request, &seen_);
    ASSERT_EQ(actual, expected) << variant_.name << "; " << what << "; state " << Name(root().status().state) << " "
                                << Name(root().status().reason) << "; " << Describe(request);
    if (expected.find("\"match\"") != std::string::npos) ++seen_.matches;
  }

 private:
  struct Configured {
    explicit Configured(SearchConfig config) : whole(std::move(config)), index(whole.index) {}
    const SearchConfig& search() const { return whole; }
    SearchConfig whole;
    IndexConfig& index;
  };

  const Variant& variant_;
  Configured config_;
  std::shared_ptr<const Backend> backend_;
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<SearchService> plain_;
  std::unique_ptr<indexer::IndexSet> indexes_;
  std::unique_ptr<SearchService> indexed_;
  Seen& seen_;
};

TEST(IndexModel, NeverChangesAnAnswer) {
  const std::uint64_t seed = FirstSeed();
  const std::uint64_t cases = CaseCount(1000);
  Seen seen;
  for (std::uint64_t done = 0, number = seed; done < cases; ++number) {
    Random random(number);
    const Variant& variant = kVariants[number % std::size(kVariants)];
    const TempTree tree;
    const TempTree cache;
    MakeTree(random, tree);
    World world(variant, tree, cache, random, seen);
    for (int round = 0; round < 12 && done < cases; ++round) {
      std::string what = "seed " + std::to_string(number) + " round " + std::to_string(round);
      for (std::size_t n = random.Below(3); n > 0; --n) what += "; " + Edit(random, tree);
      for (std::size_t n = random.Below(3); n > 0; --n) world.Step(random);
      if (random.OneIn(8)) {
        world.Reopen();
        what += "; reopened";
      }
      for (std::size_t n = 1 + random.Below(4); n > 0; --n, ++done) {
        SearchRequest request = MakeRequest(random);
        if (variant.backend == std::string("native") && request.fixed_strings && random.OneIn(4)) {
          request.fuzzy = static_cast<std::int64_t>(1 + random.Below(3));
        }
        world.Compare(request, what);
        if (HasFatalFailure()) return;
      }
    }
  }
  // How often depends on the clock: a busy machine meets each a little less
  // often, so these are well below what is usual.
  EXPECT_GT(seen.matches, cases / 20);
  EXPECT_GT(seen.excluding, cases / 100);
  EXPECT_GT(seen.states["COMPLETE "], cases / 20);
  EXPECT_GT(seen.with_texts, cases / 50);
  std::printf("%8llu answers with a match, %llu without some file, %llu with texts in memory\n",
              static_cast<unsigned long long>(seen.matches), static_cast<unsigned long long>(seen.excluding),
              static_cast<unsigned long long>(seen.with_texts));
  for (const auto& [state, count] : seen.states) {
    std::printf("%8llu answers in state %s\n", static_cast<unsigned long long>(count), state.c_str());
  }
}

}  // namespace
}  // namespace forge::testing
