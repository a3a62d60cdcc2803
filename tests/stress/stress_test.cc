// Every public call against every other, on a tree that changes under them.
//
//   FORGE_TEST_SECONDS=3600 FORGE_TEST_SEED=7 build/release/stress_tests
//   ./scripts/test --tsan                        the same under the thread sanitizer
//
// Engines of all kinds live in slots that threads share: with each backend, index,
// store and structure, in this process and behind a shared server. Threads call
// them at random, cancel each other's calls, and replace engines while others
// still use them. Two more threads change the tree: files that are denied, not
// readable, gone a moment later, or huge.
//
// What must hold: no call crashes or hangs, no answer shows a denied file, a part
// of the tree that nobody changes is always found whole, and in the end no
// descriptor and no thread is left.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "forge/engine.h"
#include "remote/client.h"
#include "tests/equivalence/world.h"
#include "tests/testing/sanitizers.h"
#include "tests/testing/shared_server.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kSteadyFiles = 20;
constexpr std::size_t kCallers = 4;
constexpr std::size_t kSlots = 6;

std::size_t EntriesOf(const char* folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++count;
  return count;
}

// A thread that was joined is in the list for a moment more.
std::size_t ThreadsAtLast(std::size_t expected) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::size_t threads = EntriesOf("/proc/self/task");
  while (threads > expected && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
    threads = EntriesOf("/proc/self/task");
  }
  return threads;
}

// What this process has open, by kind or path.
std::string OpenFiles() {
  std::string out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    out += entry.path().filename().string() + " " + fs::read_symlink(entry.path(), ignored).string() + "\n";
  }
  return out;
}

// Root may read everything. So that there are files that cannot be read, the test
// becomes another user, if that one can get to its folders.
void BecomeNobody(const std::vector<const TempTree*>& folders) {
  constexpr uid_t kNobody = 65534;
  if (geteuid() != 0) return;
  for (const TempTree* folder : folders) {
    if (chown(folder->root().c_str(), kNobody, kNobody) != 0) return;
  }
  if (setegid(kNobody) != 0 || seteuid(kNobody) != 0) return;
  prctl(PR_SET_DUMPABLE, 1);  // or /proc/self would not be this user's
  if (euidaccess(folders.front()->root().c_str(), W_OK) == 0) return;
  if (seteuid(0) != 0 || setegid(0) != 0) std::abort();
}

// What threads did, by kind.
struct Counts {
  std::atomic<std::uint64_t> searches{0}, errors{0}, matches{0}, cancelled{0}, builds{0}, engines{0}, edits{0},
      calls{0};
};

// Sources of calls that run: another thread cancels one of them now and then.
class Cancels {
 public:
  CancelToken Add(std::size_t place) {
    const std::lock_guard lock(mutex_);
    sources_[place % sources_.size()] = CancelSource();
    return sources_[place % sources_.size()].token();
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    for (CancelSource& source : sources_) source = CancelSource();
  }
  void Cancel(std::size_t place) {
    const std::lock_guard lock(mutex_);
    sources_[place % sources_.size()].Cancel();
  }

 private:
  std::mutex mutex_;
  std::vector<CancelSource> sources_{8};
};

class Stress : public ::testing::Test {
 protected:
  Stress() {
    for (int i = 0; i < kSteadyFiles; ++i) {
      tree_.Write("steady/d" + std::to_string(i % 3) + "/s" + std::to_string(i), "a steadyword\nhay\n");
    }
    for (int i = 0; i < 60; ++i) tree_.Write(FileAt(static_cast<std::size_t>(i)), "some text\nfoo bar\n");
    tree_.Write(".ssh/id", "DENIED foo\n");
    tree_.Write("key.pem", "DENIED foo\n");
    tree_.Write(".git/HEAD", "ref: refs/heads/main\n");
  }

  ~Stress() override {
    // The user that made the folders removes them.
    if (getuid() == 0 && (seteuid(0) != 0 || setegid(0) != 0)) std::abort();
  }

  static std::string FileAt(std::size_t number) {
    return "d" + std::to_string(number % 7) + "/f" + std::to_string(number);
  }

  // --- engines ---

  EngineOptions RandomOptions(Random& random) const {
    EngineOptions options;
    options.roots = {tree_.root()};
    SearchConfig& search = options.config.search;
    search.binary = random.OneIn(4) ? (random.OneIn(2) ? "rg" : "ugrep") : "native";
    search.fallback_binary = "native";
    search.default_timeout = milliseconds(3000 * kSlower);
    search.emit_stats = random.OneIn(2);
    search.fuzzy_fallback = random.OneIn(4);
    search.index.mode = random.OneIn(5) ? IndexMode::kOff : IndexMode::kOn;
    search.index.storage = random.OneIn(2) ? IndexStorage::kMemory : IndexStorage::kSqlite;
    search.index.token_structure = random.OneIn(2) ? TokenStructure::kPostings : TokenStructure::kBloom;
    search.index.path = cache_.Path("index" + std::to_string(random.Below(2)));
    search.index.watch_debounce = milliseconds(random.OneIn(2) ? 0 : 20);
    search.index.build_throttle = milliseconds(0);
    search.index.watch = !random.OneIn(5);
    search.index.default_hidden = random.OneIn(3);
    search.index.text_cache_bytes = random.OneIn(2) ? 0 : 100'000;
    search.index.max_memory_bytes = random.OneIn(6) ? 100'000 : 268'435'456;
    ModelConfig& model = options.config.llm.models.emplace_back();
    model.name = model.model = "none";
    model.base_url = "http://127.0.0.1:9";
    options.indexing = random.OneIn(3) ? EngineOptions::Indexing::kForeground : EngineOptions::Indexing::kBackground;
    options.log = [](const std::string&) {};
    return options;
  }

  std::shared_ptr<Engine> MakeEngine(Random& random) {
    EngineOptions options = RandomOptions(random);
    Result<std::unique_ptr<Engine>> engine = Error{};
    if (random.OneIn(3)) {
      options.config.server.mode = ServerMode::kOn;
      engine = remote::CreateEngine(std::move(options), {.place = server_->place(),
                                                         .environment = Environment::FromProcess(),
                                                         .program = "/nonexistent",
                                                         .local = Engine::Create});
    } else {
      engine = Engine::Create(std::move(options));
    }
    EXPECT_TRUE(engine.ok()) << engine.error().message;
    ++counts_.engines;
    return engine ? std::shared_ptr<Engine>(*std::move(engine)) : nullptr;
  }

  std::shared_ptr<Engine> At(std::size_t slot) {
    const std::lock_guard lock(mutex_);
    return engines_[slot];
  }
  void Replace(std::size_t slot, std::shared_ptr<Engine> engine) {
    const std::lock_guard lock(mutex_);
    engines_[slot].swap(engine);
  }

  // --- calls ---

  void Check(const Result<SearchResponse>& response) {
    ++counts_.searches;
    if (!response) {
      ++counts_.errors;
      ASSERT_FALSE(response.error().message.empty());
      return;
    }
    counts_.matches += response->matches.size();
    for (const Event& event : response->matches) {
      ASSERT_EQ(event.line.view().find("DENIED"), std::string::npos) << event.path;
    }
  }

  void SearchAnything(Engine& engine, Random& random) {
    SearchRequest request = MakeRequest(random);
    request.timeout = milliseconds(random.OneIn(4) ? 1 + random.Below(20) : 2000 * kSlower);
    SearchOptions options;
    if (random.OneIn(3)) options.cancel = cancels_.Add(random.Below(8));
    std::size_t events = 0;
    if (random.OneIn(3)) options.on_event = [&](const Event&) { ++events; };
    if (random.OneIn(4)) options.on_file = [&](const FileReport&) { ++events; };
    if (random.OneIn(4)) options.enough = [&] { return events > 3; };
    if (random.OneIn(4)) options.on_progress = [&](const auto&) { ++events; };
    options.hints = random.OneIn(4);
    options.keep_events = !random.OneIn(6);
    Check(engine.Search(request, options));
  }

  // Nothing that other threads do may change this answer.
  void SearchSteady(Engine& engine) {
    const auto response =
        engine.Search({.pattern = "steadyword", .path = "steady", .timeout = std::chrono::minutes(1 * kSlower)});
    Check(response);
    ASSERT_TRUE(response.ok()) << response.error().message;
    ASSERT_EQ(response->matches.size(), static_cast<std::size_t>(kSteadyFiles))
        << response->content << (response->errors.empty() ? "" : response->errors.front().error);
    ASSERT_TRUE(response->errors.empty()) << response->errors.front().path << response->errors.front().error;
    ASSERT_FALSE(response->truncated);
  }

  void CallOne(Engine& engine, Random& random) {
    ++counts_.calls;
    switch (random.Below(24)) {
      case 0: engine.StartIndexing(); break;
      case 1: (void)engine.index_status(); break;
      case 2: (void)engine.index_diagnostics(); break;
      case 3:
        ++counts_.builds;
        (void)engine.BuildIndexes(
            random.OneIn(3), [](const IndexStatus&) {}, cancels_.Add(random.Below(8)));
        break;
      case 4: (void)engine.VerifyIndexes(cancels_.Add(random.Below(8))); break;
      case 5:
        if (random.OneIn(4)) (void)engine.ClearIndexes();
        break;
      case 6: (void)engine.stored_indexes(); break;
      case 7: (void)engine.ExplainIndex(MakeRequest(random)); break;
      case 8: (void)engine.backends(); break;
      case 9: (void)engine.backend_diagnostics(); break;
      case 10: ASSERT_EQ(engine.roots(), std::vector<std::string>{tree_.root()}); break;
      case 11: ASSERT_EQ(engine.working_dir(), tree_.root()); break;
      case 12: ASSERT_GE(engine.config().search.max_files, 1); break;
      case 13: {
        const auto response =
            engine.KeywordSearch({.query = "what", .search_terms = {"foo", "DENIED"}, .model = "none", .dry_run = true},
                                 cancels_.Add(random.Below(8)));
        if (response && response->preview) {
          ASSERT_EQ(response->preview->body.find("DENIED foo"), std::string::npos);
        }
        break;
      }
      case 14:
      case 15:
      case 16: SearchSteady(engine); break;
      default: SearchAnything(engine, random); break;
    }
  }

  void CallUntilTheEnd(std::uint64_t seed) {
    Random random(seed);
    while (Clock::now() < end_ && !HasFatalFailure()) {
      const std::size_t slot = random.Below(kSlots);
      if (random.OneIn(60)) Replace(slot, MakeEngine(random));
      if (const auto engine = At(slot)) CallOne(*engine, random);
    }
  }

  // --- changes ---

  void EditOnce(Random& random) {
    ++counts_.edits;
    std::error_code error;
    const std::string file = tree_.Path(FileAt(random.Below(90)));
    const std::string other = tree_.Path(FileAt(random.Below(90)));
    switch (random.Below(14)) {
      case 0: fs::remove(file, error); break;
      case 1: fs::rename(file, other, error); break;
      case 2: fs::permissions(file, fs::perms::none, error); break;
      case 3: fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, error); break;
      case 4: fs::rename(tree_.Path("d" + std::to_string(random.Below(7))), tree_.Path("moved"), error); break;
      case 5: fs::rename(tree_.Path("moved"), tree_.Path("d" + std::to_string(random.Below(7))), error); break;
      case 6: fs::permissions(tree_.Path("d1"), fs::perms(random.OneIn(2) ? 0 : 0700), error); break;
      case 7: fs::create_symlink(random.OneIn(2) ? "../.ssh" : "../key.pem", file, error); break;
      case 8: Huge(random); break;
      case 9:
        Put(tree_.Path(random.OneIn(2) ? ".ssh/id" : "d2/" + std::to_string(random.Below(9)) + ".pem"), "DENIED foo\n");
        break;
      case 10: Put(tree_.Path(random.OneIn(2) ? ".gitignore" : "d3/.gitignore"), "f1*\n"); break;
      case 11: fs::remove(tree_.Path(".gitignore"), error); break;
      default:
        fs::create_directories(fs::path(file).parent_path(), error);
        Put(file, "foo " + std::to_string(random.Below(1000)) + "\nkmalloc bar\n");
    }
  }
  // May fail: the folder may be gone, or closed.
  static void Put(const std::string& path, const std::string& text) {
    if (std::FILE* file = std::fopen(path.c_str(), "w")) {
      std::fwrite(text.data(), 1, text.size(), file);
      std::fclose(file);
    }
  }
  // 300 MB without a disk behind them, for a moment.
  void Huge(Random& random) const {
    const std::string path = tree_.Path("huge");
    Put(path, "foo in a huge file\n");
    if (truncate(path.c_str(), 300'000'000) != 0) return;
    if (random.OneIn(2)) (void)truncate(path.c_str(), 20);
    if (random.OneIn(3)) unlink(path.c_str());
  }
  void EditUntilTheEnd(std::uint64_t seed) {
    Random random(seed);
    while (Clock::now() < end_) {
      EditOnce(random);
      if (random.OneIn(20)) cancels_.Cancel(random.Below(8));
      std::this_thread::yield();
    }
  }

  void RunAll(std::uint64_t seed) {
    server_ = std::make_unique<SharedServer>();
    Random random(seed);
    for (auto& engine : engines_) engine = MakeEngine(random);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kCallers; ++i) threads.emplace_back([this, n = seed + i] { CallUntilTheEnd(n); });
    for (std::size_t i = 0; i < 2; ++i) threads.emplace_back([this, n = seed + 100 + i] { EditUntilTheEnd(n); });
    for (std::thread& thread : threads) thread.join();
    for (auto& engine : engines_) engine.reset();
    server_.reset();
    cancels_.Clear();
  }

  const TempTree tree_;
  const TempTree cache_;
  std::unique_ptr<SharedServer> server_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Engine>> engines_{kSlots};
  Cancels cancels_;
  Counts counts_;
  Clock::time_point end_;
};

TEST_F(Stress, EveryCallAgainstEveryOther) {
  const std::uint64_t seed = FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  end_ = Clock::now() + std::chrono::seconds(EnvNumber("FORGE_TEST_SECONDS", 60));
  BecomeNobody({&tree_, &cache_});
  // Folders that this user may read and write.
  setenv("HOME", cache_.root().c_str(), 1);
  setenv("TMPDIR", cache_.root().c_str(), 1);
  // One engine first, so that what a process opens once and keeps is open.
  {
    Random random(seed);
    const auto engine = Engine::Create(RandomOptions(random));  // there is no server yet
    ASSERT_TRUE(engine.ok()) << engine.error().message;
    SearchSteady(**engine);
  }
  std::thread([] {}).join();  // a sanitizer may have one of its own from then on
  const std::size_t threads = ThreadsAtLast(1);
  const std::size_t descriptors = EntriesOf("/proc/self/fd");
  RunAll(seed);
  std::printf(
      "seed %llu: %llu calls on %llu engines, %llu of them searches with %llu matches (%llu ended in an error), "
      "%llu builds; %llu changes of the tree\n",
      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(counts_.calls),
      static_cast<unsigned long long>(counts_.engines), static_cast<unsigned long long>(counts_.searches),
      static_cast<unsigned long long>(counts_.matches), static_cast<unsigned long long>(counts_.errors),
      static_cast<unsigned long long>(counts_.builds), static_cast<unsigned long long>(counts_.edits));
  EXPECT_GT(counts_.searches, 20U);
  EXPECT_GT(counts_.matches, 20U);
  EXPECT_LE(ThreadsAtLast(threads), threads) << "threads are left";
  // Some are opened once and kept; one for each engine or call would be far more.
  EXPECT_LE(EntriesOf("/proc/self/fd"), descriptors + 16) << "descriptors are left: " << OpenFiles();
}

}  // namespace
}  // namespace forge::testing
