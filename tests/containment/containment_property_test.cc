// Containment as a property: what lies outside of the root, or is denied inside,
// changes no byte of any answer, and is in no stored file.
//
//   FORGE_TEST_SEED=7 FORGE_TEST_CASES=10000 build/release/containment_tests
//
// Each world is made and asked twice, in the same place, with two secrets; the two
// transcripts must be equal. Names, sizes and the number of secret files differ
// between the two as well. Stored files hold times and numbers of inodes, which
// differ between any two runs; so we look for the secret in them.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/containment/secret_world.h"
#include "tests/equivalence/request_json.h"
#include "tests/testing/json_view.h"
#include "tests/testing/mcp_session.h"
#include "tests/testing/places.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using Transcript = std::vector<std::string>;

const std::vector<std::string> kBackends = {"native", "rg", "ugrep"};
// Neither is a part of the other, nor of anything else.
const std::vector<std::string> kSecrets = {"qzjxkvwqpyhguzrtbnmc", "mwvbhqytxnzkrjpqfgdu"};
constexpr std::size_t kPiece = 8;  // so much of a secret betrays it

bool Betrays(const std::string& text, const std::string& secret) {
  for (std::size_t at = 0; at + kPiece <= secret.size(); ++at) {
    if (text.find(secret.substr(at, kPiece)) != std::string::npos) return true;
  }
  return false;
}

// One world with one secret: how the program is called there, and what it says.
class Asked {
 public:
  Asked(std::uint64_t seed, const std::string& place, const std::string& secret, bool mounts)
      : seed_(seed), place_(place), world_(seed, place, secret, mounts) {
    fs::create_directories(place_ + "/run");
    fs::permissions(place_ + "/run", fs::perms::owner_all);
  }

  Transcript Ask() {
    AskOnce();
    AskSession("off");
    {
      // Ours, so that we know when it has written its last byte.
      RunningProgram server(Program({"serve"}));
      EXPECT_TRUE(server.ReadLine()) << "no server";
      AskSession("on");
      RunProgram(Program({"serve", "--stop"}));
      EXPECT_EQ(server.Wait(), 0) << "seed " << seed_ << ": the server did not end";
    }
    AskModel();
    LookAtStoredFiles();
    return std::move(said_);
  }

 private:
  Command Program(std::vector<std::string> args) const {
    Command command;
    command.argv = {ProgramPath()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.env = {{"PATH", "/usr/bin:/bin"},
                   {"HOME", world_.home()},
                   {"XDG_RUNTIME_DIR", place_ + "/run"},
                   {"GIT_CONFIG_NOSYSTEM", "1"},
                   {"FORGE_SERVER", "off"},
                   {"FORGE_SEARCH_INDEX_PATH", place_ + "/cache"},
                   {"FORGE_SEARCH_INDEX_AUTO_THRESHOLD_FILES", "1"},
                   {"OPENAI_API_KEY", "k"}};
    command.cwd = world_.root();
    return command;
  }

  void Say(const std::string& asked, const std::string& text) {
    EXPECT_FALSE(Betrays(text, world_.secret())) << "seed " << seed_ << ": " << asked << "\n" << text;
    said_.push_back(asked + "\n" + text);
  }
  void Run(const std::vector<std::string>& args, const std::string& what) {
    const Ended ended = RunProgram(Program(args));
    EXPECT_EQ(ended.signal, 0) << "seed " << seed_ << ": " << what << ended.err;
    Say(what, std::to_string(ended.exit_code) + "\n" + ended.out + "\n" + ended.err);
  }

  // Single commands, without an index and with one.
  void AskOnce() {
    Random random(seed_ * 1000 + 1);
    const std::string structure = random.OneIn(2) ? "postings" : "bloom";
    for (int i = 0; i < 14; ++i) {
      const SearchRequest request = MakeNosyRequest(random, place_);
      const std::string& backend = random.Pick(kBackends);
      const std::string index = i < 7 ? "off" : "on";
      if (i == 7) RunProgram(Program(WithStructure({"index", "build"}, structure)));
      const std::vector<std::string> where = {"--root", world_.root(), "--backend", backend, "--index", index};
      std::vector<std::string> args = {"call", "Search", RequestJson(request)};
      if (random.OneIn(3)) args = CommandLine(request);
      const std::string what = args[0] + " " + backend + " index " + index + ": " + RequestJson(request);
      args.insert(args.end(), where.begin(), where.end());
      Run(args, what);
      if (random.OneIn(4)) world_.Swap(random);
    }
    // How many files hold a gram: this would show the grams of a denied file. The
    // index cannot vouch for a file that changed a moment before it was read; such a
    // file counts for every gram. So we let the clock pass by, and build again.
    LetStampsSettle();
    RunProgram(Program(WithStructure({"index", "build"}, structure)));
    Run(WithStructure({"index", "explain", "TOKEN_.*needle"}, structure), "explain " + structure);
  }
  std::vector<std::string> WithStructure(std::vector<std::string> args, const std::string& structure) const {
    args.insert(args.end(),
                {"--root", world_.root(), "--set", "tools.search.index_token_structure=\"" + structure + "\""});
    return args;
  }
  // Returns when a file that is written now is more than the index's 50 ms newer
  // than every file of the tree.
  void LetStampsSettle() const {
    const std::string probe = place_ + "/probe";
    const auto stamp = [&] {
      std::ofstream(probe) << "x";
      return fs::last_write_time(probe);
    };
    const auto first = stamp();
    while (stamp() - first < std::chrono::milliseconds(100)) std::this_thread::yield();
  }
  static std::vector<std::string> CommandLine(const SearchRequest& request) {
    std::vector<std::string> args = {"search"};
    if (request.hidden) args.emplace_back("--hidden");
    if (request.follow) args.emplace_back("--follow");
    if (request.no_ignore) args.emplace_back("--no-ignore");
    args.insert(args.end(), {"-e", request.pattern});
    if (!request.path.empty()) args.push_back(request.path);
    return args;
  }

  // An agent's session, by itself or with a shared server. The text for a model
  // may hold hints, whose number depends on the machine; the document does not.
  void AskSession(const std::string& server) {
    Random random(seed_ * 1000 + (server == "on" ? 2U : 3U));
    const std::string& backend = random.Pick(kBackends);
    const std::string index = random.OneIn(3) ? "off" : "on";
    McpSession session(Program({"mcp", "--root", world_.root(), "--backend", backend, "--index", index, "--server",
                                server, "--set", "mcp.structured=true"}));
    ASSERT_TRUE(session.began()) << "seed " << seed_;
    for (int i = 0; i < 10; ++i) {
      const SearchRequest request = MakeNosyRequest(random, place_);
      const std::string what = "mcp " + backend + " index " + index + " server " + server + ": " + RequestJson(request);
      const auto line = session.Search(RequestJson(request));
      ASSERT_TRUE(line) << "seed " << seed_ << ": " << what;
      EXPECT_FALSE(Betrays(*line, world_.secret())) << "seed " << seed_ << ": " << what << "\n" << *line;
      const JsonView json(*line);
      Say(what, json.At("/result/isError") + json.At("/result/structuredContent"));
      if (random.OneIn(3)) world_.Swap(random);
    }
  }

  // What would be sent to a language model. The messages beside it say how long it
  // took.
  void AskModel() {
    const Ended ended = RunProgram(
        Program({"ask", "Where is TOKEN?", "--terms", "TOKEN_,needle", "--dry-run", "--root", world_.root()}));
    EXPECT_FALSE(Betrays(ended.err, world_.secret())) << "seed " << seed_ << ": " << ended.err;
    Say("ask", std::to_string(ended.exit_code) + "\n" + ended.out);
  }

  void LookAtStoredFiles() {
    std::error_code ignored;
    for (const char* folder : {"/cache", "/run", "/home"}) {
      for (const auto& entry : fs::recursive_directory_iterator(place_ + folder, ignored)) {
        if (!entry.is_regular_file(ignored)) continue;
        ++stored_;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        EXPECT_FALSE(Betrays(text, world_.secret())) << "seed " << seed_ << ": " << entry.path();
        EXPECT_FALSE(Betrays(entry.path(), world_.secret())) << "seed " << seed_ << ": " << entry.path();
      }
    }
    EXPECT_GT(stored_, 0U) << "no index was ever stored";
  }

  const std::uint64_t seed_;
  const std::string place_;
  SecretWorld world_;
  Transcript said_;
  std::uint64_t stored_ = 0;
};

// A mount namespace of this process's own, if the system lets it have one.
bool MayMount() {
  static const bool may = unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return may;
}

TEST(Containment, NoByteDependsOnTheSecret) {
  const TempTree folder;
  const std::uint64_t seed = FirstSeed();
  const std::uint64_t cases = CaseCount(8);
  std::uint64_t answers = 0;
  std::uint64_t found = 0;
  std::printf("worlds %s mounts\n", MayMount() ? "with" : "without");
  for (std::uint64_t number = seed; number < seed + cases && !::testing::Test::HasFailure(); ++number) {
    std::vector<Transcript> said;
    for (const std::string& secret : kSecrets) {
      said.push_back(Asked(number, folder.Path("world"), secret, MayMount() && number % 2 == 0).Ask());
    }
    ASSERT_EQ(said[0].size(), said[1].size()) << "seed " << number;
    for (std::size_t i = 0; i < said[0].size(); ++i) {
      ASSERT_EQ(said[0][i], said[1][i]) << "seed " << number << ": the answer depends on the secret";
      found += said[0][i].find("inside needle") != std::string::npos ? 1U : 0U;
    }
    answers += said[0].size();
  }
  std::printf("%llu worlds from seed %llu, twice %llu answers, %llu of them with a match\n",
              static_cast<unsigned long long>(cases), static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(answers), static_cast<unsigned long long>(found));
  EXPECT_GT(found, answers / 20) << "hardly anything was ever found";
}

}  // namespace
}  // namespace forge::testing
