// The long model test: edits, requests, restarts, kills and changes of the
// configuration, over backends, stores, structures and ways in.
//
//   FORGE_TEST_CASES=1000000 FORGE_TEST_SEED=7 build/release/model_tests
//   FORGE_MODEL_STEPS=7:3,12,31 build/release/model_tests      some steps of a world
//
// Each answer is compared with a search without an index and a server, to the byte,
// and where the request is plain, with a search that shares no code with the
// program (naive.h). A failure is tried again with fewer and fewer steps; what is
// printed in the end can be given to FORGE_MODEL_STEPS.
//
// A step is a kind and a number of its own, so leaving one out changes nothing in
// the others.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/equivalence/edit.h"
#include "tests/equivalence/world.h"
#include "tests/model/naive.h"
#include "tests/model/shrink.h"
#include "tests/model/system.h"

namespace forge::testing {
namespace {

constexpr std::size_t kStepsOfAWorld = 60;

enum class Kind { kEdit, kRequest, kPlainRequest, kSettle, kRestart, kKill, kConfigure };

struct Step {
  std::size_t number = 0;  // in the world
  Kind kind = Kind::kEdit;
  std::uint64_t seed = 0;
};

Kind RandomKind(Random& random) {
  const std::size_t n = random.Below(100);
  if (n < 35) return Kind::kEdit;
  if (n < 65) return Kind::kRequest;
  if (n < 83) return Kind::kPlainRequest;
  if (n < 91) return Kind::kSettle;
  if (n < 94) return Kind::kRestart;
  if (n < 97) return Kind::kKill;
  return Kind::kConfigure;
}

std::vector<Step> StepsOf(std::uint64_t world) {
  Random random(world * 7919);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < kStepsOfAWorld; ++i) {
    const Kind kind = RandomKind(random);
    steps.push_back({i, kind, world * 1'000'003 + i});
  }
  return steps;
}

// What happened, so that a run that proves nothing is noticed.
struct Seen {
  std::uint64_t steps = 0;
  std::uint64_t answers = 0;
  std::uint64_t matches = 0;
  std::uint64_t plain = 0;
  std::uint64_t settled = 0;
};

SearchRequest PlainRequest(Random& random) {
  static const std::vector<std::string> kPlainWords = {"foo", "FOO_BAR", "kmalloc", "int", "x", "static", "nowhere"};
  SearchRequest request;
  request.pattern = random.Pick(kPlainWords);
  request.case_mode = CaseMode::kSensitive;
  request.fixed_strings = random.OneIn(2);
  request.hidden = true;
  request.no_ignore = true;
  request.max_results = request.max_matches_per_file = 100'000;
  return request;
}

class World {
 public:
  World(std::uint64_t number, Seen& seen) : seen_(seen) {
    Random random(number);
    MakeTree(random, tree_);
    setting_ = RandomSetting(random);
    Begin();
  }

  // "" or what is wrong.
  std::string Do(const Step& step) {
    Random random(step.seed);
    ++seen_.steps;
    switch (step.kind) {
      case Kind::kEdit: log_ += "  " + std::to_string(step.number) + " " + Edit(random, tree_) + "\n"; return "";
      case Kind::kRequest: return Compare(step, MakeRequest(random));
      case Kind::kPlainRequest: return Compare(step, PlainRequest(random));
      case Kind::kSettle: seen_.settled += system_->Settle() ? 1U : 0U; return Log(step, "settle");
      case Kind::kRestart: Begin(); return Log(step, "restart");
      case Kind::kKill: system_->Kill(random); return Log(step, "kill");
      case Kind::kConfigure:
        setting_ = RandomSetting(random);
        Begin();
        return Log(step, "now " + Describe(setting_));
    }
    return "";
  }

  const std::string& log() const { return log_; }

 private:
  Folders folders() const { return {tree_.root(), home_.root(), cache_.Path("index")}; }

  void Begin() {
    system_.reset();  // first: one process at a time
    reference_.reset();
    system_ = MakeSystem(setting_, folders());
    reference_ = MakeReference(setting_, folders());
    if (log_.empty()) log_ = "  in a world of: " + Describe(setting_) + "\n";
  }

  std::string Log(const Step& step, const std::string& what) {
    log_ += "  " + std::to_string(step.number) + " " + what + "\n";
    return "";
  }

  std::string Compare(const Step& step, const SearchRequest& request) {
    Log(step, "search " + testing::Describe(request));
    const std::string expected = reference_->Answer(request);
    const std::string actual = system_->Answer(request);
    ++seen_.answers;
    if (expected.find("\"match\"") != std::string::npos) ++seen_.matches;
    if (actual.empty()) return "there was no answer";
    if (actual != expected) return "the answer is\n" + actual + "\nand should be\n" + expected;
    return IsPlain(request) ? CompareNaively(request, actual) : "";
  }

  std::string CompareNaively(const SearchRequest& request, const std::string& actual) {
    const NaiveAnswer naive = NaiveSearch(tree_.root(), request, setting_.denied, setting_.max_file_size);
    const nlohmann::json document = nlohmann::json::parse(actual, nullptr, false);
    if (!document.contains("matches") || document.value("truncated", true)) return "";
    std::set<std::pair<std::string, std::uint64_t>> lines;
    for (const auto& match : document["matches"]) {
      const std::string path = match["data"]["path"]["text"];
      // A name that is not UTF-8 is shown in another form.
      if (path.find("\uFFFD") != std::string::npos || naive.unknown.contains(path)) continue;
      lines.emplace(path, match["data"]["line_number"]);
    }
    ++seen_.plain;
    for (const auto& line : naive.lines) {
      if (line.first.find('\xE9') != std::string::npos && !lines.contains(line)) continue;  // as above
      if (!lines.contains(line)) return "missing: " + line.first + ":" + std::to_string(line.second);
    }
    for (const auto& line : lines) {
      if (!naive.lines.contains(line)) return "not there: " + line.first + ":" + std::to_string(line.second);
    }
    return "";
  }

  const TempTree tree_;
  const TempTree home_;
  const TempTree cache_;
  Setting setting_;
  std::unique_ptr<System> system_;
  std::unique_ptr<System> reference_;
  std::string log_;
  Seen& seen_;
};

// "" or what went wrong, with all that was done before.
std::string RunWorld(std::uint64_t number, const std::vector<Step>& steps, Seen& seen) {
  World world(number, seen);
  for (const Step& step : steps) {
    const std::string problem = world.Do(step);
    if (!problem.empty()) return problem + "\nafter\n" + world.log();
  }
  return "";
}

std::string Command(std::uint64_t number, const std::vector<Step>& steps) {
  std::string out = "FORGE_MODEL_STEPS=" + std::to_string(number) + ":";
  for (const Step& step : steps) out += (&step == steps.data() ? "" : ",") + std::to_string(step.number);
  return out + " model_tests";
}

// Tries with fewer steps, and says the shortest list that still fails.
std::string Explain(std::uint64_t number, const std::vector<Step>& steps, std::string problem) {
  constexpr std::size_t kTries = 60;
  Seen ignored;
  const std::function<bool(const std::vector<Step>&)> fails = [&](const std::vector<Step>& some) {
    const std::string again = RunWorld(number, some, ignored);
    if (!again.empty()) problem = again;
    return !again.empty();
  };
  const std::vector<Step> few = Shrink(steps, fails, kTries);
  const bool shorter = few.size() < steps.size();
  return "world " + std::to_string(number) + (shorter ? ", with fewer steps" : ", not with fewer steps") + ":\n" +
         problem + "\n" + Command(number, few);
}

// FORGE_MODEL_STEPS: a world, and the numbers of its steps.
std::optional<std::pair<std::uint64_t, std::vector<Step>>> Asked() {
  const char* text = std::getenv("FORGE_MODEL_STEPS");
  if (text == nullptr) return std::nullopt;
  char* at = nullptr;
  const std::uint64_t number = std::strtoull(text, &at, 10);
  const std::vector<Step> all = StepsOf(number);
  std::vector<Step> steps;
  while (*at == ':' || *at == ',') {
    const std::size_t step = std::strtoull(at + 1, &at, 10);
    if (step < all.size()) steps.push_back(all[step]);
  }
  return std::pair{number, steps};
}

TEST(Model, EveryAnswerIsThatOfAPlainSearch) {
  Seen seen;
  if (const auto asked = Asked()) {
    const std::string problem = RunWorld(asked->first, asked->second, seen);
    EXPECT_EQ(problem, "");
    return;
  }
  const std::uint64_t seed = FirstSeed();
  const std::uint64_t cases = CaseCount(600);
  for (std::uint64_t number = seed; seen.steps < cases; ++number) {
    const std::vector<Step> steps = StepsOf(number);
    const std::string problem = RunWorld(number, steps, seen);
    if (!problem.empty()) FAIL() << Explain(number, steps, problem);
    if (HasFailure()) FAIL() << "world " << number;
    if ((number - seed + 1) % 100 == 0) {
      std::printf("world %llu, %llu steps\n", static_cast<unsigned long long>(number),
                  static_cast<unsigned long long>(seen.steps));
      std::fflush(stdout);
    }
  }
  std::printf(
      "seed %llu: %llu steps, %llu answers, %llu with a match, %llu compared with the plainest search, settled "
      "%llu times\n",
      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seen.steps),
      static_cast<unsigned long long>(seen.answers), static_cast<unsigned long long>(seen.matches),
      static_cast<unsigned long long>(seen.plain), static_cast<unsigned long long>(seen.settled));
  EXPECT_GT(seen.matches, seen.answers / 10);
  EXPECT_GT(seen.plain, seen.answers / 10);
  EXPECT_GT(seen.settled, 0U);
}

}  // namespace
}  // namespace forge::testing
