// Measures what an index costs: to build, for searches meanwhile, for a changed
// file, and in a command that runs once.
//
//   build/release/forge_index_costs build TREE [ROUNDS]     against cindex
//   build/release/forge_index_costs beside TREE             searches while it is built
//   build/release/forge_index_costs change FILES...         trees of so many files
//   build/release/forge_index_costs sweep FILES...          a server that is asked, and one that is not
//   build/release/forge_index_costs command TREE QUERIES [ROUNDS]   one-shot, against rg
//
// Runs the `forge-search` in the folder of this program. Writes everything into
// a temporary folder (TMPDIR), and removes it.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "bench/engine.h"
#include "bench/programs.h"

namespace {

namespace fs = std::filesystem;
using bench::Quoted;

struct Scratch {
  Scratch() : path(fs::temp_directory_path() / ("forge-bench-" + std::to_string(getpid()))) {
    fs::create_directories(path);
    setenv("XDG_CACHE_HOME", path.c_str(), 1);
    setenv("CSEARCHINDEX", (path / "csearch").c_str(), 1);
  }
  ~Scratch() { fs::remove_all(path); }
  fs::path path;
};

std::string Program() { return fs::read_symlink("/proc/self/exe").parent_path() / "forge-search"; }

std::string Ours(const std::string& tree) {
  return Quoted(Program()) + " --root " + Quoted(tree) +
         " --backend native --set tools.search.index_mode=on --set tools.search.index_default_no_ignore=true"
         " --set tools.search.max_files=100000000 --set tools.search.max_file_size_bytes=1000000000"
         " --set tools.search.max_matches_per_file=100000000 ";
}

std::uintmax_t SizeOf(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

void Show(const char* name, const std::vector<bench::Cost>& costs, std::uintmax_t bytes) {
  bench::Times wall, cpu, peak;
  for (const bench::Cost& cost : costs) wall.Add(cost.wall_ms), cpu.Add(cost.cpu_ms), peak.Add(cost.peak_mb);
  std::printf("%-8s wall %8.0f %8.0f ms   cpu %8.0f %8.0f ms   peak %5.0f MB   index %6.1f MB\n", name, wall.best(),
              wall.median(), cpu.best(), cpu.median(), peak.ms.back(), static_cast<double>(bytes) / 1e6);
}

int Build(const std::string& tree, int rounds) {
  const Scratch scratch;
  std::vector<bench::Cost> ours, theirs;
  std::uintmax_t our_bytes = 0, their_bytes = 0;
  for (int i = 0; i < rounds; ++i) {
    ours.push_back(bench::Run(Ours(tree) + "index build --anew >/dev/null 2>&1"));
    our_bytes = SizeOf(scratch.path / "forge");
    if (!bench::Installed("cindex")) continue;
    theirs.push_back(bench::Run("cindex -reset " + Quoted(tree) + " >/dev/null 2>&1"));
    their_bytes = fs::file_size(scratch.path / "csearch");
  }
  Show("ours", ours, our_bytes);
  if (!theirs.empty()) Show("cindex", theirs, their_bytes);
  return 0;
}

double Search(forge::Engine& engine, const std::string& pattern, std::size_t expected) {
  forge::SearchRequest request;
  request.pattern = pattern;
  request.fixed_strings = request.no_ignore = true;
  request.max_results = 100'000'000;
  request.timeout = std::chrono::minutes(10);
  const auto start = bench::Clock::now();
  const auto response = engine.Search(request);
  const double ms = bench::Milliseconds(start);
  if (!response || (expected != SIZE_MAX && response->matches.size() != expected)) {
    std::fprintf(stderr, "a search for %s went wrong\n", pattern.c_str());
    std::exit(1);
  }
  return ms;
}

bool Complete(forge::Engine& engine) {
  const auto status = engine.index_status()[0];
  return status.state == forge::IndexState::kComplete && status.pending_files == 0;
}

void AwaitComplete(forge::Engine& engine) {
  // Asks rarely, because asking takes time in a tree of a million files.
  while (!Complete(engine)) std::this_thread::sleep_for(std::chrono::milliseconds(250));
}

// Searches that read everything, without an index and while one is built.
int Beside(const std::string& tree) {
  const Scratch scratch;
  bench::Times alone, beside;
  auto off = forge::Engine::Create(bench::OptionsFor(tree, forge::IndexMode::kOff));
  for (int i = 0; i < 5; ++i) alone.Add(Search(**off, "zzqqxx_does_not_exist", 0));
  auto on = forge::Engine::Create(bench::OptionsFor(tree, forge::IndexMode::kOn));
  (*on)->StartIndexing();
  while (true) {
    const double ms = Search(**on, "zzqqxx_does_not_exist", 0);
    if (Complete(**on)) break;
    beside.Add(ms);
  }
  for (int i = 0; i < 5; ++i) alone.Add(Search(**off, "zzqqxx_does_not_exist", 0));
  std::printf("alone %.0f %.0f ms, while building %.0f %.0f ms (%zu searches): medians %.2f times\n", alone.best(),
              alone.median(), beside.best(), beside.median(), beside.ms.size(), beside.median() / alone.median());
  return 0;
}

void WriteFile(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

double CpuMs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

constexpr int kPerFolder = 1000;

// `files` small files, a thousand a folder.
fs::path MakeTree(const Scratch& scratch, int files) {
  const fs::path tree = scratch.path / "tree";
  for (int i = 0; i < files; ++i) {
    const fs::path folder = tree / std::to_string(i / kPerFolder);
    if (i % kPerFolder == 0) fs::create_directories(folder);
    WriteFile(folder / (std::to_string(i) + ".txt"), "file number " + std::to_string(i) + "\nwith a second line\n");
  }
  return tree;
}

// One search a second for a minute, in which each row is compared with its file
// once; then none for two minutes, after which nothing must run any more.
void Sweep(int files) {
  const Scratch scratch;
  auto engine = forge::Engine::Create(bench::OptionsFor(MakeTree(scratch, files), forge::IndexMode::kOn));
  (*engine)->StartIndexing();
  AwaitComplete(**engine);
  const auto cpu_of = [](int seconds, const std::function<void()>& each) {
    const double before = CpuMs();
    for (int i = 0; i < seconds; ++i) {
      each();
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    return (CpuMs() - before) / (10.0 * seconds);  // percent of one core
  };
  const double asked = cpu_of(60, [&] { Search(**engine, "absent_word", 0); });
  cpu_of(125, [] {});
  const double idle = cpu_of(20, [] {});
  std::printf("%8d files: asked once a second %.2f %% of a core, idle %.3f %%\n", files, asked, idle);
  std::fflush(stdout);
}

// One file is changed and searched for at once, and the index catches up.
void Change(int files) {
  const Scratch scratch;
  const fs::path tree = MakeTree(scratch, files);
  auto engine = forge::Engine::Create(bench::OptionsFor(tree, forge::IndexMode::kOn));
  (*engine)->StartIndexing();
  AwaitComplete(**engine);
  bench::Times before, seen;
  double later = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string word = "marker_" + std::to_string(i) + "_";
    before.Add(Search(**engine, word, 0));
    const int at = static_cast<int>((std::int64_t{i} * 7919) % files);
    WriteFile(tree / std::to_string(at / kPerFolder) / (std::to_string(at) + ".txt"), word + "\n");
    seen.Add(Search(**engine, word, 1));
    if (i % 10 != 9) continue;
    const double cpu = CpuMs();
    AwaitComplete(**engine);
    later += CpuMs() - cpu;
  }
  std::printf(
      "%8d files: a search %.3f %.3f ms, one after a change %.3f %.3f ms; indexed later in %.3f ms (cpu) each\n", files,
      before.best(), before.median(), seen.best(), seen.median(), later / 300);
  std::fflush(stdout);
}

int Command(const std::string& tree, const char* queries, int rounds) {
  const Scratch scratch;
  bench::Run(Ours(tree) + "index build >/dev/null 2>&1");
  for (const bench::Query& query : bench::ReadQueries(queries)) {
    bench::Times ours, theirs;
    for (int i = 0; i < rounds; ++i) {
      ours.Add(bench::Run(Ours(tree) + "search --no-ignore --max-results 100000000 --timeout-ms 600000 " + query.flags +
                          " -e " + Quoted(query.pattern) + " 2>/dev/null | cat >/dev/null")
                   .wall_ms);
      theirs.Add(bench::Run("cd " + Quoted(tree) + " && rg --no-config --no-ignore -a -n --column --no-heading " +
                            query.flags + " -e " + Quoted(query.pattern) + " . | cat >/dev/null")
                     .wall_ms);
    }
    std::printf("%-12s ours %7.1f %7.1f  rg %7.1f %7.1f  ours/rg %.2f (medians %.2f)\n", query.name.c_str(),
                ours.best(), ours.median(), theirs.best(), theirs.median(), ours.best() / theirs.best(),
                ours.median() / theirs.median());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  if (what == "build") return Build(fs::canonical(argv[2]), number(3, 3));
  if (what == "beside") return Beside(fs::canonical(argv[2]));
  if (what == "command" && argc > 3) return Command(fs::canonical(argv[2]), argv[3], number(4, 3));
  if (what == "change") {
    for (int i = 2; i < argc; ++i) Change(std::atoi(argv[i]));
    return 0;
  }
  if (what == "sweep") {
    for (int i = 2; i < argc; ++i) Sweep(std::atoi(argv[i]));
    return 0;
  }
  return std::fprintf(stderr, "usage: see the beginning of bench/index_costs.cc\n"), 2;
}
