#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::kThreeLines;
using ::testing::StartsWith;

class CallCommand : public testing::CliFixture {};

TEST_F(CallCommand, PrintsOneDocument) {
  events_ = {kThreeLines[1]};
  for (const std::string_view name : {"Search", "rg", "search_files"}) {
    EXPECT_EQ(Run({"call", std::string(name), R"({"pattern":"needle"})"}), 0);
    EXPECT_EQ(
        out(),
        R"({"pattern":"needle","path":"/fake","count":1,"matches":[{"type":"match","data":{"path":{"text":"a.c"},)"
        R"("line_number":2,"column":3,"lines":{"text":"a needle"},"match_text":"needle"}}],"truncated":false,)"
        R"("timed_out":false,"files_scanned":0,"errors":[],"content":""})"
        "\n");
  }
}

TEST_F(CallCommand, ReadsStandardInputIfItIsGivenNothingElse) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"call", "Search"}, std::vector<std::string>{"call", "Search", "-"}}) {
    in_.clear();
    in_.str(R"({"pattern":"from stdin"})");
    EXPECT_EQ(Run(arguments), 0);
    EXPECT_EQ(request_.pattern, "from stdin");
  }
}

// FR-LSI-STOR-FALLBACK-01
TEST_F(CallCommand, WhatCannotBeDoneAsConfiguredIsALineOnStandardError) {
  diagnostics_ = {"index_roots: /etc is outside"};
  backend_problems_ = {"the backend ugrep cannot be used: not found on PATH; rg@13.0.0 is used instead"};
  EXPECT_EQ(Run({"call", "Search", R"({"pattern":"needle"})"}), 0);
  EXPECT_EQ(err(),
            "forge-search: warning: the backend ugrep cannot be used: not found on PATH; rg@13.0.0 is used instead\n"
            "forge-search: warning: index_roots: /etc is outside\n");
  EXPECT_THAT(out(), StartsWith(R"({"pattern":"needle")"));
}

TEST_F(CallCommand, EveryFailureIsOneJsonDocument) {
  const struct {
    std::vector<std::string> arguments;
    std::string document;
  } cases[] = {
      {{"call", "Search", "{"}, R"({"error":{"kind":"BadArgs","message":"the request is not valid JSON: )"},
      {{"call", "Search", "{}"},
       R"({"error":{"kind":"BadArgs","message":"pattern: is missing; must be a string that is not empty"}})"},
      {{"call", "Serch", "{}"}, R"({"error":{"kind":"UnknownTool","message":"there is no tool \"Serch\"; did you )"},
      {{"call"}, R"({"error":{"kind":"BadArgs","message":"TOOL is required; )"},
      {{"call", "Search", "{}", "more"}, R"({"error":{"kind":"BadArgs","message":"unexpected argument \"more\"; )"},
      {{"call", "Search", "--frob"}, R"({"error":{"kind":"BadArgs","message":"unknown option --frob; )"},
      {{"call", "Search", "{}", "--config", "/nonexistent"},
       R"({"error":{"kind":"ExecutionFailed","message":"cannot read the configuration /nonexistent: )"},
      {{"call", "Search", "{}", "--set", "tools.search.max_files=0"},
       R"({"error":{"kind":"ExecutionFailed","message":"tools.search.max_files is 0 (--set), but must be )"},
      {{"call", "Search", "{}", "--set", "tools.search.enabled=false"},
       R"({"error":{"kind":"SandboxViolation","reason":"Disabled","message":"tool disabled: Search is switched off )"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Run(c.arguments), 2);
    EXPECT_THAT(out(), AllOf(StartsWith(c.document), EndsWith("}}\n")));
    EXPECT_EQ(engines_, 0);
  }
  create_error_ = ExecutionFailed("no such root");
  EXPECT_EQ(Run({"call", "Search", R"({"pattern":"x"})"}), 2);
  EXPECT_EQ(out(), "{\"error\":{\"kind\":\"ExecutionFailed\",\"message\":\"no such root\"}}\n");
}

TEST_F(CallCommand, AnEmptyRequestIsExplained) {
  EXPECT_EQ(Run({"call", "Search"}), 2);
  EXPECT_THAT(out(), HasSubstr("the request is empty; give the arguments as JSON"));
}

}  // namespace
}  // namespace forge::cli
