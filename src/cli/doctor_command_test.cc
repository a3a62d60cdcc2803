#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class DoctorCommand : public testing::CliFixture {};

TEST_F(DoctorCommand, ExitsByTheWorstFinding) {
  variables_["HOME"] = "/nonexistent";
  EXPECT_EQ(Run({"doctor"}), 0) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("ok       ugrep: /usr/bin/ugrep, ugrep@3.11.2 (pcre2, fuzzy)\n"),
                           EndsWith("All is well.\n")));
  backends_.push_back({"rg", "", "", {}, false, "not found"});
  EXPECT_EQ(Run({"doctor", "--set", "tools.search.binary=ugrep"}), 1);
  EXPECT_THAT(out(), AllOf(HasSubstr("warning  rg: not found\n           hint: install"), EndsWith("1 problem.\n")));
  backends_.erase(backends_.begin());
  EXPECT_EQ(Run({"doctor", "--json"}), 2);
  EXPECT_THAT(out(), HasSubstr("\"status\": \"failure\""));
  create_error_ = ExecutionFailed("no such root");
  EXPECT_EQ(Run({"doctor"}), 2);
  EXPECT_THAT(out(), HasSubstr("failure  no such root"));
  EXPECT_EQ(Run({"doctor", "--config", "/nonexistent"}), 2);
}

TEST_F(DoctorCommand, TellsOfEachIndexAndModel) {
  variables_ = {{"HOME", "/nonexistent"}};
  EXPECT_EQ(Run({"doctor"}), 0) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("Roots\n"), HasSubstr("Models\n  ok       none")));

  variables_["OPENAI_API_KEY"] = "sk-secret";
  IndexStatus& status = statuses_.emplace_back();
  status.root = "/fake";
  status.state = IndexState::kUncertain;
  status.reason = IndexReason::kOpenRequiresValidation;
  status.causes = {status.reason};
  status.storage = IndexStorage::kSqlite;
  status.files = 7;
  EXPECT_EQ(Run({"doctor", "--index", "on"}), 0) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("ok       /fake: ready; each command checks the tree first; sqlite, 7 files\n"),
                           HasSubstr("ok       gpt5-mini\n"), Not(HasSubstr("sk-secret")), Not(HasSubstr("claude"))));
  EXPECT_EQ(Run({"doctor", "--set", "tools.keyword_search.enabled=false"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("keyword_search is switched off"), Not(HasSubstr("gpt5-mini"))));

  status.problem = "the root is gone";
  diagnostics_ = {"index_roots: nope"};
  EXPECT_EQ(Run({"doctor", "--index", "on"}), 1);
  EXPECT_THAT(out(), AllOf(HasSubstr("7 files: the root is gone\n"), HasSubstr("warning  index_roots: nope\n")));
}

}  // namespace
}  // namespace forge::cli
