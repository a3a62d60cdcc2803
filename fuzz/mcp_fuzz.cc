// Bytes on the standard input of `forge-search mcp`: every line that the server
// writes is one JSON document.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "agent/search_tool.h"
#include "fuzz/fuzz.h"
#include "mcp/serve.h"
#include "mcp/server.h"
#include "tests/testing/fake_engine.h"
#include "tool/parse.h"
#include "tool/registry.h"

namespace forge {
namespace {

// Answers at once, with the pattern in a line of a file.
Result<SearchResponse> Answer(const SearchRequest& request, const SearchOptions&) {
  SearchResponse response;
  response.end = SearchEnd::kComplete;
  Event& event = response.matches.emplace_back();
  event.path = "a.txt";
  event.line = "found " + request.pattern;
  event.line_number = event.column = 1;
  return response;
}

bool IsOneDocument(std::string_view line) {
  return line.ends_with('\n') && line.find('\n') == line.size() - 1 && tool::ParseJson(line).ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::FakeEngine engine({}, Answer, {});
  tool::Registry registry;
  (void)registry.Add(agent::MakeSearchTool([&] { return testing::Borrow(engine); }));
  mcp::Server server(registry, {}, [](std::string_view line) {
    fuzz::Require(IsOneDocument(line), "an answer is one line of JSON", line);
    return true;
  });
  std::size_t at = 0;
  mcp::Serve(server, [&](char* buffer, std::size_t room) {
    const std::size_t n = std::min({room, size - at, std::size_t{4096}});
    std::copy_n(reinterpret_cast<const char*>(data) + at, n, buffer);
    at += n;
    return n;
  });
  server.Drain(std::chrono::seconds(10));
  return 0;
}

}  // namespace forge
