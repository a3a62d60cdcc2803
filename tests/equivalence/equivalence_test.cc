// One answer: native, ugrep and rg agree to the byte on generated worlds.
//
//   FORGE_TEST_SEED=7 FORGE_TEST_CASES=1000000 build/release/equivalence_tests
//
// FORGE_TEST_SERVER=on lets a shared server answer (R10).
//
// The tests leave out by name what cannot be equal: the fuzzy metric (the
// second test says what must hold there).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <set>
#include <sstream>

#include "forge/engine.h"
#include "tests/equivalence/world.h"
#include "tests/testing/shared_server.h"
#include "tool/write.h"

namespace forge::testing {
namespace {

constexpr std::uint64_t kRequestsPerWorld = 40;
// A fuzzy case is a world of its own with eight searches, so it counts as that
// many requests of the other test.
constexpr std::uint64_t kRequestsPerFuzzyCase = 50;

// Progress for runs that take hours: the seed to continue from, and the rate.
class Progress {
 public:
  explicit Progress(std::uint64_t total) : total_(total) {}

  void At(std::uint64_t done, std::uint64_t seed) const {
    if (done == 0 || done % kEvery != 0) return;
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    std::printf("%llu of %llu cases, now at seed %llu, %.0f a second\n", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(total_), static_cast<unsigned long long>(seed),
                static_cast<double>(done) / elapsed.count());
    std::fflush(stdout);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kEvery = 10'000;
  const std::uint64_t total_;
  const Clock::time_point start_ = Clock::now();
};

std::unique_ptr<Engine> MakeEngine(const std::string& backend, const std::string& root, std::int64_t per_file = 50) {
  EngineOptions options;
  options.config.search.max_matches_per_file = per_file;
  options.config.search.binary = backend;
  options.config.search.fallback_binary = "";
  // If the machine stalls, that is not a difference between backends.
  options.config.search.default_timeout = std::chrono::minutes(10);
  options.roots = {root};
  if (std::getenv("FORGE_TEST_SERVER") != nullptr) {
    static const SharedServer server;
    return server.Create(options);
  }
  auto engine = Engine::Create(options);
  EXPECT_TRUE(engine.ok()) << engine.error().message;
  return std::move(*engine);
}

std::string Answer(Engine& engine, const SearchRequest& request) {
  auto response = engine.Search(request);
  std::ostringstream out;
  if (response) {
    tool::ToDocument(std::move(*response)).Write(out);
  } else {
    tool::ToDocument(response.error()).Write(out);
  }
  return out.str();
}

TEST(Equivalence, EveryBackendGivesTheSameBytes) {
  const std::uint64_t seed = FirstSeed();
  const std::uint64_t cases = CaseCount(1500);
  const Progress progress(cases);
  std::uint64_t with_matches = 0;
  for (std::uint64_t done = 0, world = seed; done < cases; ++world) {
    Random random(world);
    const TempTree tree;
    MakeTree(random, tree);
    const auto native = MakeEngine("native", tree.root());
    const auto ugrep = MakeEngine("ugrep", tree.root());
    const auto rg = MakeEngine("rg", tree.root());
    for (std::uint64_t i = 0; i < kRequestsPerWorld && done < cases; ++i, ++done) {
      progress.At(done, world);
      const SearchRequest request = MakeRequest(random);
      // Starting searchers takes nearly all of the time: on two cores, two run
      // at once.
      auto answer_of_rg = std::async(std::launch::async, [&] { return Answer(*rg, request); });
      const std::string expected = Answer(*native, request);
      if (expected.find("\"match\"") != std::string::npos) ++with_matches;
      ASSERT_EQ(Answer(*ugrep, request), expected)
          << "ugrep; seed " << world << " request " << i << ": " << Describe(request);
      ASSERT_EQ(answer_of_rg.get(), expected) << "rg; seed " << world << " request " << i << ": " << Describe(request);
    }
  }
  RecordProperty("seed", std::to_string(seed));
  // If the generated searches found nothing, the test would prove nothing.
  EXPECT_GT(with_matches, cases / 5) << "of " << cases;
}

std::set<std::string> MatchedLines(Engine& engine, const SearchRequest& request) {
  std::set<std::string> lines;
  const auto response = engine.Search(request);
  EXPECT_TRUE(response.ok()) << Describe(request) << ": " << response.error().message;
  if (!response) return lines;
  for (const Event& event : response->matches) {
    // For ugrep, bytes that are not UTF-8 cost other numbers of edits than for
    // us.
    if (event.line.view().find("\uFFFD") != std::string::npos) continue;
    if (event.type == Event::Type::kMatch) lines.insert(event.path + ":" + std::to_string(event.line_number));
  }
  return lines;
}

// ugrep wants the first character to be right, native does not. So native finds
// everything that ugrep finds at a level, and each level contains the one
// below.
TEST(Equivalence, FuzzyLevelsNestAndNativeContainsUgrep) {
  static const std::vector<std::string> kTexts = {"foo_bar", "kmalloc", "static", "FOO_BAR", "->lock", "caf\u00E9"};
  const std::uint64_t cases = std::max<std::uint64_t>(CaseCount(60 * kRequestsPerFuzzyCase) / kRequestsPerFuzzyCase, 1);
  const Progress progress(cases);
  for (std::uint64_t world = FirstSeed(); world < FirstSeed() + cases; ++world) {
    progress.At(world - FirstSeed(), world);
    Random random(world);
    const TempTree tree;
    MakeTree(random, tree);
    SearchRequest request;
    request.pattern = random.Pick(kTexts);
    request.fixed_strings = true;
    request.case_mode = CaseMode::kSensitive;
    request.max_results = 100000;
    // No cap: at a higher level a cap is reached earlier and hides later lines.
    const auto native = MakeEngine("native", tree.root(), 100000);
    const auto ugrep = MakeEngine("ugrep", tree.root(), 100000);
    std::set<std::string> below;
    for (int level = 1; level <= 4; ++level) {
      request.fuzzy = level;
      const std::set<std::string> found = MatchedLines(*native, request);
      const std::set<std::string> theirs = MatchedLines(*ugrep, request);
      const std::string what = "seed " + std::to_string(world) + " " + Describe(request);
      EXPECT_TRUE(std::includes(found.begin(), found.end(), below.begin(), below.end())) << what;
      EXPECT_TRUE(std::includes(found.begin(), found.end(), theirs.begin(), theirs.end())) << what;
      below = found;
    }
  }
}

}  // namespace
}  // namespace forge::testing
