#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class IndexCommand : public testing::CliFixture {
 protected:
  IndexCommand() {
    IndexStatus& status = statuses_.emplace_back();
    status.root = "/fake\x1B";
    status.state = IndexState::kComplete;
    status.storage = IndexStorage::kMemory;
    status.files = 7;
    status.bytes_on_disk = 2'500'000;
  }
};

TEST_F(IndexCommand, WorksAsIfTheModeWereOn) {
  EXPECT_EQ(Run({"index", "status"}), 0) << err();
  EXPECT_EQ(options_.config.search.index.mode, IndexMode::kOn);
  EXPECT_EQ(options_.indexing, EngineOptions::Indexing::kStored);
  EXPECT_EQ(Run({"--index", "auto", "index", "build"}), 0) << err();
  EXPECT_EQ(options_.config.search.index.mode, IndexMode::kAuto);
  EXPECT_EQ(options_.indexing, EngineOptions::Indexing::kForeground);
}

TEST_F(IndexCommand, SaysWhatThereIsForPeopleAndForPrograms) {
  EXPECT_EQ(Run({"index", "status"}), 0);
  EXPECT_THAT(out(), AllOf(StartsWith("/fake\n  state       ready\n"), HasSubstr("2.5 MB on disk")));
  EXPECT_EQ(Run({"index", "status", "--json"}), 0);
  EXPECT_THAT(out(), AllOf(StartsWith("{\n  \"indexes\": ["), HasSubstr("\"files\": 7")));
  EXPECT_EQ(Run({"index", "build"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("/fake: ready, 7 files"), HasSubstr("in memory only: nothing is stored")));
  EXPECT_EQ(Run({"index", "list"}), 0);
  EXPECT_EQ(out(), "no stored index\n");
  EXPECT_EQ(Run({"index", "clear"}), 0);
  EXPECT_EQ(out(), "cleared\n");
  EXPECT_EQ(Run({"index", "clear", "--json"}), 0);
  EXPECT_EQ(out(), "");
  EXPECT_EQ(Run({"index", "verify", "--json"}), 0);
  EXPECT_THAT(out(), StartsWith("{\n  \"verifications\": []"));
}

TEST_F(IndexCommand, WithoutAFolderToIndexThereIsNoSuccess) {
  statuses_.clear();
  for (const char* command : {"build", "status", "verify"}) {
    EXPECT_EQ(Run({"index", command}), 2) << command;
    EXPECT_THAT(err(), HasSubstr("there is no folder to index"));
    EXPECT_EQ(out(), "");
  }
}

TEST_F(IndexCommand, AGroupNeedsACommandAndExplainAPattern) {
  EXPECT_EQ(Run({"index"}), 2);
  EXPECT_THAT(err(), AllOf(HasSubstr("Usage: forge-search index"), HasSubstr("error: a command is required\n")));
  EXPECT_EQ(Run({"index", "explain"}), 2);
  EXPECT_THAT(err(), HasSubstr("PATTERN is required"));
  EXPECT_EQ(Run({"index", "explain", "x", "--fuzzy", "5"}), 2);
  EXPECT_THAT(err(), HasSubstr("must be a whole number of at least 1 and at most 4"));
  EXPECT_EQ(engines_, 0);
}

}  // namespace
}  // namespace forge::cli
