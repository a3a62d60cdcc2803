// Every call of the system may fail: the n-th call of each function, for every n,
// in each way in which the program is used. What we want each time: the right
// answer, or one that says what is missing, or a clear error; no crash and no
// hang; and the next run, without the fault, is right.
//
//   FORGE_TEST_CASES=1000000 build/release/fault_tests      every n
//   FORGE_TEST_FUNCTION=openat2 ...                         of one function
//
// Without that, a few n of each function, chosen by FORGE_TEST_SEED. Lists of
// functions and errors: fault_table.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

#include "tests/faults/fault_file.h"
#include "tests/testing/json_view.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/running_program.h"
#include "tests/testing/sanitizers.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

constexpr auto kAsk = R"({"pattern":"needle|alpha","hidden":true,"follow":true,"context":1})";

// What became of the runs, for the line at the end.
struct Tally {
  std::uint64_t runs = 0;
  std::uint64_t reached = 0;
  std::uint64_t right = 0;
  std::uint64_t partial = 0;  // and said so
  std::uint64_t errors = 0;
};

class FaultsTest : public ::testing::Test {
 protected:
  FaultsTest() {
    tree_.Write("a.txt", "one needle\n");
    tree_.Write("d/b.txt", "two\nneedle\nthree\n");
    tree_.Write("d/e/c.txt", "alpha\n");
    tree_.Write("d/large.txt", std::string(3'000'000, 'x') + "needle\n");
    tree_.Write("d/.gitignore", "ignored*\n");
    tree_.Write("d/ignored.txt", "an ignored needle\n");
    tree_.Write("excluded.txt", "an excluded needle\n");
    tree_.Write(".git/HEAD", "ref: refs/heads/main\n");
    tree_.Write(".git/config", "[core]\n\tignoreCase = false\n");
    tree_.Write(".git/info/exclude", "excluded.txt\n");
    tree_.Write("key.pem", "SECRET needle\n");
    tree_.Write("own.hush", "SECRET needle\n");
    tree_.Write("s.hush/x.txt", "SECRET needle\n");
    tree_.Link("d/e", "link");
    home_.Write(".forge/config.toml",
                "[tools.sandbox]\ndenied_patterns = [\"*.hush\"]\n[tools.search]\nmax_file_size_bytes = 1000000\n");
  }

  void SetUp() override {
    if (kAnySanitizer) GTEST_SKIP() << "a sanitizer must be loaded before any other library";
  }

  void TearDown() override {
    if (kAnySanitizer) return;
    RunProgram(Program({"serve", "--stop"}));
    std::printf("%llu runs, %llu met their fault: %llu right, %llu partial and said so, %llu with an error\n",
                static_cast<unsigned long long>(tally_.runs), static_cast<unsigned long long>(tally_.reached),
                static_cast<unsigned long long>(tally_.right), static_cast<unsigned long long>(tally_.partial),
                static_cast<unsigned long long>(tally_.errors));
  }

  Command Program(std::vector<std::string> args) const {
    Command command;
    command.argv = {ProgramPath()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.env = {{"PATH", "/usr/bin:/bin"},
                   {"HOME", home_.root()},
                   {"XDG_RUNTIME_DIR", run_.root()},
                   {"GIT_CONFIG_NOSYSTEM", "1"},
                   {"FORGE_SERVER", "off"},
                   {"FORGE_SEARCH_INDEX_PATH", cache_.Path("index")},
                   {"FORGE_SEARCH_INDEX_WATCH_DEBOUNCE_MS", "0"},
                   {"FORGE_SEARCH_INDEX_BUILD_THROTTLE_MS", "0"},
                   {"FORGE_SEARCH_INDEX_AUTO_THRESHOLD_FILES", "1"}};
    command.cwd = tree_.root();
    return command;
  }
  Command Faulty(Command command) const {
    faults_.AddTo(command.env);
    return command;
  }
  Command Search(const std::string& backend, const std::string& index, const std::string& server = "off") const {
    return Program(
        {"call", "Search", kAsk, "--root", tree_.root(), "--backend", backend, "--index", index, "--server", server});
  }
  Command Build() const { return Program({"index", "build", "--root", tree_.root(), "--backend", "native"}); }

  // Which calls of a function fail, of as many as a run without faults makes.
  std::vector<std::uint64_t> Places(std::uint64_t calls) {
    const std::uint64_t most = CaseCount(most_);
    std::vector<std::uint64_t> places;
    if (calls <= most) {
      for (std::uint64_t n = 1; n <= calls; ++n) places.push_back(n);
      return places;
    }
    std::set<std::uint64_t> some = {1};
    while (some.size() < most) some.insert(1 + random_.Below(calls));
    places.assign(some.begin(), some.end());
    return places;
  }

  // Runs `once` without a fault, which counts the calls, and then with each.
  void ForEachFault(const std::function<void()>& once) {
    Run({}, once);
    std::array<std::uint64_t, kFaultFunctions> calls;
    std::uint64_t all = 0;
    for (int f = 0; f < kFaultFunctions; ++f) all += calls[static_cast<std::size_t>(f)] = faults_.calls(f);
    ASSERT_GT(all, 0U) << "the library is not in the program";
    const char* only = std::getenv("FORGE_TEST_FUNCTION");
    for (int f = 0; f < kFaultFunctions; ++f) {
      if (only != nullptr && kFaultNames[static_cast<std::size_t>(f)] != std::string_view(only)) continue;
      for (const std::uint64_t n : Places(calls[static_cast<std::size_t>(f)])) {
        Run({f, n, kFaultErrors[static_cast<std::size_t>(f)]}, once);
        if (HasFailure()) return;
      }
    }
  }
  void Run(const Fault& fault, const std::function<void()>& once) {
    const std::string what = fault.function < 0
                                 ? "no fault"
                                 : kFaultNames[static_cast<std::size_t>(fault.function)] + std::string(", call ") +
                                       std::to_string(fault.at) + " fails with " + std::strerror(fault.error);
    SCOPED_TRACE(what + ", seed " + std::to_string(FirstSeed()));
    fault_ = fault;
    ++tally_.runs;
    once();
  }
  void Arm() { faults_.Arm(fault_); }
  // What runs from here on is not part of the trial.
  void Disarm() { tally_.reached += faults_.failed() ? 1U : 0U; }

  void ExpectNoCrash(const Ended& ended) {
    EXPECT_FALSE(ended.overran) << "it hung";
    EXPECT_EQ(ended.signal, 0) << "it crashed: " << ended.err;
    EXPECT_EQ(ended.out.find("SECRET"), std::string::npos) << ended.out;
    EXPECT_EQ(ended.err.find("SECRET"), std::string::npos) << ended.err;
  }

  // Equal to the answer without a fault, or it says what is missing, or it is an
  // error with a message.
  void Judge(const Ended& ended) {
    ExpectNoCrash(ended);
    JudgeDocument(ended.out, ended.err, ended.exit_code != 0);
  }
  void JudgeDocument(const std::string& out, const std::string& err, bool failed) {
    if (out == right_) {
      ++tally_.right;
      return;
    }
    const JsonView json(out);
    if (failed) {
      ++tally_.errors;
      const bool said = !err.empty() || !json.Text("/error/message").empty();
      EXPECT_TRUE(said) << "an error without a message: " << out;
      return;
    }
    ++tally_.partial;
    ASSERT_TRUE(json.valid()) << out << err;
    const bool said = json.Size("/errors") > 0 || json.At("/truncated") == "true" || json.At("/timed_out") == "true" ||
                      !json.At("/exit_code").empty();
    EXPECT_TRUE(said) << "something is missing, and nothing says so:\n" << out << "\nright:\n" << right_;
  }
  void ExpectRight(const Ended& ended, const std::string& what) {
    ExpectNoCrash(ended);
    EXPECT_EQ(ended.out, right_) << what << ": " << ended.err;
  }

  // The index that is stored, kept aside so that each run begins with it.
  void Keep() { fs::rename(cache_.Path("index"), cache_.Path("kept")); }
  void Restore() {
    fs::remove_all(cache_.Path("index"));
    if (fs::exists(cache_.Path("kept"))) {
      fs::copy(cache_.Path("kept"), cache_.Path("index"), fs::copy_options::recursive);
      fs::permissions(cache_.Path("index"), fs::perms::owner_all);
    }
  }

  // After the fault: searches are right, building works, and what is built is sound.
  void ExpectNothingLost() {
    ExpectRight(RunProgram(Search("native", "on")), "the next search");
    const Ended built = RunProgram(Build());
    EXPECT_EQ(built.exit_code, 0) << "the next build: " << built.out << built.err;
    ExpectRight(RunProgram(Search("native", "on")), "the search after the next build");
    const Ended verified = RunProgram(Program({"index", "verify", "--root", tree_.root(), "--backend", "native"}));
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }

  const TempTree tree_;
  const TempTree home_;
  const TempTree run_;
  const TempTree cache_;
  std::uint64_t most_ = 3;  // n of each function, in the short form
  FaultFile faults_;
  Fault fault_;
  Random random_{FirstSeed()};
  std::string right_;
  Tally tally_;
};

struct Searcher {
  const char* backend;
  const char* index;
};

class FaultsInASearch : public FaultsTest, public ::testing::WithParamInterface<Searcher> {};

TEST_P(FaultsInASearch, AnswersOrSays) {
  const Command search = Search(GetParam().backend, GetParam().index);
  if (GetParam().backend == std::string("native")) most_ = 60;  // quick: nearly every n
  if (GetParam().index == std::string("on")) {
    ASSERT_EQ(RunProgram(Build()).exit_code, 0);
    Keep();
  }
  Restore();
  right_ = RunProgram(search).out;
  ASSERT_THAT(right_, ::testing::HasSubstr("one needle"));
  ASSERT_THAT(right_, ::testing::Not(::testing::HasSubstr("ignored needle")));
  ForEachFault([&] {
    Arm();
    const Ended ended = RunProgram(Faulty(search));
    Disarm();
    Judge(ended);
    if (ended.out != right_) ExpectRight(RunProgram(search), "the next search");
  });
  EXPECT_GT(tally_.reached, tally_.runs / 2);
}

INSTANTIATE_TEST_SUITE_P(Backends, FaultsInASearch,
                         ::testing::Values(Searcher{"native", "off"}, Searcher{"native", "on"}, Searcher{"rg", "off"},
                                           Searcher{"ugrep", "off"}),
                         [](const auto& named) {
                           return std::string(named.param.backend) + "_index_" + named.param.index;
                         });

TEST_F(FaultsTest, InABuild) {
  right_ = RunProgram(Search("native", "off")).out;
  ForEachFault([&] {
    Restore();
    Arm();
    const Ended ended = RunProgram(Faulty(Build()));
    Disarm();
    ExpectNoCrash(ended);
    (ended.exit_code == 0 ? tally_.right : tally_.errors) += 1;
    EXPECT_TRUE(ended.exit_code == 0 || !ended.err.empty()) << "an error without a message";
    ExpectNothingLost();
  });
}

// Some files changed since the index was stored; the commit changes what is there.
TEST_F(FaultsTest, InAnUpdateAndItsCommit) {
  ASSERT_EQ(RunProgram(Build()).exit_code, 0);
  Keep();
  tree_.Write("a.txt", "another needle\n");
  tree_.Write("d/new.txt", "a new alpha\n");
  tree_.Remove("d/e/c.txt");
  right_ = RunProgram(Search("native", "off")).out;
  ForEachFault([&] {
    Restore();
    Arm();
    const Ended ended = RunProgram(Faulty(Build()));
    Disarm();
    ExpectNoCrash(ended);
    (ended.exit_code == 0 ? tally_.right : tally_.errors) += 1;
    EXPECT_TRUE(ended.exit_code == 0 || !ended.err.empty()) << "an error without a message";
    ExpectNothingLost();
  });
}

// A session with an index of its own, in memory and on disk, while a file changes.
TEST_F(FaultsTest, InASession) {
  const auto call = [](int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":"Search","arguments":)" + kAsk + "}}\n";
  };
  std::array<std::string, 3> right;
  ForEachFault([&] {
    fs::remove_all(cache_.Path("index"));
    tree_.Write("a.txt", "one needle\n");
    Arm();
    RunningProgram session(Faulty(Program(
        {"mcp", "--root", tree_.root(), "--backend", "native", "--index", "on", "--set", "mcp.structured=true"})));
    session.Write(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
        "\n");
    if (!session.ReadLine()) {
      // It could not begin, and its standard error (the test's) says why.
      EXPECT_GT(session.Wait(), 0) << "it ended without a word";
      ++tally_.errors;
      Disarm();
      return;
    }
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (i > 0) tree_.Write("a.txt", "needle number " + std::to_string(i) + "\n");
      session.Write(call(static_cast<int>(i) + 1));
      const auto answer = session.ReadLine();
      if (!answer) {
        // It could not write the answer, and ends.
        EXPECT_GT(session.Wait(), 0) << "it ended without a word";
        ++tally_.errors;
        Disarm();
        return;
      }
      const std::string& line = *answer;
      const JsonView json(line);
      ASSERT_EQ(json.At("/id"), std::to_string(i + 1)) << "no answer: " << line;
      EXPECT_EQ(line.find("SECRET"), std::string::npos) << line;
      // Without the text, its last member: a standing note is said once a session, and a
      // fault may be why it was not said before.
      std::string document = json.At("/result/structuredContent");
      if (const std::size_t text = document.find(",\"content\":"); text != std::string::npos) {
        document.replace(text, std::string::npos, "}");
      }
      if (fault_.function < 0) right[i] = document;
      right_ = right[i];
      const bool failed = json.At("/result/isError") == "true";
      JudgeDocument(document, failed ? json.Text("/result/content/0/text") : "", failed);
    }
    session.CloseInput();
    EXPECT_GE(session.Wait(), 0) << "it crashed or hung at the end";
    Disarm();
  });
  fs::remove_all(cache_.Path("index"));
}

// The client asks a server that runs.
TEST_F(FaultsTest, InAClient) {
  right_ = RunProgram(Search("native", "off")).out;
  const Command search = Search("native", "off", "on");
  ExpectRight(RunProgram(search), "the first, which starts the server");
  ForEachFault([&] {
    Arm();
    const Ended ended = RunProgram(Faulty(search));
    Disarm();
    Judge(ended);
    ExpectRight(RunProgram(search), "the next search");
  });
}

// The server's calls fail, from its start to its end.
TEST_F(FaultsTest, InTheSharedServer) {
  right_ = RunProgram(Search("native", "off")).out;
  const Command search = Search("native", "on", "on");
  ForEachFault([&] {
    fs::remove_all(cache_.Path("index"));
    Arm();
    {
      RunningProgram server(Faulty(Program({"serve"})));
      if (!server.ReadLine()) {
        EXPECT_GT(server.Wait(), 0) << "it ended without a word";
        ++tally_.errors;
      } else {
        for (int i = 0; i < 2; ++i) Judge(RunProgram(search));
        server.Signal(SIGTERM);
        EXPECT_GE(server.Wait(), 0) << "it crashed or hung at the end";
      }
    }
    Disarm();
    RunProgram(Program({"serve", "--stop"}));  // one that a client has started instead
    ExpectRight(RunProgram(Search("native", "on")), "the next search by itself");
  });
}

}  // namespace
}  // namespace forge::testing
