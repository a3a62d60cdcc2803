// How soon a warm server answers: every query of bench/queries with the index
// COMPLETE, all results, against `rg` on the same tree in the same run.
//
//   build/release/forge_warm TREE bench/queries [ROUNDS]
//
// Prints milliseconds, best and median, and the ratio of the bests. rg runs as a
// program with its output through a pipe; the server's answer is a response in
// memory, as its tools hold it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "forge/engine.h"

namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

struct Query {
  std::string name;
  std::string flags;
  std::string pattern;
};

std::vector<Query> ReadQueries(const char* file) {
  std::vector<Query> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Query query;
    std::getline(fields, query.name, '\t');
    std::getline(fields, query.flags, '\t');
    std::getline(fields, query.pattern, '\t');
    out.push_back(query);
  }
  return out;
}

std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

double RunRipgrep(const Query& query, const std::string& tree) {
  const std::string command = "rg -j2 -n --no-ignore --no-heading " + (query.flags == "-" ? std::string() : query.flags) + " -e " +
                              Quoted(query.pattern) + " " + Quoted(tree) + " | cat >/dev/null";
  const auto start = Clock::now();
  if (std::system(command.c_str()) < 0) std::perror("rg");
  return Milliseconds(start);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: forge_warm TREE QUERIES [ROUNDS]\n"), 2;
  const std::string tree = argv[1];
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  forge::EngineOptions options;
  options.roots = {tree};
  options.indexing = forge::EngineOptions::Indexing::kBackground;
  auto& config = options.config.search;
  config.binary = "native";
  config.max_files = config.max_matches_per_file = 100'000'000;
  config.max_file_size_bytes = 1'000'000'000;
  config.index.mode = "on";
  config.index.default_no_ignore = true;
  config.emit_stats = true;
  auto engine = forge::Engine::Create(options);
  if (!engine) return std::fprintf(stderr, "%s\n", engine.error().message.c_str()), 1;
  (*engine)->StartIndexing();
  const auto start = Clock::now();
  while ((*engine)->index_status()[0].state != "COMPLETE" || (*engine)->index_status()[0].pending_files > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::printf("index complete after %.0f ms\n", Milliseconds(start));
  double logs = 0;
  int count = 0;
  for (const Query& query : ReadQueries(argv[2])) {
    std::vector<double> ours;
    std::vector<double> theirs;
    std::size_t matches = 0;
    std::uint64_t candidates = 0;
    for (int round = 0; round < rounds; ++round) {
      forge::SearchRequest request;
      request.pattern = query.pattern;
      request.no_ignore = true;
      request.case_mode = query.flags == "-i" ? forge::CaseMode::kInsensitive : forge::CaseMode::kSensitive;
      request.max_results = 100'000'000;
      request.timeout_ms = 600'000;
      const auto began = Clock::now();
      auto response = (*engine)->Search(request);
      ours.push_back(Milliseconds(began));
      if (!response) return std::fprintf(stderr, "%s\n", response.error().message.c_str()), 1;
      matches = response->matches.size();
      candidates = response->stats->candidates_scanned;
      theirs.push_back(RunRipgrep(query, tree));
    }
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    const double ratio = theirs[0] / ours[0];
    logs += std::log(ratio);
    ++count;
    std::printf("%-14s %8zu matches %7llu files  ours %9.3f %9.3f  rg %8.1f %8.1f  rg/ours %8.1f\n", query.name.c_str(),
                matches, static_cast<unsigned long long>(candidates), ours[0], ours[ours.size() / 2], theirs[0],
                theirs[theirs.size() / 2], ratio);
  }
  std::printf("geometric mean of rg/ours: %.1f\n", std::exp(logs / count));
  return 0;
}
