// Load: many sessions on one tree that changes all the time, while sessions come
// and go and the shared server is killed again and again.
//
//   scripts/load                     64 sessions, 1,000 changes a second, ten minutes
//   scripts/load --seconds 20 --sessions 8 --changes 200 --kill-every 5
//
// Each answer is compared with what the files held while it was made (ledger.h), and
// answers about a part that does not change with those of a scan, to the byte. In
// the end it prints percentiles of latency, and memory, descriptors, watches and
// processes minute by minute. Exit status 1: a wrong answer, a session that ended by
// itself, or one of these grew.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "tests/load/ledger.h"
#include "tests/testing/json_view.h"
#include "tests/testing/mcp_session.h"
#include "tests/testing/places.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using Clock = Ledger::Clock;
using std::chrono::milliseconds;

struct Options {
  std::uint64_t seconds = 600;
  std::uint64_t sessions = 64;
  std::uint64_t changes = 1000;   // a second
  std::uint64_t kill_every = 20;  // seconds
  std::uint64_t think = 1000;     // milliseconds between an answer and the next request
  std::uint64_t files = 4000;
  std::uint64_t seed = 1;
};

constexpr std::size_t kFilesInFolder = 40;
constexpr int kSteadyFiles = 50;

// What all processes of the program use at one moment.
struct Sample {
  double seconds = 0;
  std::uint64_t memory_kb = 0;  // proportional: shared pages are counted once
  std::uint64_t server_kb = 0;
  std::uint64_t descriptors = 0;
  std::uint64_t watches = 0;
  std::uint64_t processes = 0;
};

std::uint64_t CountEntries(const std::string& folder) {
  std::uint64_t count = 0;
  if (DIR* dir = opendir(folder.c_str())) {
    while (readdir(dir) != nullptr) ++count;
    closedir(dir);
  }
  return count > 2 ? count - 2 : 0;
}

std::uint64_t NumberAfter(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, 10);
  }
  return 0;
}

std::uint64_t WatchesOf(const std::string& process) {
  std::uint64_t count = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(process + "/fdinfo", ignored)) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) count += line.starts_with("inotify wd:") ? 1U : 0U;
  }
  return count;
}

class Load {
 public:
  explicit Load(Options options)
      : options_(options), ledger_(options.files), end_(Clock::now() + std::chrono::seconds(options.seconds)) {
    for (std::size_t i = 0; i < ledger_.size(); ++i) Change(i, false);
    for (int i = 0; i < kSteadyFiles; ++i) {
      tree_.Write("steady/d" + std::to_string(i % 5) + "/f" + std::to_string(i),
                  "a steadyword " + std::to_string(i) + "\n");
    }
    home_.Write("run/empty", "");
    fs::permissions(home_.Path("run"), fs::perms::owner_all);
  }
  ~Load() { RunProgram(Program({"serve", "--stop"})); }

  int Run() {
    begin_ = Clock::now();
    end_ = begin_ + std::chrono::seconds(options_.seconds);
    // What a scan says, by itself, without index and server.
    {
      McpSession scan(Mcp("off", "off"));
      steady_ = DocumentOf(scan.Search(kSteady).value_or(""));
    }
    if (steady_.find("steadyword 49") == std::string::npos) return Fail("the scan found nothing: " + steady_), 1;
    std::vector<std::thread> threads;
    threads.emplace_back([this] { ChangeFiles(); });
    threads.emplace_back([this] { KillServers(); });
    threads.emplace_back([this] { Measure(); });
    for (std::uint64_t i = 0; i < options_.sessions; ++i) threads.emplace_back([this, i] { Converse(i); });
    for (std::thread& thread : threads) thread.join();
    return Report();
  }

 private:
  static constexpr auto kSteady = R"({"pattern":"steadyword","path":"steady","timeout_ms":60000})";

  // --- the tree ---

  static std::string NameOf(std::size_t file) {
    return "d" + std::to_string(file / kFilesInFolder) + "/f" + std::to_string(file) + ".txt";
  }
  // Replaces or removes one file; each is a single step for a reader.
  void Change(std::size_t file, bool remove) {
    const Ledger::Version version = ledger_.Begin(file, remove);
    const std::string path = tree_.Path(NameOf(file));
    if (remove) {
      unlink(path.c_str());
    } else {
      const std::string text =
          "file_" + std::to_string(file) + "_ version_" + std::to_string(version) + "_ of a text\nand another line\n";
      // Not in the tree, where a search would see two files with this text.
      home_.Write("next", text);
      fs::create_directories(fs::path(path).parent_path());
      fs::rename(home_.Path("next"), path);
    }
    ledger_.End(file);
  }
  void ChangeFiles() {
    Random random(options_.seed);
    const auto begin = Clock::now();
    while (Clock::now() < end_) {
      const auto due = static_cast<std::uint64_t>(std::chrono::duration<double>(Clock::now() - begin).count() *
                                                  static_cast<double>(options_.changes));
      for (; changes_ < due && Clock::now() < end_; ++changes_) Change(random.Below(ledger_.size()), random.OneIn(20));
      std::this_thread::sleep_for(milliseconds(2));
    }
  }

  // --- the program ---

  Command Program(std::vector<std::string> args) const {
    Command command;
    command.argv = {ProgramPath()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.env = {{"PATH", "/usr/bin:/bin"},
                   {"HOME", home_.root()},
                   {"XDG_RUNTIME_DIR", home_.Path("run")},
                   {"GIT_CONFIG_NOSYSTEM", "1"},
                   {"FORGE_SEARCH_INDEX_PATH", home_.Path("cache")},
                   {"FORGE_SEARCH_INDEX_AUTO_THRESHOLD_FILES", "1"}};
    command.cwd = tree_.root();
    return command;
  }
  Command Mcp(const std::string& index, const std::string& server) const {
    return Program({"mcp", "--root", tree_.root(), "--backend", "native", "--index", index, "--server", server, "--set",
                    "mcp.structured=true", "--set", "tools.search.default_max_results=5000"});
  }
  static std::string DocumentOf(const std::string& line) { return JsonView(line).At("/result/structuredContent"); }

  void Converse(std::uint64_t number) {
    Random random(options_.seed * 1000 + number);
    while (Clock::now() < end_) {
      McpSession session(Mcp("on", "auto"));
      if (!session.began()) return Fail("a session did not begin");
      ++sessions_;
      const auto leave = Clock::now() + std::chrono::seconds(5 + random.Below(60));
      while (Clock::now() < std::min(end_, leave)) {
        if (!AskOnce(session, random)) return Fail("a session gave no answer");
        std::this_thread::sleep_until(
            std::min(end_, Clock::now() + milliseconds(random.Below(2 * options_.think + 1))));
      }
      if (random.OneIn(4)) {
        session.program().Kill();
      } else {
        session.program().CloseInput();
        if (session.program().Wait() != 0) return Fail("a session did not end well");
      }
    }
  }

  bool AskOnce(McpSession& session, Random& random) {
    std::string arguments = kSteady;
    const std::size_t file = random.Below(ledger_.size());
    const std::string folder = "d" + std::to_string(file / kFilesInFolder);
    const std::size_t kind = random.Below(4);
    if (kind == 0)
      arguments = R"({"pattern":"version_\\d+_","path":")" + folder + R"(","max_results":1000,"timeout_ms":60000})";
    if (kind == 1) arguments = R"({"pattern":"file_)" + std::to_string(file) + R"(_","timeout_ms":60000})";
    if (kind == 2) arguments = R"({"pattern":"nowhere_to_be_found","timeout_ms":60000})";
    const auto asked = Clock::now();
    const auto line = session.Search(arguments);
    const auto answered = Clock::now();
    if (!line) return false;
    {
      const std::lock_guard lock(mutex_);
      latencies_.push_back(std::chrono::duration<double, std::milli>(answered - asked).count());
    }
    const std::string document = DocumentOf(*line);
    switch (kind) {
      case 0: JudgeFiles(document, asked, answered, file / kFilesInFolder * kFilesInFolder, kFilesInFolder); break;
      case 1: JudgeFiles(document, asked, answered, file, 1); break;
      case 2:
        if (JsonView(document).At("/count") != "0") Wrong("something matches nothing: " + document);
        break;
      default:
        if (document != steady_) Wrong("not what a scan found: " + document);
    }
    return true;
  }

  // The answer shows files first to first + count, and no others.
  void JudgeFiles(const std::string& document, Clock::time_point asked, Clock::time_point answered, std::size_t first,
                  std::size_t count) {
    const JsonView json(document);
    if (json.At("/truncated") != "false") {
      Wrong("an answer is not whole: " + document.substr(0, 2000));
      return;
    }
    // A file that was removed between the walk and the scan is named there.
    std::map<std::size_t, Ledger::Version> shown;
    for (std::size_t i = 0; i < json.Size("/errors"); ++i) {
      unsigned long long file = 0;
      const std::string path = json.Text("/errors/" + std::to_string(i) + "/path");
      if (std::sscanf(path.c_str(), "d%*u/f%llu.txt", &file) != 1 || file >= ledger_.size() ||
          !ledger_.Judge(file, asked, answered, 0).empty()) {
        Wrong("an error about a file that was there: " + document.substr(0, 2000));
        return;
      }
      shown[file] = 0;
    }
    for (std::size_t i = 0; i < json.Size("/matches"); ++i) {
      const std::string data = "/matches/" + std::to_string(i) + "/data/";
      const std::string text = json.Text(data + "lines/text");
      unsigned long long file = 0;
      unsigned long long version = 0;
      if (std::sscanf(text.c_str(), "file_%llu_ version_%llu_", &file, &version) != 2 || file < first ||
          file >= first + count || json.Text(data + "path/text") != NameOf(file)) {
        Wrong("a line that is not there: " + text);
      }
      shown[file] = version;
    }
    for (std::size_t file = first; file < std::min(first + count, ledger_.size()); ++file) {
      const std::string problem = ledger_.Judge(file, asked, answered, shown.contains(file) ? shown[file] : 0);
      if (!problem.empty()) Wrong(problem);
    }
  }

  void KillServers() {
    for (auto next = begin_ + std::chrono::seconds(options_.kill_every); next < end_;
         next += std::chrono::seconds(options_.kill_every)) {
      std::this_thread::sleep_until(next);
      if (const int server = ServerProcess(); server > 0 && kill(server, SIGKILL) == 0) ++kills_;
    }
  }
  int ServerProcess() const {
    const std::string process = JsonView(RunProgram(Program({"serve", "--status", "--json"})).out).At("/process");
    return process.empty() ? 0 : std::atoi(process.c_str());
  }

  // --- what it costs ---

  void Measure() {
    const std::string program = fs::canonical(ProgramPath());
    const std::string home = "HOME=" + home_.root();
    while (Clock::now() < end_) {
      Sample sample;
      sample.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        if (!std::isdigit(static_cast<unsigned char>(entry.path().filename().c_str()[0]))) continue;
        if (fs::read_symlink(entry.path() / "exe", ignored) != program) continue;
        AddProcess(entry.path(), sample);
      }
      {
        const std::lock_guard lock(mutex_);
        samples_.push_back(sample);
      }
      std::this_thread::sleep_until(std::min(end_, Clock::now() + milliseconds(2000)));
    }
  }
  // Others may run the same program; ours know our runtime folder.
  void AddProcess(const std::string& process, Sample& sample) const {
    std::ifstream in(process + "/environ");
    std::stringstream environ;
    environ << in.rdbuf();
    if (environ.str().find(home_.root()) == std::string::npos) return;
    std::ifstream words(process + "/cmdline");
    std::stringstream cmdline;
    cmdline << words.rdbuf();
    const bool server = cmdline.str().find(std::string("\0serve\0", 7)) != std::string::npos;
    const std::uint64_t memory = NumberAfter(process + "/smaps_rollup", "Pss:");
    sample.memory_kb += memory;
    if (server) sample.server_kb += memory;
    sample.descriptors += CountEntries(process + "/fd");
    sample.watches += WatchesOf(process);
    ++sample.processes;
  }

  void Wrong(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (++wrong_ <= 5) std::fprintf(stderr, "wrong answer after %.1f s: %s\n", Seconds(), what.substr(0, 3000).c_str());
  }
  void Fail(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (++failures_ <= 5) std::fprintf(stderr, "after %.1f s: %s\n", Seconds(), what.c_str());
  }
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // The mean over a part of the run, from 0 to 1.
  Sample MeanOf(double from, double to) const {
    Sample mean;
    std::uint64_t count = 0;
    for (const Sample& sample : samples_) {
      const double at = sample.seconds / static_cast<double>(options_.seconds);
      if (at < from || at >= to) continue;
      mean.seconds += sample.seconds;
      mean.memory_kb += sample.memory_kb;
      mean.server_kb += sample.server_kb;
      mean.descriptors += sample.descriptors;
      mean.watches += sample.watches;
      mean.processes += sample.processes;
      ++count;
    }
    if (count == 0) return mean;
    return {mean.seconds / static_cast<double>(count),
            mean.memory_kb / count,
            mean.server_kb / count,
            mean.descriptors / count,
            mean.watches / count,
            mean.processes / count};
  }

  // Whether `late` is more than `early`, beyond what comes and goes.
  bool Grew(const char* name, std::uint64_t early, std::uint64_t late) const {
    const std::uint64_t allowed = early + early / 4 + 20;
    if (late <= allowed) return false;
    std::printf("GREW: %s from %llu to %llu\n", name, static_cast<unsigned long long>(early),
                static_cast<unsigned long long>(late));
    return true;
  }

  int Report() {
    std::sort(latencies_.begin(), latencies_.end());
    const auto percentile = [&](double part) {
      return latencies_.empty()
                 ? 0.0
                 : latencies_[static_cast<std::size_t>(part * static_cast<double>(latencies_.size() - 1))];
    };
    std::printf(
        "%llu s, seed %llu, %ld processors: %llu sessions, %zu answers, %llu changes (%.0f a second), %llu servers "
        "killed\n",
        static_cast<unsigned long long>(options_.seconds), static_cast<unsigned long long>(options_.seed),
        sysconf(_SC_NPROCESSORS_ONLN), static_cast<unsigned long long>(sessions_), latencies_.size(),
        static_cast<unsigned long long>(changes_),
        static_cast<double>(changes_) / static_cast<double>(options_.seconds), static_cast<unsigned long long>(kills_));
    std::printf("latency in ms: median %.1f, 90 %% %.1f, 99 %% %.1f, 99.9 %% %.1f, most %.1f\n", percentile(0.5),
                percentile(0.9), percentile(0.99), percentile(0.999), percentile(1));
    std::printf("%8s %12s %12s %12s %10s %10s\n", "s", "memory MB", "server MB", "descriptors", "watches", "processes");
    constexpr int kRows = 10;
    for (int row = 0; row < kRows; ++row) {
      const Sample s = MeanOf(static_cast<double>(row) / kRows, static_cast<double>(row + 1) / kRows);
      std::printf("%8.0f %12llu %12llu %12llu %10llu %10llu\n", s.seconds,
                  static_cast<unsigned long long>(s.memory_kb / 1024),
                  static_cast<unsigned long long>(s.server_kb / 1024), static_cast<unsigned long long>(s.descriptors),
                  static_cast<unsigned long long>(s.watches), static_cast<unsigned long long>(s.processes));
    }
    const Sample early = MeanOf(0.2, 0.5);
    const Sample late = MeanOf(0.7, 1.01);
    bool grew = Grew("memory in MB", early.memory_kb / 1024, late.memory_kb / 1024);
    grew |= Grew("descriptors", early.descriptors, late.descriptors);
    grew |= Grew("watches", early.watches, late.watches);
    grew |= Grew("processes", early.processes, late.processes);
    std::printf("%llu wrong answers, %llu failures\n", static_cast<unsigned long long>(wrong_),
                static_cast<unsigned long long>(failures_));
    return wrong_ > 0 || failures_ > 0 || grew || latencies_.empty() ? 1 : 0;
  }

  const Options options_;
  const TempTree tree_;
  const TempTree home_;
  Ledger ledger_;
  Clock::time_point begin_;
  Clock::time_point end_;
  std::string steady_;
  std::atomic<std::uint64_t> sessions_{0}, changes_{0}, kills_{0};
  std::mutex mutex_;  // of what follows
  std::vector<double> latencies_;
  std::vector<Sample> samples_;
  std::uint64_t wrong_ = 0;
  std::uint64_t failures_ = 0;
};

bool Parse(int argc, char** argv, Options& options) {
  const std::map<std::string, std::uint64_t Options::*> numbers = {
      {"--seconds", &Options::seconds}, {"--sessions", &Options::sessions},
      {"--changes", &Options::changes}, {"--kill-every", &Options::kill_every},
      {"--think", &Options::think},     {"--files", &Options::files},
      {"--seed", &Options::seed}};
  for (int i = 1; i < argc; i += 2) {
    const auto found = numbers.find(argv[i]);
    if (found == numbers.end() || i + 1 >= argc) return false;
    options.*found->second = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return options.seconds > 0 && options.kill_every > 0 && options.files > 0;
}

}  // namespace
}  // namespace forge::testing

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  forge::testing::Options options;
  if (!forge::testing::Parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: load [--seconds N] [--sessions N] [--changes N] [--kill-every N] [--think MS] "
                 "[--files N] [--seed N]\n");
    return 2;
  }
  return forge::testing::Load(options).Run();
}
