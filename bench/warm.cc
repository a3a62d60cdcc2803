// How soon a warm server answers: every query of bench/queries with the index
// COMPLETE, all results, against `rg` and (where it is installed) `csearch` on
// the same tree in the same run.
//
//   build/release/forge_warm TREE bench/queries [ROUNDS] [TEXT_CACHE_BYTES]
//
// Prints milliseconds, best and median, and ratios of the bests; also the ratio of
// processor times, which says more on a machine that others use. Peers run as
// programs with their output through a pipe; the server's answer is a response
// in memory, as its tools hold it. "again" is the same query at once a second time:
// before "ours" the peers have emptied the processor's caches, and the server slept.
// "first 50" is the same query with max_results 50. csearch has an index of the same tree in a temporary file; some of
// its answers lack files (docs/comparison.md).
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <thread>

#include "bench/engine.h"
#include "bench/programs.h"

namespace {

using bench::Query;
using bench::Quoted;

std::string RipgrepCommand(const Query& query, const std::string& tree) {
  return "rg -j2 -n --no-ignore --no-heading " + query.flags + " -e " + Quoted(query.pattern) + " " + Quoted(tree) +
         " | cat >/dev/null";
}

std::string CsearchCommand(const Query& query) {
  return std::string("csearch -n ") + (query.flags == "-i" ? "-i " : "") + Quoted(query.pattern) + " | cat >/dev/null";
}

std::unique_ptr<forge::Engine> WarmEngine(const std::string& tree, std::int64_t text_cache_bytes) {
  forge::EngineOptions options = bench::OptionsFor(tree, forge::IndexMode::kOn);
  options.config.search.index.text_cache_bytes = text_cache_bytes;
  auto engine = forge::Engine::Create(std::move(options));
  if (!engine) {
    std::fprintf(stderr, "%s\n", engine.error().message.c_str());
    std::exit(1);
  }
  (*engine)->StartIndexing();
  const auto start = bench::Clock::now();
  while ((*engine)->index_status()[0].state != forge::IndexState::kComplete ||
         (*engine)->index_status()[0].pending_files > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::printf("index complete after %.0f ms\n", bench::Milliseconds(start));
  return *std::move(engine);
}

// Of all threads of this process.
double ProcessorMs() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

forge::SearchRequest RequestFor(const Query& query, std::int64_t max_results) {
  forge::SearchRequest request;
  request.pattern = query.pattern;
  request.no_ignore = true;
  request.case_mode = query.flags == "-i" ? forge::CaseMode::kInsensitive : forge::CaseMode::kSensitive;
  request.max_results = max_results;
  request.timeout = std::chrono::minutes(10);
  return request;
}

forge::SearchResponse Ask(forge::Engine& engine, const Query& query, std::int64_t max_results, bench::Times& times,
                          bench::Times& processor) {
  const forge::SearchRequest request = RequestFor(query, max_results);
  const auto began = bench::Clock::now();
  const double used = ProcessorMs();
  auto response = engine.Search(request);
  times.Add(bench::Milliseconds(began));
  processor.Add(ProcessorMs() - used);
  if (!response) {
    std::fprintf(stderr, "%s\n", response.error().message.c_str());
    std::exit(1);
  }
  return *std::move(response);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: forge_warm TREE QUERIES [ROUNDS] [TEXT_CACHE_BYTES]\n"), 2;
  const std::string tree = std::filesystem::canonical(argv[1]);
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  const std::string their_index = std::filesystem::temp_directory_path() / "forge-bench-csearch";
  const bool csearch = bench::Installed("csearch") && bench::Installed("cindex");
  if (csearch) {
    setenv("CSEARCHINDEX", their_index.c_str(), 1);
    bench::Run("cindex -reset " + Quoted(tree) + " >/dev/null 2>&1");
  }
  const auto engine = WarmEngine(tree, argc > 4 ? std::atoll(argv[4]) : forge::IndexConfig().text_cache_bytes);
  double logs = 0;
  double processor_logs = 0;
  int count = 0;
  for (const Query& query : bench::ReadQueries(argv[2])) {
    bench::Times ours, again, first, ripgrep, codesearch, our_cpu, again_cpu, first_cpu, their_cpu;
    std::size_t matches = 0;
    for (int round = 0; round < rounds; ++round) {
      const auto response = Ask(*engine, query, 100'000'000, ours, our_cpu);
      matches = response.matches.size();
      Ask(*engine, query, 100'000'000, again, again_cpu);
      Ask(*engine, query, 50, first, first_cpu);
      const bench::Cost cost = bench::Run(RipgrepCommand(query, tree));
      ripgrep.Add(cost.wall_ms);
      their_cpu.Add(cost.cpu_ms);
      if (csearch) codesearch.Add(bench::Run(CsearchCommand(query)).wall_ms);
    }
    const auto explained = engine->ExplainIndex(RequestFor(query, 1));
    const std::uint64_t candidates = explained ? explained->candidates : 0;
    logs += std::log(ripgrep.best() / ours.best());
    processor_logs += std::log(their_cpu.best() / our_cpu.best());
    ++count;
    std::printf(
        "%-12s %7zu lines %7llu files  ours %8.3f %8.3f  first 50 %7.3f %7.3f  rg %7.1f %7.1f  csearch %7.1f %7.1f  "
        "rg/ours %7.1f  again %8.3f %8.3f  csearch/ours %6.1f  processor: ours %8.3f first 50 %7.3f rg %7.1f rg/ours "
        "%7.1f\n",
        query.name.c_str(), matches, static_cast<unsigned long long>(candidates), ours.best(), ours.median(),
        first.best(), first.median(), ripgrep.best(), ripgrep.median(), codesearch.best(), codesearch.median(),
        ripgrep.best() / ours.best(), again.best(), again.median(), codesearch.best() / ours.best(), our_cpu.best(),
        first_cpu.best(), their_cpu.best(), their_cpu.best() / our_cpu.best());
    std::fflush(stdout);
  }
  std::printf("text in memory: %llu bytes\n", static_cast<unsigned long long>(engine->index_status()[0].text_bytes));
  std::printf("geometric mean of rg/ours: %.1f; of processor times: %.1f\n", std::exp(logs / count),
              std::exp(processor_logs / count));
  if (csearch) std::filesystem::remove(their_index);
  return 0;
}
