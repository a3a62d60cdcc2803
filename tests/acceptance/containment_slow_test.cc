// Containment as a race: while folders are exchanged with links, no answer holds
// a byte from outside the root or from a denied folder.
//
// The server runs with each backend, without and with an index; the requests
// name a file of the exchanged folder, the folder, and the whole tree. Errors are
// fine. A version that resolved a path and then opened it by name failed this
// within the time of the test on every backend.
//
// The time is 10 seconds for all; FORGE_RACE_SECONDS asks for more, as
// scripts/race does.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <thread>

#include "tests/acceptance/answer.h"
#include "tests/testing/running_program.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kInitialize =
    R"({"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
    "\n";

// What the requests ask for, each with links followed and not.
constexpr const char* kPaths[] = {"sub/f.txt", "sub", ".", "sub/deep/f.txt", "keys/config", "keys", "f.txt"};

struct Server {
  std::string backend;
  std::string index;
};

std::ostream& operator<<(std::ostream& out, const Server& server) {
  return out << server.backend << ", index " << server.index;
}

class ContainmentRace : public ::testing::TestWithParam<Server> {
 protected:
  static constexpr std::size_t kServers = 6;  // that share the time

  ContainmentRace() {
    for (const char* folder : {"root/sub", "root/sub/deep", "root/other"}) Fill(folder, "inside needle\n");
    for (const char* folder : {"outside", "outside/deep"}) Fill(folder, "OUTSIDE needle\n");
    tree_.Write("root/f.txt", "inside needle\n");
    tree_.Write("outside.txt", "OUTSIDE needle\n");
    tree_.Write("root/keys/config", "inside needle\n");
    tree_.Write("root/.ssh/config", "DENIED needle\n");
    tree_.Link(tree_.Path("outside"), "to-outside");
    tree_.Link(tree_.Path("outside.txt"), "to-outside.txt");
    tree_.Link(tree_.Path("root/.ssh"), "to-denied");
  }

  void Fill(const std::string& folder, const std::string& text) const {
    for (const char* name : {"/f.txt", "/g.txt", "/h.txt"}) tree_.Write(folder + name, text);
  }

  void Exchange(const char* inside, const char* link) const {
    const std::string a = tree_.Path(inside);
    const std::string b = tree_.Path(link);
    renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
  }

  Command ServerCommand() const {
    return ForgeSearch({"mcp", "--root", tree_.Path("root"), "--backend", GetParam().backend, "--set",
                        "tools.search.index_mode=" + GetParam().index, "--set", "tools.search.index_storage=memory"});
  }

  // Each path, with links followed and not: as many requests as Judge() will see.
  std::string Requests() {
    std::string out;
    for (const char* path : kPaths) {
      for (const char* follow : {"false", "true"}) {
        const std::string fields =
            "\"path\":" + Quoted(path) + ",\"follow\":" + follow + R"(,"hidden":true,"timeout_ms":5000)";
        out += R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) +
               R"(,"method":"tools/call","params":{"name":"Search","arguments":)" + Ask("needle", fields) + "}}\n";
      }
    }
    return out;
  }

  // Asks until the time or the count is over.
  void AskUntil(Clock::time_point end, RunningProgram& server) {
    const std::uint64_t most = EnvNumber("FORGE_RACE_SECONDS", 0) > 0 ? UINT64_MAX : 20'000;
    while (searches_ < most && Clock::now() < end) {
      ASSERT_TRUE(server.Write(Requests()));
      while (searches_ < id_) {
        const std::optional<std::string> line = server.ReadLine();
        ASSERT_TRUE(line) << "the server is gone";
        Judge(*line);
      }
    }
  }

  void Judge(const std::string& answer) {
    ++searches_;
    EXPECT_EQ(answer.find("\"error\":{\"code\""), std::string::npos) << "no search: " << answer;
    if (answer.find("\"isError\":true") != std::string::npos) ++errors_;
    if (answer.find("inside needle") != std::string::npos) ++inside_;
    if (answer.find("OUTSIDE") == std::string::npos && answer.find("DENIED") == std::string::npos) return;
    if (++leaks_ <= 3) ADD_FAILURE() << GetParam() << " leaked: " << answer.substr(0, 2000);
  }

  TempTree tree_;
  std::uint64_t id_ = 0;  // of the last request
  std::uint64_t searches_ = 0;
  std::uint64_t inside_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t leaks_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Servers, ContainmentRace,
                         ::testing::Values(Server{"native", "off"}, Server{"native", "on"}, Server{"rg", "off"},
                                           Server{"rg", "on"}, Server{"ugrep", "off"}, Server{"ugrep", "on"}));

TEST_P(ContainmentRace, NoAnswerHoldsWhatIsOutsideOrDenied) {
  RunningProgram server(ServerCommand());
  ASSERT_TRUE(server.Write(kInitialize));
  ASSERT_TRUE(server.ReadLine());
  const std::chrono::milliseconds time(EnvNumber("FORGE_RACE_SECONDS", 10) * 1000 / kServers);
  std::atomic<bool> over = false;
  std::thread exchanger([&] {
    while (!over) {
      Exchange("root/sub", "to-outside");
      Exchange("root/f.txt", "to-outside.txt");
      Exchange("root/keys", "to-denied");
    }
  });
  AskUntil(Clock::now() + time, server);
  over = true;
  exchanger.join();
  std::cout << GetParam() << ": " << searches_ << " searches, " << errors_ << " errors, " << leaks_ << " leaks\n";
  EXPECT_EQ(leaks_, 0U);
  EXPECT_GT(inside_, 0U) << "nothing was ever found";
  EXPECT_GT(errors_, 0U) << "the race never met a link";
}

}  // namespace
}  // namespace forge::testing
