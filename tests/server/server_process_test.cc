// The program as a shared server, and what happens to its clients when it is
// killed, stopped, started twice or left alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "os/named_file.h"
#include "remote/client.h"
#include "tests/testing/places.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/running_program.h"
#include "tests/testing/sanitizers.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class ServerProcess : public ::testing::Test {
 protected:
  ServerProcess() {
    for (int i = 0; i < 40; ++i) tree_.Write("f" + std::to_string(i) + ".txt", "a needle\nhay\n");
  }
  ~ServerProcess() override { RunProgram(Program({"serve", "--stop"})); }

  Command Program(std::vector<std::string> args) const {
    Command command;
    command.argv = {ProgramPath()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.env = {{"HOME", home_.root()}, {"XDG_RUNTIME_DIR", home_.root()}, {"GIT_CONFIG_NOSYSTEM", "1"}};
    return command;
  }
  Command Search(const std::string& pattern, const std::string& mode) const {
    return Program({"search", pattern, "--root", tree_.root(), "--backend", "native", "--server", mode});
  }
  // A server that the test can signal.
  std::unique_ptr<RunningProgram> Serve() const {
    auto server = std::make_unique<RunningProgram>(Program({"serve"}));
    EXPECT_THAT(server->ReadLine().value_or(""), HasSubstr("serving"));
    return server;
  }
  // A client in this process, which takes itself for the program.
  Result<std::unique_ptr<Engine>> Client(EngineOptions options = {}) const {
    options.roots = {tree_.root()};
    options.config.search.binary = "native";
    options.config.server.mode = ServerMode::kOn;
    const auto file = os::StatPath(ProgramPath());
    return remote::CreateEngine(options, {.place = {home_.Path("forge-search"), remote::BuildOf(*file)},
                                          .environment = Environment({{"HOME", home_.root()}}),
                                          .program = "/nonexistent",
                                          .local = Engine::Create});
  }
  // Each line holds everything that a match needs, but in the wrong order, so a
  // search takes some seconds.
  static constexpr auto kSlow = "([a-z]+[a-z]+)+[0-9]";
  void MakeSlow() const {
    std::string line = "9";
    for (int i = 0; i < 900; ++i) line += "ax";
    std::string text;
    for (int i = 0; i < 1000; ++i) text += line + "\n";
    for (const char* name : {"y1", "y2", "y3", "y4"}) tree_.Write(name, text);
  }
  std::string Status() const { return RunProgram(Program({"serve", "--status"})).out; }

  const TempTree home_;
  const TempTree tree_;
};

template <typename Condition>
bool Becomes(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + RunningProgram::kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST_F(ServerProcess, ASearchGivesTheSameWithAndWithoutIt) {
  const Ended alone = RunProgram(Search("needle", "off"));
  EXPECT_EQ(RunProgram(Program({"serve", "--status"})).exit_code, 1) << "no server runs";
  const Ended shared = RunProgram(Search("needle", "on"));
  EXPECT_EQ(shared.out, alone.out);
  EXPECT_EQ(shared.exit_code, 0) << shared.err;
  EXPECT_THAT(Status(), HasSubstr(tree_.root()));
  EXPECT_THAT(Status(), HasSubstr("1 call so far"));
  const std::string json = RunProgram(Program({"serve", "--status", "--json"})).out;
  EXPECT_THAT(json, HasSubstr("\"calls\": 1,"));
  EXPECT_THAT(json, HasSubstr("\"text_bytes\": "));
  EXPECT_EQ(RunProgram(Program({"serve", "--stop"})).exit_code, 0);
  EXPECT_TRUE(Becomes([&] { return RunProgram(Program({"serve", "--status"})).exit_code == 1; }));
}

// Agents have limits and people have none; the tree is one.
TEST_F(ServerProcess, AShellUsesTheTreeOfAnAgent) {
  Command agent = Program({"mcp", "--root", tree_.root(), "--index", "on"});
  RunningProgram mcp(agent);
  ASSERT_TRUE(Becomes([&] { return Status().find("COMPLETE") != std::string::npos; })) << Status();
  const Ended found = RunProgram(Program({"search", "needle", "--root", tree_.root(), "--index", "on"}));
  EXPECT_EQ(std::count(found.out.begin(), found.out.end(), '\n'), 40);
  EXPECT_THAT(Status(), HasSubstr("1 call so far"));
}

TEST_F(ServerProcess, ASecondOneLeavesTheFirstAlone) {
  const auto server = Serve();
  const Ended second = RunProgram(Program({"serve"}));
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_THAT(second.err, HasSubstr("runs already"));
  EXPECT_EQ(RunProgram(Program({"serve", "--status"})).exit_code, 0);
}

TEST_F(ServerProcess, ClientsThatStartItAtOnceGetOne) {
  std::vector<std::thread> clients;
  std::vector<Ended> ended(4);
  for (Ended& one : ended) clients.emplace_back([&] { one = RunProgram(Search("needle", "on")); });
  for (std::thread& client : clients) client.join();
  for (const Ended& one : ended) EXPECT_EQ(one.out, ended.front().out) << one.err;
  EXPECT_EQ(ended.front().exit_code, 0);
  EXPECT_THAT(Status(), HasSubstr("4 calls so far"));
}

TEST_F(ServerProcess, KilledDuringASearchItCostsNoAnswer) {
  MakeSlow();
  auto server = Serve();
  auto client = Client();
  ASSERT_TRUE(client.ok());
  std::vector<std::string> streamed;
  const auto answer = (*client)->Search({.pattern = "needle|" + std::string(kSlow), .max_results = 1000},
                                        {.on_event = [&](const Event& event) {
                                          if (streamed.empty()) server->Signal(SIGKILL);
                                          streamed.push_back(event.path.str());
                                        }});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(streamed.size(), 40U);
  EXPECT_EQ(answer->matches.size(), 40U);
}

TEST_F(ServerProcess, StoppedDuringASearchItCostsTime) {
  auto server = Serve();
  auto client = Client();
  ASSERT_TRUE(client.ok());
  server->Signal(SIGSTOP);
  const auto answer = (*client)->Search({.pattern = "needle"}, {});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->matches.size(), 40U);
  // A new process does not wait for it either.
  const Ended ended = RunProgram(Search("needle", "on"));
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  server->Signal(SIGCONT);
}

// From the cancel to the last thread of the server at rest; on a busy machine the
// best attempt counts.
TEST_F(ServerProcess, RestsWithinFiftyMillisecondsOfACancel) {
  MakeSlow();
  auto server = Serve();
  auto client = Client();
  ASSERT_TRUE(client.ok());
  auto best = milliseconds::max();
  for (int attempt = 0; attempt < 10 && best >= milliseconds(50 * kSlower); ++attempt) {
    CancelSource cancel;
    const long before = server->cpu_ticks();
    std::thread search([&] { (void)(*client)->Search({.pattern = kSlow}, {.cancel = cancel.token()}); });
    ASSERT_TRUE(Becomes([&] { return server->cpu_ticks() >= before + 3; })) << "it never began";
    const auto cancelled = std::chrono::steady_clock::now();
    cancel.Cancel();
    search.join();
    ASSERT_TRUE(Becomes([&] { return server->AllThreadsSleep(); }));
    const auto time = std::chrono::steady_clock::now() - cancelled;
    best = std::min(best, std::chrono::ceil<milliseconds>(time));
  }
  EXPECT_LT(best, milliseconds(50 * kSlower));
}

TEST_F(ServerProcess, AKilledClientFreesItsWork) {
  MakeSlow();
  auto server = Serve();
  RunningProgram client(Search(kSlow, "on"));
  ASSERT_TRUE(Becomes([&] { return server->cpu_ticks() >= 5; })) << "it never began";
  ASSERT_TRUE(client.Kill());
  const auto killed = std::chrono::steady_clock::now();
  ASSERT_TRUE(Becomes([&] { return server->AllThreadsSleep(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - killed, milliseconds(1500));
}

TEST_F(ServerProcess, ItHasNeitherOurDescriptorsNorOurEnvironment) {
  Command command = Search("needle", "on");
  command.env["SECRET_OF_THE_SHELL"] = "1";
  command.cwd = tree_.root();
  const Ended ended = RunProgram(command);  // reads to the end of both outputs
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_FALSE(ended.overran) << "the server kept an output open";
  EXPECT_FALSE(SomeProcessHas("SECRET_OF_THE_SHELL"));
}

TEST_F(ServerProcess, AnotherUsersIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto server = Serve();
  Command command = Search("needle", "on");
  command.uid = 12345;
  const Ended ended = RunProgram(command);
  // The folder of the runtime files is not that user's, and the tree may not be
  // readable for it; what counts is that the server was not asked.
  EXPECT_THAT(Status(), HasSubstr("0 calls so far"));
}

TEST_F(ServerProcess, DoctorKnowsIt) {
  EXPECT_THAT(RunProgram(Program({"doctor", "--root", tree_.root()})).out, HasSubstr("no server runs"));
  const auto server = Serve();
  EXPECT_THAT(RunProgram(Program({"doctor", "--root", tree_.root()})).out, HasSubstr("a server runs"));
}

}  // namespace
}  // namespace forge::testing
