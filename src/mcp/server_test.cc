#include "mcp/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <numeric>
#include <sstream>

#include "mcp/serve.h"
#include "os/wait.h"
#include "tests/testing/fake_engine.h"
#include "tests/testing/json_view.h"
#include "tests/testing/seed.h"
#include "tool/keyword_tool.h"
#include "tool/search_tool.h"

namespace forge::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::JsonView;
using Lines = std::vector<std::string>;
using namespace std::chrono_literals;

// {"jsonrpc":"2.0","id":ID,"method":METHOD,"params":{PARAMS}}
std::string Ask(const std::string& id, const std::string& method, const std::string& params = "") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + params + "}}";
}
std::string Initialize(const std::string& version) {
  return Ask("0", "initialize", R"("protocolVersion":")" + version + R"(","capabilities":{})");
}
std::string Call(const std::string& id, const std::string& pattern, const std::string& more = "") {
  return Ask(id, "tools/call", R"("name":"Search","arguments":{"pattern":")" + pattern + "\"}" + more);
}
std::string Cancel(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}";
}
const std::string kModern =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string Error(const std::string& id, int code, const std::string& message) {
  return R"({"jsonrpc":"2.0",)" + (id.empty() ? "" : R"("id":)" + id + ",") + R"("error":{"code":)" +
         std::to_string(code) + R"(,"message":)" + testing::Quoted(message) + "}}";
}
std::string Found(const std::string& id, const std::string& text) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[{"type":"text","text":)" + testing::Quoted(text) +
         R"(}],"isError":false}})";
}

// A server whose engine answers "found PATTERN"; for "wait", only when
// cancelled.
class ServerTest : public ::testing::Test {
 protected:
  ServerTest() { Reset({}); }

  void Reset(ServerOptions options, const std::string& disabled_by = "", const std::string& prefix = "") {
    server_.reset();
    registry_ = std::make_unique<tool::Registry>(prefix);
    ASSERT_TRUE(registry_->Add(tool::MakeSearchTool([this] { return testing::Borrow(engine_); }), disabled_by));
    server_ = std::make_unique<Server>(*registry_, options, [this](std::string_view line) { return OnLine(line); });
  }

  bool OnLine(std::string_view line) {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(line.ends_with('\n'));
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    lines_.emplace_back(line.substr(0, line.size() - 1));
    return true;
  }

  static Result<SearchResponse> Answer(const SearchRequest& request, const SearchOptions& how) {
    if (request.pattern == "wait") {
      os::WaitFor(10s, Deadline(Clock::time_point::max(), how.cancel));
      return Cancelled();
    }
    if (request.pattern == "fail") return ExecutionFailed("no backend");
    if (request.pattern == "throw") throw std::bad_alloc();
    if (request.pattern == "long" && how.on_progress) ReportForAWhile(how.on_progress);
    SearchResponse response;
    response.content = "found " + request.pattern;
    return response;
  }

  // Long enough for two notifications.
  static void ReportForAWhile(const ProgressSink& progress) {
    const auto end = std::chrono::steady_clock::now() + 250ms;
    for (std::uint64_t done = 1; std::chrono::steady_clock::now() < end; ++done) {
      progress({.done = done, .what = "files searched"});
    }
  }

  Lines Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

  // The answers to these lines, after the last call has ended.
  Lines Say(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) server_->HandleLine(line);
    server_->Drain(10s);
    return Take();
  }

  std::mutex mutex_;
  Lines lines_;
  testing::FakeEngine engine_{{}, Answer, {}};
  std::unique_ptr<tool::Registry> registry_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, KnownVersionsAreKeptAndOthersBecomeTheNewest) {
  const std::pair<const char*, const char*> cases[] = {{"2024-11-05", "2024-11-05"}, {"2025-03-26", "2025-03-26"},
                                                       {"2025-06-18", "2025-06-18"}, {"2025-11-25", "2025-11-25"},
                                                       {"2023-01-01", "2025-11-25"}, {"2026-07-28", "2025-11-25"}};
  for (const auto& [asked, given] : cases) {
    const Lines lines = Say({Initialize(asked)});
    ASSERT_EQ(lines.size(), 1U);
    const JsonView json(lines[0]);
    EXPECT_EQ(json.Text("/result/protocolVersion"), given);
    EXPECT_EQ(json.At("/result/capabilities"), R"({"tools":{}})");
    EXPECT_EQ(json.Text("/result/serverInfo/name"), "forge-search");
    EXPECT_NE(json.Text("/result/instructions"), "");
    EXPECT_EQ(json.At("/result/resultType"), "");
  }
}

TEST_F(ServerTest, InstructionsSpeakOfTheToolsThatAreThere) {
  const auto instructions = [this] {
    return JsonView(Say({Initialize("2025-06-18")}).at(0)).Text("/result/instructions");
  };
  EXPECT_EQ(instructions().find("keyword_search"), std::string::npos);
  Reset({});
  ASSERT_TRUE(registry_->Add(tool::MakeKeywordTool([this] { return testing::Borrow(engine_); })));
  EXPECT_NE(instructions().find("keyword_search"), std::string::npos);
  Reset({});
  ASSERT_TRUE(registry_->Add(tool::MakeKeywordTool([this] { return testing::Borrow(engine_); }), "a setting"));
  EXPECT_EQ(instructions().find("keyword_search"), std::string::npos);
}

// Whatever names a tool names it as it is called in this session.
TEST_F(ServerTest, APrefixIsInEveryTextThatNamesATool) {
  Reset({}, "", "forge_");
  ASSERT_TRUE(registry_->Add(tool::MakeKeywordTool([this] { return testing::Borrow(engine_); })));
  const Lines lines = Say({Initialize("2025-06-18"), Ask("2", "tools/list"),
                           Ask("3", "tools/call", R"("name":"Grep","arguments":{"pattern":"x"})"),
                           Ask("4", "tools/call", R"("name":"forge_Search","arguments":{"pattern":"x"})"),
                           Ask("5", "server/discover", kModern)});
  ASSERT_EQ(lines.size(), 5U);
  for (const std::string& line : lines) {
    for (const std::string bare : {"`Search`", "`keyword_search`", "\"Search\"", "\"keyword_search\"", "use Search"}) {
      EXPECT_EQ(line.find(bare), std::string::npos) << bare << " in " << line;
    }
  }
  const std::string all = std::accumulate(lines.begin(), lines.end(), std::string());
  EXPECT_NE(all.find("`forge_Search` finds"), std::string::npos);
  EXPECT_NE(all.find("ask `forge_keyword_search`"), std::string::npos);
  EXPECT_NE(all.find(R"("name":"forge_keyword_search")"), std::string::npos);
  EXPECT_NE(all.find("search for it with `forge_Search`"), std::string::npos);
  EXPECT_NE(all.find("use forge_Search, forge_keyword_search"), std::string::npos);
  EXPECT_NE(all.find("found x"), std::string::npos);
}

// Each line on a fresh server in which a 2025-06-18 session is open.
TEST_F(ServerTest, LegacyRequestsAndTheirAnswers) {
  const std::pair<std::string, Lines> cases[] = {
      {Ask("1", "ping"), {R"({"jsonrpc":"2.0","id":1,"result":{}})"}},
      {Ask(R"("a")", "ping"), {R"({"jsonrpc":"2.0","id":"a","result":{}})"}},
      {R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"ping","params":null})",
       {R"({"jsonrpc":"2.0","id":18446744073709551615,"result":{}})"}},
      {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {}},
      {R"({"jsonrpc":"2.0","method":"notifications/whatever","params":[1]})", {}},
      {R"({"jsonrpc":"2.0","method":"tools/list"})", {}},
      {R"({"jsonrpc":"2.0","id":7,"result":{}})", {}},
      {R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}})", {}},
      {Cancel("99"), {}},
      {Cancel("null"), {}},
      {Ask("2", "nope"), {Error("2", -32601, R"(there is no method "nope")")}},
      {Ask("2", "server/discover"), {Error("2", -32601, R"(there is no method "server/discover")")}},
      {Ask("2", "logging/setLevel"), {Error("2", -32601, R"(there is no method "logging/setLevel")")}},
      {R"({"jsonrpc":"2.0","id":3,"method":"ping","params":[]})", {Error("3", -32602, "params must be an object")}},
      {R"({"id":3,"method":"ping"})", {Error("3", -32600, R"(jsonrpc must be "2.0")")}},
      {R"({"jsonrpc":"1.0","id":3,"method":"ping"})", {Error("3", -32600, R"(jsonrpc must be "2.0")")}},
      {R"({"jsonrpc":"2.0","id":3})", {Error("3", -32600, "method must be a string")}},
      {R"({"jsonrpc":"2.0","id":3,"method":4})", {Error("3", -32600, "method must be a string")}},
      {Ask("null", "ping"), {Error("", -32600, "id must be a string or an integer")}},
      {Ask("1.5", "ping"), {Error("", -32600, "id must be a string or an integer")}},
      {Ask("{}", "ping"), {Error("", -32600, "id must be a string or an integer")}},
      {"5", {Error("", -32600, "a message must be a JSON object")}},
      {"[]", {Error("", -32600, "batches exist in protocol version 2025-03-26 only")}},
      {"[" + Ask("1", "ping") + "]", {Error("", -32600, "batches exist in protocol version 2025-03-26 only")}},
      {Ask("4", "tools/list", R"("cursor":"x")"), {Error("4", -32602, "unknown cursor: the list has one page")}},
      {Ask("5", "tools/call"), {Error("5", -32602, "name must be a string")}},
      {Ask("5", "tools/call", R"("name":"Search","arguments":[])"),
       {Error("5", -32602, "arguments must be an object")}},
      {Ask("5", "tools/call", R"("name":"Serch")"),
       {Error("5", -32602, R"(there is no tool "Serch"; did you mean "Search"?)")}},
      {Ask("6", "initialize"), {Error("6", -32602, "protocolVersion must be a string")}},
      {Call("7", "x"), {Found("7", "found x")}},
      {Call(R"("7")", "x"), {Found(R"("7")", "found x")}},
      {Call("8", "throw"), {Error("8", -32603, "std::bad_alloc")}},
  };
  for (const auto& [line, expected] : cases) {
    Reset({});
    Say({Initialize("2025-06-18")});
    EXPECT_EQ(Say({line}), expected) << line;
  }
}

TEST_F(ServerTest, WhatIsNotJsonIsAParseErrorWithoutAnId) {
  Say({Initialize("2025-06-18")});
  std::string deep = R"({"jsonrpc":"2.0","id":1,"method":)" + std::string(100'000, '[');
  for (const std::string& line : {std::string("nonsense"), std::string("{\"id\":1,"), std::string("{\"id\":\"\xFF\"}"),
                                  std::string("{\"id\":1,\"id\":2}"), deep, std::string("\0", 1)}) {
    const Lines lines = Say({line});
    ASSERT_EQ(lines.size(), 1U) << line.substr(0, 40);
    const JsonView json(lines[0]);
    EXPECT_TRUE(json.valid());
    EXPECT_EQ(json.At("/error/code"), "-32700");
    EXPECT_EQ(json.At("/id"), "");
  }
  EXPECT_THAT(Say({Ask("1", "ping")}), ElementsAre(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
}

TEST_F(ServerTest, BeforeInitializeARequestNeedsItsEnvelope) {
  for (const char* method : {"ping", "tools/list", "server/discover", "nope"}) {
    EXPECT_THAT(Say({Ask("1", method)}),
                ElementsAre(Error("1", -32602,
                                  R"(params._meta lacks "io.modelcontextprotocol/protocolVersion", and there was )"
                                  "no initialize")));
  }
}

TEST_F(ServerTest, ModernRequestsAndTheirAnswers) {
  const auto meta = [](const std::string& inner) { return R"("_meta":{)" + inner + "}"; };
  const std::string version = R"("io.modelcontextprotocol/protocolVersion":)";
  const std::pair<std::string, Lines> cases[] = {
      {Ask("1", "initialize", R"("protocolVersion":"2025-06-18",)" + kModern),
       {Error("1", -32601, R"(there is no method "initialize")")}},
      {Ask("1", "ping", kModern), {Error("1", -32601, R"(there is no method "ping")")}},
      {Ask("1", "tools/list", meta(version + R"("2027-01-01")")),
       {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":)"
        R"({"supported":["2026-07-28"],"requested":"2027-01-01"}}})"}},
      {Ask("1", "tools/list", meta(version + "5")),
       {Error("1", -32602, "io.modelcontextprotocol/protocolVersion must be a string")}},
      {Ask("1", "tools/list", meta(version + R"("2026-07-28")")),
       {Error("1", -32602, R"(params._meta must have "io.modelcontextprotocol/clientCapabilities", an object)")}},
      {Ask("1", "subscriptions/listen", kModern), {Error("1", -32602, "notifications must be an object")}},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(Say({line}), expected) << line;
}

TEST_F(ServerTest, ModernResultsSayWhatTheyAreAndWhoAnswers) {
  for (const std::string& line :
       {Ask("1", "server/discover", kModern), Ask("1", "tools/list", kModern), Call("1", "x", "," + kModern)}) {
    const Lines lines = Say({line});
    ASSERT_EQ(lines.size(), 1U) << line;
    const JsonView json(lines[0]);
    EXPECT_EQ(json.Text("/result/resultType"), "complete") << line;
    EXPECT_EQ(json.Text("/result/_meta/io.modelcontextprotocol~1serverInfo/name"), "forge-search") << line;
  }
  const JsonView discover(Say({Ask("1", "server/discover", kModern)})[0]);
  EXPECT_EQ(discover.At("/result/supportedVersions"), R"(["2026-07-28"])");
  EXPECT_EQ(discover.At("/result/ttlMs"), "3600000");
  EXPECT_EQ(discover.Text("/result/cacheScope"), "public");
  const JsonView list(Say({Ask("1", "tools/list", kModern)})[0]);
  EXPECT_EQ(list.At("/result/ttlMs"), "3600000");
  EXPECT_EQ(list.Text("/result/cacheScope"), "public");
}

TEST_F(ServerTest, TheErasMayBeMixed) {
  EXPECT_EQ(Say({Ask("1", "server/discover", kModern)}).size(), 1U);
  EXPECT_EQ(Say({Initialize("2025-06-18")}).size(), 1U);
  EXPECT_THAT(Say({Call("1", "x", "," + kModern)}), ElementsAre(HasSubstr(R"("resultType":"complete")")));
  EXPECT_THAT(Say({Call("2", "x")}), ElementsAre(Found("2", "found x")));
}

TEST_F(ServerTest, ToolsAreListedWithHintsForHosts) {
  Say({Initialize("2025-06-18")});
  const JsonView json(Say({Ask("1", "tools/list")})[0]);
  EXPECT_EQ(json.Size("/result/tools"), 1U);
  EXPECT_EQ(json.Text("/result/tools/0/name"), "Search");
  EXPECT_EQ(json.Text("/result/tools/0/title"), "Search local files");
  EXPECT_EQ(json.Text("/result/tools/0/inputSchema/type"), "object");
  EXPECT_EQ(json.At("/result/tools/0/annotations/readOnlyHint"), "true");
  EXPECT_EQ(json.At("/result/tools/0/annotations/openWorldHint"), "false");
  EXPECT_EQ(json.At("/result/tools/0/_meta/anthropic~1alwaysLoad"), "true");
  EXPECT_EQ(json.At("/result/tools/0/_meta/anthropic~1maxResultSizeChars"), "200000");
  EXPECT_EQ(json.At("/result/tools/0/outputSchema"), "");
  EXPECT_EQ(json.At("/result/ttlMs"), "");
}

TEST_F(ServerTest, AFailedCallTellsTheModelWhatToDo) {
  Say({Initialize("2025-11-25")});
  const JsonView bad(Say({Ask("1", "tools/call", R"("name":"Search","arguments":{"patern":"x"})")})[0]);
  EXPECT_EQ(bad.At("/result/isError"), "true");
  EXPECT_EQ(bad.Text("/result/content/0/text"), "BadArgs: unknown field \"patern\"; did you mean \"pattern\"?");
  EXPECT_EQ(Say({Ask("1", "tools/call", R"("name":"Search","arguments":"{\"pattern\":\"x\"}")")}),
            Lines{Found("1", "found x")});
  const JsonView none(Say({Ask("1", "tools/call", R"("name":"Search")")})[0]);
  EXPECT_THAT(none.Text("/result/content/0/text"), HasSubstr("pattern: is missing"));
  const JsonView failed(Say({Call("2", "fail")})[0]);
  EXPECT_EQ(failed.At("/result/isError"), "true");
  EXPECT_THAT(failed.Text("/result/content/0/text"),
              HasSubstr("ExecutionFailed: no backend\nOnly the user can repair this"));
  EXPECT_THAT(Say({Ask("3", "tools/call", R"("name":"Grep","arguments":{"pattern":"x"})")}),
              ElementsAre(Error("3", -32602, "there is no tool \"Grep\"; use Search")));
  Reset({}, "tools.search.enabled = false");
  Say({Initialize("2025-11-25")});
  EXPECT_EQ(JsonView(Say({Ask("1", "tools/list")})[0]).At("/result/tools"), "[]");
  EXPECT_EQ(JsonView(Say({Call("3", "x")})[0]).At("/result/isError"), "true");
}

TEST_F(ServerTest, StructuredAddsTheWholeAnswerBesideTheText) {
  Reset({.structured = true});
  Say({Initialize("2025-11-25")});
  const JsonView json(Say({Call("1", "x")})[0]);
  EXPECT_EQ(json.Text("/result/content/0/text"), "found x");
  EXPECT_EQ(json.Text("/result/structuredContent/content"), "found x");
  EXPECT_EQ(json.At("/result/structuredContent/truncated"), "false");
}

TEST_F(ServerTest, OnlyAStructuredServerHasAnOutputSchema) {
  Reset({.structured = true});
  const JsonView list(Say({Initialize("2025-11-25"), Ask("1", "tools/list")})[1]);
  EXPECT_EQ(list.Text("/result/tools/0/outputSchema/type"), "object");
  const JsonView answer(Say({Call("2", "x")})[0]);
  for (std::size_t i = 0; i < list.Size("/result/tools/0/outputSchema/required"); ++i) {
    const std::string key = list.Text("/result/tools/0/outputSchema/required/" + std::to_string(i));
    EXPECT_NE(answer.At("/result/structuredContent/" + key), "") << key;
  }
}

TEST_F(ServerTest, ADescriptionFitsIntoWhatHostsShow) {
  const JsonView list(Say({Initialize("2025-11-25"), Ask("1", "tools/list")})[1]);
  EXPECT_LE(list.Text("/result/tools/0/description").size(), 1024U);
}

TEST_F(ServerTest, WhatAModelMeansWellIsTaken) {
  Say({Initialize("2025-11-25")});
  EXPECT_THAT(Say({Ask("1", "tools/call",
                       R"("name":"Search","arguments":{"pattern":"x","max_results":"5","path":null,"glob":"*.c"})")}),
              ElementsAre(Found("1", "found x")));
}

std::string InitializeWithRoots() {
  return Ask("0", "initialize", R"("protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}})");
}
std::string RootsQuestion(int n) {
  return R"({"jsonrpc":"2.0","id":"forge-roots-)" + std::to_string(n) + R"(","method":"roots/list"})";
}
std::string RootsAnswer(int n, const std::string& uri) {
  return R"({"jsonrpc":"2.0","id":"forge-roots-)" + std::to_string(n) + R"(","result":{"roots":[{"uri":")" + uri +
         "\"}]}}";
}
constexpr auto kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr auto kRootsChanged = R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})";

TEST_F(ServerTest, AClientWithRootsIsAskedAfterTheHandshakeAndAfterAChange) {
  ClientRoots roots(true, 10s);
  Reset({.roots = &roots});
  EXPECT_EQ(Say({InitializeWithRoots()}).size(), 1U) << "nothing is asked before the handshake is over";
  EXPECT_THAT(Say({kInitialized}), ElementsAre(RootsQuestion(1)));
  EXPECT_THAT(Say({RootsAnswer(7, "file:///wrong"), RootsAnswer(1, "file:///a%20b")}), IsEmpty());
  EXPECT_THAT(roots.Get(), ElementsAre("/a b"));
  EXPECT_THAT(Say({kRootsChanged}), ElementsAre(RootsQuestion(2)));
  EXPECT_THAT(Say({RootsAnswer(1, "file:///old"), RootsAnswer(2, "file:///new")}), IsEmpty());
  EXPECT_THAT(roots.Get(), ElementsAre("/new"));
  Say({kRootsChanged, R"({"jsonrpc":"2.0","id":"forge-roots-3","error":{"code":-32603,"message":"no"}})"});
  EXPECT_THAT(roots.Get(), IsEmpty());
  Reset({});
}

TEST_F(ServerTest, AClientIsNotAskedForRootsThatAreNotOfferedOrNotWanted) {
  ClientRoots wanted(true);
  Reset({.roots = &wanted});
  EXPECT_EQ(Say({Initialize("2025-11-25"), kInitialized, kRootsChanged}).size(), 1U);
  ClientRoots unwanted(false);
  Reset({.roots = &unwanted});
  EXPECT_EQ(Say({InitializeWithRoots(), kInitialized, kRootsChanged}).size(), 1U);
  Reset({});
}

TEST_F(ServerTest, AModernClientIsAskedForItsRootsInTheAnswer) {
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}})";
  ClientRoots roots(true);
  Reset({.roots = &roots});
  const JsonView asked(Say({Call("1", "x", "," + meta)})[0]);
  EXPECT_EQ(asked.Text("/result/resultType"), "input_required");
  EXPECT_EQ(asked.At("/result/inputRequests"), R"({"roots":{"method":"roots/list"}})");
  const JsonView found(
      Say({Call("2", "x", R"(,"inputResponses":{"roots":{"roots":[{"uri":"file:///p"}]}},)" + meta)})[0]);
  EXPECT_EQ(found.Text("/result/resultType"), "complete");
  EXPECT_THAT(roots.Get(), ElementsAre("/p"));
  EXPECT_EQ(JsonView(Say({Call("3", "x", "," + kModern)})[0]).Text("/result/resultType"), "complete")
      << "a client without roots";
  Reset({});
}

TEST_F(ServerTest, ProgressIsSentToAClientThatAsksAndEndsBeforeTheAnswer) {
  Say({Initialize("2025-11-25")});
  const Lines lines = Say({Call("1", "long", R"(,"_meta":{"progressToken":"p"})")});
  ASSERT_GE(lines.size(), 2U);
  EXPECT_LE(lines.size(), 4U);
  EXPECT_EQ(lines.back(), Found("1", "found long"));
  std::uint64_t last = 0;
  for (const std::string& line : Lines(lines.begin(), lines.end() - 1)) {
    const JsonView json(line);
    EXPECT_EQ(json.Text("/method"), "notifications/progress");
    EXPECT_EQ(json.Text("/params/progressToken"), "p");
    const std::uint64_t done = std::stoull(json.At("/params/progress"));
    EXPECT_GT(done, last);
    last = done;
  }
  EXPECT_EQ(Say({Call("2", "long")}).size(), 1U) << "no token, no progress";
}

TEST_F(ServerTest, ACancelledCallIsNotAnsweredAndAnotherWithTheSameDigitsIs) {
  Say({Initialize("2025-06-18")});
  EXPECT_THAT(Say({Call("1", "wait"), Call(R"("1")", "x"), Call("2", "y"), Cancel("1")}),
              ::testing::UnorderedElementsAre(Found(R"("1")", "found x"), Found("2", "found y")));
  EXPECT_THAT(Say({Call(R"("1")", "wait"), Cancel(R"("1")"), Cancel(R"("1")")}), IsEmpty());
}

TEST_F(ServerTest, AnIdInUseIsRefused) {
  Say({Initialize("2025-06-18")});
  server_->HandleLine(Call("1", "wait"));
  server_->HandleLine(Call("1", "x"));
  EXPECT_THAT(Take(), ElementsAre(Error("1", -32600, "a call with this id is running")));
  server_->Stop();
  EXPECT_THAT(Take(), IsEmpty());
}

TEST_F(ServerTest, ABatchIsAnsweredByOneArrayWhenItsLastCallHasEnded) {
  Say({Initialize("2025-03-26")});
  const std::string ping = R"({"jsonrpc":"2.0","id":9,"result":{}})";
  EXPECT_THAT(Say({"[" + Ask("9", "ping") + "," + Cancel("5") + "]"}), ElementsAre("[" + ping + "]"));
  EXPECT_THAT(Say({"[" + Ask("9", "ping") + "," + Call("1", "x") + "]"}),
              ElementsAre("[" + ping + "," + Found("1", "found x") + "]"));
  EXPECT_THAT(Say({"[" + Call("1", "wait") + "," + Ask("9", "ping") + "]", Cancel("1")}),
              ElementsAre("[" + ping + "]"));
  EXPECT_THAT(Say({"[" + Cancel("5") + "]"}), IsEmpty());
  EXPECT_THAT(Say({"[]"}), ElementsAre(Error("", -32600, "the batch is empty")));
  EXPECT_THAT(Say({"[1]"}), ElementsAre("[" + Error("", -32600, "a message must be a JSON object") + "]"));
  EXPECT_THAT(Say({"[" + Initialize("2025-06-18") + "]"}),
              ElementsAre("[" + Error("0", -32600, "initialize must not be part of a batch") + "]"));
}

TEST_F(ServerTest, ASubscriptionIsAcknowledgedAndStaysOpenToTheEnd) {
  server_->HandleLine(Ask("1", "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)" + kModern));
  EXPECT_THAT(Take(), ElementsAre(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
                                  R"({"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{}}})"));
  server_->HandleLine(Ask("2", "subscriptions/listen", R"("notifications":{},)" + kModern));
  server_->HandleLine(Cancel("2"));
  Take();
  const Lines ends = Say({});
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(JsonView(ends[0]).At("/id"), "1");
  EXPECT_EQ(JsonView(ends[0]).At("/result/_meta/io.modelcontextprotocol~1subscriptionId"), "1");
}

TEST_F(ServerTest, ALineTooLongIsOneErrorAndTheNextIsRead) {
  std::istringstream in(std::string((std::size_t{16} << 20) + 1, 'x') + "\n" + Initialize("2025-06-18"));
  Serve(*server_, [&](char* buffer, std::size_t size) {
    in.read(buffer, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(in.gcount());
  });
  const Lines lines = Take();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], Error("", -32600, "a line is longer than 16 MiB"));
  EXPECT_EQ(JsonView(lines[1]).Text("/result/protocolVersion"), "2025-06-18");
}

// A line with one byte changed, or cut short, or nothing but random bytes.
std::string Damaged(std::string line, testing::Random& random) {
  if (random.OneIn(4)) {
    for (char& c : line) c = static_cast<char>(random.Below(256));
  } else if (random.OneIn(2)) {
    line.resize(random.Below(line.size()));
  } else {
    line[random.Below(line.size())] = static_cast<char>(random.Below(256));
  }
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string SomeRequest(const std::string& id, testing::Random& random) {
  const Lines requests = {
      Call(id, "x"),   Call(id, "fail", "," + kModern),      Ask(id, "tools/list"),         Ask(id, "nope"),
      Ask(id, "ping"), Ask(id, "tools/call", R"("name":5)"), Ask(id, "tools/list", kModern)};
  return random.Pick(requests);
}

// The ids of the damaged lines are so different that no damage turns one into
// another.
TEST_F(ServerTest, WhateverComesBetweenEachRequestIsAnsweredOnce) {
  for (std::uint64_t seed = testing::FirstSeed(); seed < testing::FirstSeed() + testing::CaseCount(200); ++seed) {
    testing::Random random(seed);
    Reset({.limits = {.running = 3}});
    std::string input = Initialize(random.OneIn(2) ? "2025-03-26" : "2025-11-25") + "\n";
    std::map<std::string, int> wanted = {{"0", 1}};
    for (int i = 1; i <= 30; ++i) {
      if (random.OneIn(3)) {
        input += Damaged(SomeRequest(std::to_string(-i), random), random) + "\n";
      } else {
        const std::string id = "\"request " + std::to_string(i) + "\"";
        wanted[id] = 1;
        input += SomeRequest(id, random) + (random.OneIn(2) ? "\r\n" : "\n");
      }
    }
    std::size_t done = 0;
    Serve(*server_, [&](char* buffer, std::size_t size) {
      const std::size_t count = input.copy(buffer, std::min(size, 1 + random.Below(100)), done);
      done += count;
      return count;
    });
    server_->Drain(10s);
    std::map<std::string, int> got;
    for (const std::string& line : Take()) {
      const JsonView json(line);
      ASSERT_TRUE(json.valid()) << "seed " << seed << ": " << line;
      if (const std::string id = json.At("/id"); wanted.contains(id)) ++got[id];
    }
    ASSERT_EQ(got, wanted) << "seed " << seed;
  }
}

}  // namespace
}  // namespace forge::mcp
