// keyword_search with the real binary, and with a provider of the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/testing/http_server.h"
#include "tests/testing/json_view.h"
#include "tests/testing/places.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kRequest = R"({"query":"Where are sessions closed?","search_terms":["close_session"]})";

ScriptedReply Chat(const std::string& text) {
  return {.body = R"({"choices":[{"message":{"content":)" + Quoted(text) + R"(},"finish_reason":"stop"}]})"};
}

class Keyword : public ::testing::Test {
 protected:
  Keyword() {
    tree_.MakeFolder(".git");
    tree_.Write("src/session.c", "int open_session(void);\nvoid close_session(void);\n");
    tree_.Write("id_rsa", "close_session SECRET\n");
  }

  std::map<std::string, std::string> Variables(std::map<std::string, std::string> more = {}) const {
    more.insert({{"PATH", "/usr/bin:/bin"}, {"HOME", home_.root()}});
    return more;
  }

  Ended Run(std::vector<std::string> arguments, std::string input = "", std::map<std::string, std::string> more = {}) {
    Command command;
    command.argv = {ProgramPath(), "--backend", "native", "--root", tree_.root()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.env = Variables(std::move(more));
    command.stdin_text = std::move(input);
    command.while_running = [this](int pid) { pid_ = pid; };
    return RunProgram(command);
  }

  void Configure(const HttpServer& server) {
    home_.Write(".forge/config.toml", "[[llm.models]]\nname = \"fast\"\nmodel = \"m-1\"\nbase_url = \"" + server.url() +
                                          "/v1\"\napi_key_env = \"MY_KEY\"\n");
  }

  TempTree tree_;
  TempTree home_;
  std::atomic<int> pid_ = 0;  // of the program that runs
  const std::map<std::string, std::string> key_ = {{"MY_KEY", "sk-secret"}};
};

TEST_F(Keyword, CallAnswersWithOneDocument) {
  const HttpServer server({Chat("src/session.c: declares it")});
  Configure(server);
  const Ended ended = Run({"call", "keyword_search", kRequest}, "", key_);
  ASSERT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const JsonView json(ended.out);
  ASSERT_TRUE(json.valid());
  EXPECT_EQ(json.Text("/files/0/path"), tree_.Path("src/session.c"));
  EXPECT_EQ(json.Text("/model"), "fast (openai, m-1)");
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_THAT(server.requests()[0].body, Not(HasSubstr("SECRET")));
}

TEST_F(Keyword, AgentsSeeAndCallItOverMcp) {
  const HttpServer server({Chat("src/session.c: declares it")});
  Configure(server);
  const std::string input =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
      R"("clientInfo":{"name":"t","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"keyword_search","arguments":)" +
      std::string(kRequest) + "}}\n";
  const Ended ended = Run({"mcp"}, input, key_);
  EXPECT_THAT(ended.out, AllOf(HasSubstr(R"("name":"keyword_search")"), HasSubstr(R"("name":"Search")"),
                               HasSubstr(tree_.Path("src/session.c") + ": declares it"), Not(HasSubstr("sk-secret"))));
}

TEST_F(Keyword, TheUsualVariableIsEnoughForABuiltInModel) {
  const HttpServer server({{.body = R"({"content":[{"type":"text","text":"src/session.c: x"}]})"}});
  const Ended ended = Run({"ask", "Where?", "--terms", "close_session"}, "",
                          {{"ANTHROPIC_API_KEY", "sk-secret"}, {"ANTHROPIC_BASE_URL", server.url()}});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, tree_.Path("src/session.c") + ": x\n");
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(JsonView(server.requests()[0].body).Text("/model"), "claude-sonnet-4-5");
  EXPECT_EQ(server.requests()[0].headers.at("x-api-key"), "sk-secret");
}

TEST_F(Keyword, WithoutAModelTheErrorSaysWhatToSet) {
  const Ended ended = Run({"call", "keyword_search", kRequest});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(JsonView(ended.out).Text("/error/message"),
              AllOf(StartsWith("no LLM available for filtering"), HasSubstr("OPENAI_API_KEY")));
}

// REQ-KWS-003
TEST_F(Keyword, ATextInsteadOfAListIsAnAnswer) {
  tree_.Write("docs/design.md", "text\n");
  const HttpServer server({Chat("It is in src/session.c, see docs/design.md.")});
  Configure(server);
  const Ended ended = Run({"ask", "Where?", "--terms", "close_session"}, "", key_);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, tree_.Path("src/session.c") + "\n");
  EXPECT_THAT(ended.err, AllOf(HasSubstr("named without a hit: " + tree_.Path("docs/design.md") + "\n"),
                               HasSubstr("unchecked:\n> It is in src/session.c, see docs/design.md.\n")));
}

// libcurl quotes the address of a proxy that it cannot read.
TEST_F(Keyword, NoPasswordOfAnAddressIsPrinted) {
  home_.Write(
      ".forge/config.toml",
      "[[llm.models]]\nname = \"far\"\nmodel = \"m-1\"\nmax_retries = 0\nbase_url = \"https://h.invalid/v1\"\n");
  const std::vector<std::string> ask = {"ask", "Where?", "--terms", "close_session"};
  const Ended by_proxy = Run(ask, "", {{"HTTPS_PROXY", "http://me:hunter2@h:99999"}});
  EXPECT_EQ(by_proxy.exit_code, 2);
  EXPECT_THAT(by_proxy.err, AllOf(HasSubstr("proxy"), HasSubstr("http://(not shown)@h"), Not(HasSubstr("hunter2"))));
  home_.Write(".forge/config.toml",
              "[[llm.models]]\nname = \"far\"\nmodel = \"m-1\"\nbase_url = \"https://me:hunter2@h.invalid/v1\"\n");
  for (const std::vector<std::string>& arguments :
       {ask, {"ask", "Where?", "--terms", "close_session", "--dry-run"}, {"config", "print", "--origin"}, {"doctor"}}) {
    const Ended ended = Run(arguments);
    EXPECT_THAT(ended.out + ended.err, AllOf(HasSubstr(arguments[0] == "doctor" ? "far" : "(not shown)@h.invalid"),
                                             Not(HasSubstr("hunter2"))));
  }
}

TEST_F(Keyword, ADryRunPrintsWhatARealRunSends) {
  const HttpServer server({Chat("src/session.c: x")});
  Configure(server);
  const Ended dry = Run({"ask", "Where?", "--terms", "close_session", "--dry-run"}, "", key_);
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_EQ(server.requests().size(), 0U);
  EXPECT_THAT(dry.err, Not(HasSubstr("sk-secret")));
  Run({"ask", "Where?", "--terms", "close_session"}, "", key_);
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].body + "\n", dry.out);
}

TEST_F(Keyword, AnInterruptEndsAWaitForTheModel) {
  const HttpServer server({{.end = ScriptedReply::End::kHang, .on_request = [&] {
                              while (pid_ == 0) std::this_thread::yield();  // for the moment until it is known
                              kill(pid_, SIGINT);
                            }}});
  Configure(server);
  const Ended ended = Run({"ask", "Where?", "--terms", "close_session"}, "", key_);
  EXPECT_EQ(ended.exit_code, 130) << ended.err;
}

// bench/keyword/run on a small tree.
TEST_F(Keyword, TheEvaluationPrintsPrecisionAndRecall) {
  tree_.Write("src/other.c", "close_session();\n");
  tree_.Write("questions",
              "# name\tquestion\tterms\tfiles\n"
              "sessions\tWhere are sessions closed?\tclose_session,open_session\tsrc/session.c,src/gone.c\n");
  const HttpServer server({Chat("src/session.c: x\nsrc/other.c: y\n")});
  Configure(server);
  Command command;
  command.argv = {SourceFolder() + "/bench/keyword/run", tree_.root(), tree_.Path("questions")};
  command.env = Variables({{"MY_KEY", "k"}, {"FORGE_SEARCH", ProgramPath()}});
  const Ended ended = RunProgram(command);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  // One of two named files is right; one of two wanted files was found and reached.
  EXPECT_THAT(ended.out, HasSubstr("sessions          0.50      0.50      0.50"));
  EXPECT_EQ(server.requests().size(), 1U);
}

}  // namespace
}  // namespace forge::testing
