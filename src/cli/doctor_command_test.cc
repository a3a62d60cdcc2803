#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"
#include "tests/testing/temp_tree.h"

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

  // A small tree whose index was built all the same: there is nothing to do about it.
  const IndexStatus stored = status;
  status.state = IndexState::kDisabled;
  status.reason = IndexReason::kBelowThreshold;
  status.problem = "the tree is below index_auto_threshold_files";
  EXPECT_EQ(Run({"doctor"}), 0) << out();
  EXPECT_THAT(out(),
              HasSubstr("ok       /fake: not used: the tree is small enough without one; --index=on uses one\n"));
  status = stored;

  status.problem = "the root is gone";
  diagnostics_ = {"index_roots: nope"};
  EXPECT_EQ(Run({"doctor", "--index", "on"}), 1);
  EXPECT_THAT(out(), AllOf(HasSubstr("7 files: the root is gone\n"), HasSubstr("warning  index_roots: nope\n")));
}

// What a user sends us holds nothing of the user's.
TEST_F(DoctorCommand, AReportHasNoPathNameOrText) {
  const testing::TempTree tree;
  tree.Write("secretname/hidden.secretend", "secrettext\n");
  tree.Write("config.toml",
             "[tools.sandbox]\ndenied_patterns = [\"*.secretend\", \"x\"]\n"
             "[tools.search]\nbinary = \"/opt/secrettool\"\nmax_files = 77\nindex_mode = \"on\"\n");
  variables_["HOME"] = tree.root();
  backends_.front().path = "/opt/secrettool";
  backends_.front().configured = "/opt/secrettool";
  files_ = {{"secretname/a.c", 0, 0, 0}, {"secretname/.gitignore", 0, 0, 0}, {"b.c", 0, 0, 0}};
  IndexStatus& status = statuses_.emplace_back();
  status.root = status.folder = tree.root();
  status.problem = "cannot read secretname";
  status.files = 7;
  response_.end = SearchEnd::kComplete;
  response_.errors = {{"secretname/c", "cannot be read"}};
  EXPECT_EQ(Run({"doctor", "--report", "--config", tree.Path("config.toml")}), 0) << err();
  EXPECT_THAT(out(), AllOf(Not(HasSubstr("secret")), Not(HasSubstr(tree.root())), Not(HasSubstr("a.c"))));
  EXPECT_THAT(out(), AllOf(HasSubstr("\"value\": \"a list of 2\""), HasSubstr("\"value\": \"a text of 15 bytes\""),
                           HasSubstr("\"value\": \"77\""), HasSubstr("\"has_problem\": true"),
                           HasSubstr("\"ignore_files\": 1"), HasSubstr("\"errors\": 1")));
}

}  // namespace
}  // namespace forge::cli
