// A deadline holds within a line (R12): how much processor time we use after it.
//
//   FORGE_TEST_SEED=7 FORGE_TEST_CASES=10000 build/release/deadline_tests
//   FORGE_TEST_PATTERNS=FILE ...   takes the patterns from a file, one a line
//
// The time of searchers that we start does not count; they are killed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <thread>

#include "forge/engine.h"
#include "tests/deadline/bad_patterns.h"
#include "tests/testing/sanitizers.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The promise is 50 ms of processor time. A sanitizer makes everything slower.
constexpr double kMaxOvershoot = kAnySanitizer ? 600 : 50;

double ProcessorMilliseconds() {
  timespec t = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

// Reads the processor time of this process at a given moment.
class Sampler {
 public:
  explicit Sampler(Clock::time_point at)
      : thread_([this, at] {
          std::this_thread::sleep_until(at);
          at_deadline_ = ProcessorMilliseconds();
        }) {}

  // Since that moment; 0 if it has not come yet.
  double Since() {
    const double now = ProcessorMilliseconds();
    thread_.join();
    return std::max(0.0, now - at_deadline_);
  }

 private:
  double at_deadline_ = 0;
  std::thread thread_;
};

std::vector<std::string> PatternsOfFile() {
  std::vector<std::string> patterns;
  const char* path = std::getenv("FORGE_TEST_PATTERNS");
  if (path == nullptr) return patterns;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) patterns.push_back(line);
  return patterns;
}

std::unique_ptr<Engine> MakeEngine(const std::string& backend, const std::string& root) {
  EngineOptions options;
  options.config.search.binary = backend;
  options.config.search.fallback_binary = "";
  options.config.search.max_file_size_bytes = 100'000'000;
  options.roots = {root};
  auto engine = Engine::Create(options);
  EXPECT_TRUE(engine.ok()) << engine.error().message;
  return std::move(*engine);
}

struct Tally {
  std::uint64_t searched = 0;
  std::uint64_t timed_out = 0;
  std::uint64_t given_up = 0;
  double worst = 0;
  std::string worst_case;
};

void SearchOnce(Engine& engine, const SearchRequest& request, const std::string& what, Tally& tally) {
  Sampler sampler(Clock::now() + *request.timeout);
  const auto response = engine.Search(request);
  const double over = sampler.Since();
  if (!response) return;
  ++tally.searched;
  tally.timed_out += response->timed_out ? 1U : 0U;
  tally.given_up += response->errors.empty() ? 0U : 1U;
  if (over <= tally.worst) return;
  tally.worst = over;
  tally.worst_case = what;
}

TEST(Deadline, HoldsWithinALine) {
  static constexpr std::size_t kSizes[] = {1000, 10'000, 100'000, 1'000'000, 2'000'000, 10'000'000};
  static constexpr milliseconds kTimeouts[] = {milliseconds(20), milliseconds(50), milliseconds(150)};
  static const std::vector<std::string> kBackends = {"native", "native", "rg", "ugrep"};
  const std::uint64_t seed = FirstSeed();
  const std::uint64_t cases = CaseCount(120);
  const std::vector<std::string> given = PatternsOfFile();
  Tally tally;
  for (std::uint64_t number = seed; number < seed + cases; ++number) {
    Random random(number);
    const TempTree tree;
    SearchRequest request;
    request.pattern = given.empty() ? MakeBadPattern(random) : given[number % given.size()];
    const std::size_t bytes = random.Pick(kSizes);
    std::string text = MakeBadLine(random, bytes) + "\n";
    for (int i = random.OneIn(4) ? 20 : 0; i > 0; --i) text += MakeBadLine(random, 300) + "\n";
    tree.Write("f", text);
    request.timeout = random.Pick(kTimeouts);
    request.case_mode = random.OneIn(2) ? CaseMode::kSensitive : CaseMode::kSmart;
    request.word_regexp = random.OneIn(6);
    const std::string& backend = random.Pick(kBackends);
    const auto engine = MakeEngine(backend, tree.root());
    const std::string what = "seed " + std::to_string(number) + ", " + backend + ", " + std::to_string(bytes) +
                             " bytes, pattern " + request.pattern;
    SearchOnce(*engine, request, what, tally);
    if (number % 1000 == 0) {
      std::printf("seed %llu, worst so far %.1f ms: %s\n", static_cast<unsigned long long>(number), tally.worst,
                  tally.worst_case.c_str());
    }
  }
  std::printf(
      "%llu searches, %llu timed out, %llu with lines given up; worst overshoot %.1f ms of processor time: %s\n",
      static_cast<unsigned long long>(tally.searched), static_cast<unsigned long long>(tally.timed_out),
      static_cast<unsigned long long>(tally.given_up), tally.worst, tally.worst_case.c_str());
  EXPECT_LT(tally.worst, kMaxOvershoot) << tally.worst_case;
  // Or it would prove nothing.
  EXPECT_GT(tally.searched, cases / 2);
  EXPECT_GT(tally.timed_out + tally.given_up, cases / 20);
}

}  // namespace
}  // namespace forge::testing
