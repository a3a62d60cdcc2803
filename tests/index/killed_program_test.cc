// The real program, killed at any moment: while it builds, and as a server
// while files change. It leaves an index that is right, or none.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/index/fault_world.h"
#include "tests/testing/places.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/running_program.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr int kFiles = 120;

class KilledProgram : public ::testing::Test {
 protected:
  KilledProgram() {
    world_.denies.clear();  // as the program has them
    FillTree(world_.tree, kFiles);
  }

  std::vector<std::string> Arguments(std::vector<std::string> args, const std::string& index = "on") const {
    args.insert(args.begin(), ProgramPath());
    args.insert(args.end(), {"--root", world_.tree.root(), "--backend", "native", "--index", index});
    return args;
  }
  std::map<std::string, std::string> Environment() const {
    return {{"PATH", "/usr/bin:/bin"},
            {"HOME", home_.root()},
            {"GIT_CONFIG_NOSYSTEM", "1"},
            {"FORGE_SERVER", "off"},
            {"FORGE_SEARCH_INDEX_PATH", world_.config.index.path},
            {"FORGE_SEARCH_INDEX_WATCH_DEBOUNCE_MS", "0"},
            {"FORGE_SEARCH_INDEX_BUILD_THROTTLE_MS", "0"}};
  }
  Command CommandOf(const std::vector<std::string>& args) const {
    Command command;
    command.argv = Arguments(args);
    command.env = Environment();
    return command;
  }
  Ended Run(const std::vector<std::string>& args, const std::string& index = "on", const std::string& in = "") const {
    Command command;
    command.argv = Arguments(args, index);
    command.env = Environment();
    command.cwd = world_.tree.root();
    command.stdin_text = in;
    return RunProgram(command);
  }

  void Edit() {
    const std::string number = std::to_string(random_.Below(kFiles));
    const std::string folder = "d" + std::to_string(random_.Below(kFiles / 10));
    switch (random_.Below(4)) {
      case 0: world_.tree.Write(folder + "/edited" + number, "needle " + number + "\n"); break;
      case 1: world_.tree.Remove(folder + "/edited" + number); break;
      default:
        world_.tree.Write("d" + std::to_string(std::stoi(number) / 10) + "/f" + number + ".txt",
                          "alpha" + std::to_string(random_.Below(1000)) + "\n");
    }
  }

  // The content of the stamp file; it differs after each commit.
  std::string Stamp() const {
    for (const auto& entry : fs::directory_iterator(world_.config.index.path)) {
      if (entry.path().extension() == ".stamp") return world_.cache.Read("index/" + entry.path().filename().string());
    }
    return "";
  }

  // A random moment within `most`; the state of the machine adds to it.
  microseconds Moment(microseconds most) {
    return microseconds(random_.Below(static_cast<std::size_t>(most.count()) + 1));
  }

  // The next process gives the same answers as without an index, and uses the
  // stored index.
  void ExpectSound(const std::string& what) {
    world_.write = false;
    world_.OpenStored();
    ASSERT_TRUE(world_.diagnostics.empty()) << what << ": " << world_.diagnostics.front();
    ++met_[world_.State()];
    const std::optional<WallTime> updated = world_.root().status().updated;
    if (std::exchange(updated_, updated) != updated) ++updates_;
    world_.ExpectSame(what);
    const bool is_index = world_.root().snapshot() != nullptr;
    if (!is_index) {
      ASSERT_EQ(world_.State(), "ABSENT") << what << ": " << world_.root().status().problem;
    }
    world_.Close();
    const Ended verified = Run({"index", "verify"});
    ASSERT_EQ(verified.exit_code, is_index ? 0 : 2) << what << ": " << verified.out << verified.err;
    const std::string request = R"({"pattern":"needle|alpha7"})";
    const Ended with = Run({"call", "Search", "-"}, "on", request);
    ASSERT_EQ(with.exit_code, 0) << what << with.err;
    ASSERT_EQ(with.out, Run({"call", "Search", "-"}, "off", request).out) << what;
  }

  // The next writer takes the lock, finds nothing in its way, removes
  // leftovers.
  void ExpectHeals(const std::string& what) {
    const Ended built = Run({"index", "build"});
    ASSERT_EQ(built.exit_code, 0) << what << ": " << built.err;
    ExpectComplete(what);
  }
  void ExpectComplete(const std::string& what) {
    const Ended verified = Run({"index", "verify"});
    ASSERT_EQ(verified.exit_code, 0) << what << ": " << verified.out << verified.err;
    world_.write = false;
    world_.OpenStored();
    ASSERT_EQ(world_.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION") << what << world_.root().status().problem;
    world_.ExpectSame(what + ", healed");
    world_.Indexed(FaultWorld::Request("nowhere_to_be_found"));
    ASSERT_EQ(world_.stats.candidates_excluded, world_.root().status().files) << what;
    std::size_t segments = 0;
    for (const auto& entry : fs::directory_iterator(world_.config.index.path)) {
      const std::string kind = entry.path().extension();
      ASSERT_THAT(kind, ::testing::AnyOf(".db", ".db-wal", ".db-shm", ".seg", ".stamp", ".lock", ".use")) << what;
      segments += kind == ".seg" ? 1U : 0U;
    }
    ASSERT_EQ(segments, world_.root().status().segments) << what << ": segments that no transaction names";
    updated_ = world_.root().status().updated;
    world_.Close();
  }

  void Report(std::uint64_t runs) const {
    std::printf("seed %llu: %llu of %llu were killed at work, %llu had stored something; left were",
                static_cast<unsigned long long>(seed_), static_cast<unsigned long long>(killed_),
                static_cast<unsigned long long>(runs), static_cast<unsigned long long>(updates_));
    for (const auto& [state, count] : met_) std::printf(" %s %d", state.c_str(), count);
    std::printf("\n");
  }

  const std::uint64_t seed_ = FirstSeed();
  Random random_{seed_};
  FaultWorld world_{{.storage = "sqlite", .server = false}};
  TempTree home_;
  std::uint64_t killed_ = 0;
  std::uint64_t updates_ = 0;
  std::optional<WallTime> updated_;
  std::map<std::string, int> met_;
};

TEST_F(KilledProgram, ABuild) {
  const auto begin = SteadyClock::now();
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  const auto whole = std::chrono::duration_cast<microseconds>(SteadyClock::now() - begin);
  ExpectComplete("the first");
  const std::uint64_t runs = CaseCount(24);
  for (std::uint64_t run = 0; run < runs && !HasFatalFailure(); ++run) {
    const std::string what = "seed " + std::to_string(seed_) + " run " + std::to_string(run);
    for (std::size_t edits = random_.Below(20); edits > 0; --edits) Edit();
    std::vector<std::string> args = {"index", "build"};
    if (random_.OneIn(3)) args.emplace_back("--anew");
    RunningProgram program(CommandOf(args));
    const microseconds moment = Moment(whole);
    // A file changes while it runs, too.
    program.EndsWithin(moment / 2);
    Edit();
    program.EndsWithin(moment - moment / 2);
    if (program.Kill()) ++killed_;
    ExpectSound(what);
    if (run % 4 == 0 && !HasFatalFailure()) ExpectHeals(what);
  }
  Report(runs);
  EXPECT_GT(killed_, runs / 4) << "too late to kill anything";
}

constexpr auto kHandshake =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

// It opens, reconciles, and then indexes changed files.
TEST_F(KilledProgram, AServerThatUpdates) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  ExpectComplete("the first");
  const std::uint64_t runs = CaseCount(12);
  for (std::uint64_t run = 0; run < runs && !HasFatalFailure(); ++run) {
    const std::string what = "seed " + std::to_string(seed_) + " run " + std::to_string(run);
    {
      RunningProgram server(CommandOf({"mcp"}));
      server.Write(kHandshake);
      // Some commits later, and a moment.
      const auto end = SteadyClock::now() + std::chrono::seconds(10);
      std::string stamp = Stamp();
      for (std::size_t commits = random_.Below(4); commits > 0 && SteadyClock::now() < end;) {
        Edit();
        ASSERT_FALSE(server.EndsWithin(Moment(std::chrono::milliseconds(5)))) << what << ": it ended by itself";
        if (const std::string now = Stamp(); std::exchange(stamp, now) != now) --commits;
      }
      Edit();
      server.EndsWithin(Moment(std::chrono::milliseconds(30)));
      if (server.Kill()) ++killed_;
    }
    ExpectSound(what);
    if (HasFatalFailure()) break;
    if (run % 4 == 0) ExpectHeals(what);
    if (run % 4 == 2) {
      // As the next server does, step by step.
      world_.write = true;
      world_.OpenStored();
      ASSERT_TRUE(world_.Heal()) << what;
      world_.ExpectSame(what + ", healed by a server");
      world_.root().Close();
      world_.Close();
      ExpectComplete(what);
    }
  }
  Report(runs);
  EXPECT_EQ(killed_, runs);
  EXPECT_GT(updates_, runs / 6) << "killed before it could do anything";
}

}  // namespace
}  // namespace forge::testing
