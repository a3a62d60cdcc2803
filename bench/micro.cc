// Measures the inner loops alone: bytes a second on text like source code.
//
//   cmake --preset release -DFORGE_BENCH=ON && cmake --build --preset release
//   build/release/forge_micro
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "match/count_lines.h"
#include "match/fuzzy.h"
#include "match/prefilter.h"
#include "match/scan.h"
#include "pattern/literal.h"

namespace forge {
namespace {

// Lines of words by a small generator: the same on every machine.
const std::string& Text() {
  static const std::string text = [] {
    static const char* const kWords[] = {"static",    "int", "return", "if",   "(", ")",   "{",
                                         "spin_lock", "->",  "dev",    "0x1f", ";", "err", "="};
    std::string out;
    std::uint32_t state = 1;
    while (out.size() < 8U << 20U) {
      state = state * 1664525U + 1013904223U;
      out += kWords[(state >> 16U) % std::size(kWords)];
      out += (state >> 8U) % 9 == 0 ? '\n' : ' ';
    }
    return out;
  }();
  return text;
}

void CountBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * Text().size()));
}

void BM_Memmem(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(memmem(Text().data(), Text().size(), "kmem_cache", 10));
  CountBytes(state);
}
BENCHMARK(BM_Memmem);

void BM_Literal(benchmark::State& state) {
  const LiteralFinder finder("kmem_cache", state.range(0) != 0);
  for (auto _ : state) benchmark::DoNotOptimize(finder.Find(Text(), 0));
  CountBytes(state);
}
BENCHMARK(BM_Literal)->ArgName("fold")->Arg(0)->Arg(1);

void Scan(benchmark::State& state, const char* pattern_text, bool filter) {
  const Pattern pattern = std::move(*Pattern::Compile({.pattern = pattern_text, .case_mode = CaseMode::kSensitive}));
  const Prefilter prefilter = filter ? Prefilter::For(pattern) : Prefilter();
  PatternMatcher matcher(pattern);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        ScanText(Text(), prefilter, matcher, {UINT64_MAX, 0, UINT64_MAX}, Deadline()).events.size());
  }
  CountBytes(state);
}
BENCHMARK_CAPTURE(Scan, sets, "[a-z]{4}[0-9]{3}", true);
BENCHMARK_CAPTURE(Scan, sets_by_pcre2_alone, "[a-z]{4}[0-9]{3}", false);
BENCHMARK_CAPTURE(Scan, word_prefix, "\\w+_lockx\\(", true);
BENCHMARK_CAPTURE(Scan, common_word, "spin_lock", true);

void BM_CountLines(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(CountLineFeeds(Text()));
  CountBytes(state);
}
BENCHMARK(BM_CountLines);

void BM_Fuzzy(benchmark::State& state) {
  const FuzzyPattern pattern("kmem_cach_create", static_cast<int>(state.range(0)), false, false);
  const Prefilter prefilter = pattern.MakePrefilter();
  FuzzyMatcher matcher(pattern);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        ScanText(Text(), prefilter, matcher, {UINT64_MAX, 0, UINT64_MAX}, Deadline()).events.size());
  }
  CountBytes(state);
}
BENCHMARK(BM_Fuzzy)->ArgName("level")->DenseRange(1, 4);

}  // namespace
}  // namespace forge

BENCHMARK_MAIN();
