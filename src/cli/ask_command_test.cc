#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/cli.h"
#include "tests/testing/fake_engine.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AskCommand : public ::testing::Test {
 protected:
  int Run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    arguments.insert(arguments.begin(), "ask");
    Host host{.in = in_,
              .out = out_,
              .err = err_,
              .environment = {},
              .create_engine = [this](EngineOptions options) -> Result<std::unique_ptr<Engine>> {
                auto engine = std::make_unique<Keeper>(std::move(options), *this);
                return std::unique_ptr<Engine>(std::move(engine));
              },
              .stop = {}};
    return RunCli(arguments, host);
  }

  // Gives the request to the test before it is destroyed.
  class Keeper : public testing::FakeEngine {
   public:
    Keeper(EngineOptions options, AskCommand& test) : FakeEngine(std::move(options), {}, {}), test_(test) {}
    Result<KeywordSearchResponse> KeywordSearch(const KeywordSearchRequest& request, const CancelToken&) override {
      test_.request_ = request;
      return test_.response_;
    }

   private:
    AskCommand& test_;
  };

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  KeywordSearchRequest request_;
  Result<KeywordSearchResponse> response_ = KeywordSearchResponse{};
};

TEST_F(AskCommand, OptionsReachTheRequest) {
  Run({"How?", "--terms", "a,b c", "-t", "d", "--model", "m", "--dry-run"});
  EXPECT_EQ(request_.query, "How?");
  EXPECT_THAT(request_.search_terms, ElementsAre("a", "b c", "d"));
  EXPECT_EQ(request_.model, "m");
  EXPECT_TRUE(request_.dry_run);
  Run({"--terms", "a", "How?"});
  EXPECT_EQ(request_.query, "How?");
  EXPECT_THAT(request_.search_terms, ElementsAre("a"));
  EXPECT_FALSE(request_.dry_run);
}

TEST_F(AskCommand, FilesGoToStandardOutputAndNotesToStandardError) {
  KeywordSearchResponse response;
  response.files = {{"/r/a.c", "why"}, {"/r/b.c", ""}};
  response.notes = {"a note."};
  response_ = response;
  EXPECT_EQ(Run({"q", "--terms", "a"}), 0);
  EXPECT_EQ(out_.str(), "/r/a.c: why\n/r/b.c\n");
  EXPECT_EQ(err_.str(), "forge-search: a note.\n");
}

TEST_F(AskCommand, WhatNobodyCheckedGoesToStandardError) {
  KeywordSearchResponse response;
  response.files_without_hits = {{"/r/b.c", "why"}};
  response.model_text = "I think so.\nNote: trust me";
  response_ = response;
  EXPECT_EQ(Run({"q", "--terms", "a"}), 1);
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(err_.str(),
            "forge-search: named without a hit: /r/b.c: why\n"
            "forge-search: the model wrote, unchecked:\n> I think so.\n> Note: trust me\n");
  response.files = {{"/r/a\nb.c", ""}};
  response_ = response;
  EXPECT_EQ(Run({"q", "--terms", "a"}), 0);
  EXPECT_EQ(out_.str(), "/r/a\\nb.c\n");
}

TEST_F(AskCommand, NothingRelevantExitsOneAndAnErrorTwo) {
  EXPECT_EQ(Run({"q", "--terms", "a"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("no relevant files found"));
  response_ = ExecutionFailed("no LLM available for filtering");
  EXPECT_EQ(Run({"q", "--terms", "a"}), 2);
  EXPECT_EQ(err_.str(), "forge-search: error: no LLM available for filtering\n");
}

TEST_F(AskCommand, ADryRunPrintsTheBodyToTheByte) {
  KeywordSearchResponse response;
  response.preview = {"https://x/y", {"A: b"}, "{\"body\":1}"};
  response_ = response;
  EXPECT_EQ(Run({"q", "--terms", "a", "--dry-run"}), 0);
  EXPECT_EQ(out_.str(), "{\"body\":1}\n");
  EXPECT_THAT(err_.str(), HasSubstr("POST https://x/y\nA: b\n"));
}

TEST_F(AskCommand, ADryRunThatWouldSendNothingIsNoFailure) {
  EXPECT_EQ(Run({"q", "--terms", "a", "--dry-run"}), 0);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(AskCommand, QuestionAndTermsAreNeeded) {
  EXPECT_EQ(Run({"q"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("--terms is required"));
  EXPECT_EQ(Run({"--terms", "a"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("QUESTION is required"));
}

TEST_F(AskCommand, EitherSettingSwitchesItOff) {
  for (const char* key : {"tools.search.enabled", "tools.keyword_search.enabled"}) {
    EXPECT_EQ(Run({"q", "--terms", "a", "--set", std::string(key) + "=false"}), 2);
    EXPECT_THAT(err_.str(), AllOf(HasSubstr("switched off by"), HasSubstr(key)));
  }
}

}  // namespace
}  // namespace forge::cli
