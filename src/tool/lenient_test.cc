#include "tool/lenient.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool/search_tool.h"

namespace forge::tool {
namespace {

TEST(Lenient, ReadsWhatCanBeReadInOneWayAndLeavesTheRest) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"max_results":"50"})", R"({"max_results":50})"},
      {R"({"max_results":"-1"})", R"({"max_results":-1})"},  // the strict check says what is wrong
      {R"({"max_results":"50 "})", R"({"max_results":"50 "})"},
      {R"({"max_results":"99999999999999999999"})", R"({"max_results":"99999999999999999999"})"},
      {R"({"max_results":true})", R"({"max_results":true})"},
      {R"({"max_results":null,"path":null})", R"({})"},
      {R"({"hidden":"true","follow":"false"})", R"({"follow":false,"hidden":true})"},
      {R"({"hidden":"yes"})", R"({"hidden":"yes"})"},
      {R"({"hidden":1})", R"({"hidden":1})"},
      {R"({"include_glob":"*.cc"})", R"({"include_glob":["*.cc"]})"},
      {R"({"include_glob":"[\"*.cc\",\"*.h\"]"})", R"({"include_glob":["*.cc","*.h"]})"},
      {R"({"include_glob":"[ab].c"})", R"({"include_glob":["[ab].c"]})"},
      {R"({"include_glob":""})", R"({"include_glob":""})"},
      {R"({"pattern":"50","path":"true"})", R"({"path":"true","pattern":"50"})"},
      {R"({"unknown":null})", R"({"unknown":null})"},
  };
  for (const auto& [given, expected] : cases) {
    auto arguments = nlohmann::json::parse(given);
    RewriteLenient(SearchDefinition().fields, arguments);
    EXPECT_EQ(arguments.dump(), expected) << given;
  }
}

}  // namespace
}  // namespace forge::tool
